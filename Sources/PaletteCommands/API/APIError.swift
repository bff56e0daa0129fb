package import PaletteFormats
public import PaletteJSON
package import PaletteStore

/// The reason why a call of the API failed.
public struct APIError: Error, Equatable, Sendable {
  /// A stable word for programs, such as `not-found`.
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

  /// The error as scripts read it: `{"code","message","hint"}`.
  public var document: JSON {
    [
      "code": JSON(code), "message": JSON(message),
      "hint": hint.map { JSON($0) } ?? nil,
    ]
  }

  /// Converts a failure of a file format.
  package init(_ error: FormatError) {
    self.init(code: error.code, message: error.message, hint: error.hint)
  }

  /// Converts a failure of the store.
  package init(_ error: StoreError) {
    let code =
      switch error.code {
      case .corrupt, .notALibrary, .newerFormat, .locked, .readOnly, .diskFull, .exists,
        .interrupted, .failed:
        error.code.rawValue
      case .olderFormat, .inputOutput, .constraint, .cannotOpen, .outOfMemory: "storage"
      }
    self.init(code: code, message: error.message, hint: error.hint)
  }

  /// Converts any failure.
  package init(any error: any Error) {
    switch error {
    case let error as APIError: self = error
    case let error as StoreError: self.init(error)
    default: self.init(code: "failed", message: "\(error)")
    }
  }
}

extension APIError: CustomStringConvertible {
  /// The message with its code.
  public var description: String { "\(message) (\(code))" }
}
