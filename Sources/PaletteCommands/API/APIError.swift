public import PaletteFormats

/// Why a call of the API failed.
public struct APIError: Error, Equatable, Sendable {
  /// A stable word for programs, such as `not-found`.
  public let code: String
  /// What happened, for people.
  public let message: String
  /// What to do about it, where that is known.
  public let hint: String?

  /// Creates an error.
  public init(code: String, message: String, hint: String? = nil) {
    self.code = code
    self.message = message
    self.hint = hint
  }

  /// The error as scripts read it: `{"code","message","hint"}`.
  public var document: JSON {
    [
      "code": JSON(code), "message": JSON(message),
      "hint": hint.map { JSON($0) } ?? nil,
    ]
  }
}

extension APIError: CustomStringConvertible {
  /// The message with its code.
  public var description: String { "\(message) (\(code))" }
}
