/// The reason why a palette file cannot be read or written.
public struct FormatError: Error, Hashable, Sendable {
  /// A stable word for programs: `bad-file` or `bad-format`.
  public let code: String
  /// The failure, as a sentence for people.
  public let message: String
  /// The remedy, if one is known.
  public let hint: String?

  /// Creates an error.
  public init(code: String, message: String, hint: String? = nil) {
    self.code = code
    self.message = message
    self.hint = hint
  }

  /// The error for bytes that are not of a format.
  static func badFile(_ message: String, hint: String? = nil) -> Self {
    Self(code: "bad-file", message: message, hint: hint)
  }

  /// The error for reading a format that can only be written.
  static func onlyWritten(_ name: String) -> Self {
    Self(code: "bad-format", message: "the format \(name) can only be written")
  }

  /// The error for writing a format that can only be read.
  static func onlyRead(_ name: String) -> Self {
    Self(code: "bad-format", message: "the format \(name) can only be read")
  }
}

extension FormatError: CustomStringConvertible {
  /// The message with its code.
  public var description: String { "\(message) (\(code))" }
}
