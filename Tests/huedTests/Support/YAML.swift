/// A value of the part of YAML that a compose file needs.
indirect enum YAML: Equatable {
  case scalar(String)
  case list([YAML])
  case map([String: YAML])

  subscript(key: String) -> YAML? {
    if case .map(let members) = self { members[key] } else { nil }
  }

  var text: String? {
    if case .scalar(let text) = self { text } else { nil }
  }

  /// The texts of a list.
  var texts: [String] {
    if case .list(let values) = self { values.compactMap(\.text) } else { [] }
  }

  var keys: [String] {
    if case .map(let members) = self { members.keys.sorted() } else { [] }
  }

  /// The same with every `${NAME:-default}` in its texts replaced.
  func interpolated(_ variables: [String: String]) -> YAML {
    switch self {
    case .scalar(let text):
      .scalar(
        text.replacing(/\$\{(\w+):-([^}]*)\}/) { match in
          variables[String(match.1)] ?? String(match.2)
        }
      )
    case .list(let values): .list(values.map { $0.interpolated(variables) })
    case .map(let members): .map(members.mapValues { $0.interpolated(variables) })
    }
  }
}
