package import PaletteFormats

/// A JSON value at the boundary of the API: the parameters of a request, or an answer.
///
/// Looking into something that is not there gives `null`, so that a reader can ask for a deep value
/// in one expression.
public struct Document: Sendable, Equatable {
  package let value: JSON

  package init(_ value: JSON) {
    self.value = value
  }

  /// Reads a JSON document.
  /// - Throws: `failed` when the bytes are not JSON.
  public init(parsing bytes: [UInt8]) throws(APIError) {
    do {
      value = try JSON(parsing: bytes)
    } catch {
      throw APIError(code: "failed", message: "the answer cannot be read: \(error)")
    }
  }

  /// Creates a text.
  public init(_ text: String) {
    value = .string(text)
  }

  /// Creates a list.
  public init(_ elements: [Document]) {
    value = .array(elements.map(\.value))
  }

  /// Creates an object from keys and values, in their order.
  public init(_ members: [(key: String, value: Document)]) {
    value = .object(JSONObject(members.map { JSONObject.Member($0.key, $0.value.value) }))
  }

  /// Creates an integer.
  public init(_ number: Int) {
    value = .integer(Int64(number))
  }

  /// Creates a number.
  public init(_ number: Double) {
    value = .number(number)
  }

  /// Creates a truth value.
  public init(_ truth: Bool) {
    value = .bool(truth)
  }

  /// Creates a text that holds bytes in base64.
  public init(base64 bytes: [UInt8]) {
    value = .string(Base64.encode(bytes))
  }
}

extension Document: CustomStringConvertible {
  /// The value as compact JSON.
  public var text: String { value.description }

  /// The value as the bytes of compact JSON.
  public var bytes: [UInt8] { value.bytes }

  /// The value as compact JSON.
  public var description: String { text }
}
