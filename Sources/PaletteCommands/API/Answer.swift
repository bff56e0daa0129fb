public import PaletteJSON

/// The answer of a command: made into JSON once, where it leaves the process.
public protocol Answer: Sendable {
  /// The answer as a value, for those who show it.
  /// - Throws: `failed` when what another process answered is no JSON.
  var json: JSON { get throws(APIError) }
  /// The answer as a document, for those who pass it on.
  var bytes: [UInt8] { get }
}

extension JSON: Answer {
  /// The value itself.
  public var json: JSON { self }
}

/// An answer that came from another process.
public struct ReceivedAnswer: Answer {
  /// The document as it came.
  public let bytes: [UInt8]

  /// Takes over a document.
  public init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// The document, read.
  public var json: JSON { get throws(APIError) { try JSON(answer: bytes) } }
}

extension JSON {
  /// Reads what another process answered.
  /// - Throws: `failed` when the bytes are not JSON.
  public init(answer bytes: [UInt8]) throws(APIError) {
    do {
      self = try JSON(parsing: bytes)
    } catch {
      throw APIError(code: "failed", message: "the answer cannot be read: \(error)")
    }
  }
}
