package import PaletteFormats

/// A method of the RPC API: what it takes, what it gives, and to whom it is open.
package struct RPCMethod: Sendable {
  /// Who may call a method; each includes those before it.
  package enum Access: Int, Comparable {
    case viewer
    case editor
    case owner
    /// Only through the Unix socket.
    case local

    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
  }

  /// An argument of a method.
  package struct Parameter: Sendable {
    package let name: String
    package let schema: RPCSchema
    package let summary: String
    package var isRequired = true

    init(_ name: String, _ schema: RPCSchema, _ summary: String) {
      self.name = name
      self.schema = schema
      self.summary = summary
    }

    /// The same, but it may be left out.
    var optional: Parameter {
      var copy = self
      copy.isRequired = false
      return copy
    }
  }

  package let name: String
  package let access: Access
  /// One sentence without a full stop.
  package let summary: String
  package var parameters: [Parameter] = []
  package let result: RPCSchema

  init(
    _ name: String,
    _ access: Access,
    _ summary: String,
    _ parameters: [Parameter] = [],
    result: RPCSchema
  ) {
    self.name = name
    self.access = access
    self.summary = summary
    self.parameters = parameters
    self.result = result
  }

  /// The same method with one more parameter.
  func taking(_ parameter: Parameter) -> RPCMethod {
    var copy = self
    copy.parameters.append(parameter)
    return copy
  }

  /// Whether every call is about one palette, so that a token of one palette may call it.
  package var isAboutOnePalette: Bool {
    parameters.first?.name == "palette" && parameters[0].isRequired
  }

  /// Refuses arguments that are missing, unknown or of another type.
  package func check(_ arguments: JSONObject) throws(RPCError) {
    for parameter in parameters {
      guard let value = arguments[parameter.name], !value.isNull else {
        guard !parameter.isRequired else {
          throw .invalidParameters("'\(name)' needs the parameter '\(parameter.name)'")
        }
        continue
      }
      guard parameter.schema.accepts(value) else {
        throw .invalidParameters("'\(parameter.name)' must be \(parameter.schema.noun)")
      }
    }
    for member in arguments.members
    where !parameters.contains(where: { $0.name.utf8.elementsEqual(member.key.utf8) }) {
      throw .invalidParameters("'\(name)' takes no parameter '\(member.key)'")
    }
  }
}
