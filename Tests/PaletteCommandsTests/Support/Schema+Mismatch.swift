import PaletteCommands
import PaletteJSON

extension Schema {
  /// The first place where a value is not what the schema says; nil where it is.
  func mismatch(with value: JSON, at path: String = "$") -> String? {
    switch self {
    case .text: value.stringValue == nil ? path : nil
    case .word(let words): value.stringValue.map(words.contains) == true ? nil : path
    case .integer: value.integerValue.map { $0 >= 0 } == true ? nil : path
    case .number: value.numberValue == nil ? path : nil
    case .truth: value.boolValue == nil ? path : nil
    case .null(let other): value.isNull ? nil : other.mismatch(with: value, at: path)
    case .any: nil
    case .named(_, let form): form.mismatch(with: value, at: path)
    case .either(let choices):
      choices.filter { $0.mismatch(with: value) == nil }.count == 1
        ? nil : "\(path) is one of several"
    case .list(let element):
      value.arrayValue.map { elements in
        elements.enumerated().lazy.compactMap { element.mismatch(with: $1, at: "\(path)[\($0)]") }
          .first
      } ?? path
    case .map(let member):
      value.objectValue.map { object in
        object.members.lazy.compactMap { member.mismatch(with: $0.value, at: "\(path).\($0.key)") }
          .first
      } ?? path
    case .object(let members, let optional):
      value.objectValue == nil
        ? path
        : members.lazy.compactMap { member in
          guard let found = value[member.name] else {
            return optional.contains(member.name) ? nil : "\(path).\(member.name) is missing"
          }
          return member.schema.mismatch(with: found, at: "\(path).\(member.name)")
        }.first
    }
  }
}
