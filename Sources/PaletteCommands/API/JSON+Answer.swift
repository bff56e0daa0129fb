public import PaletteFormats

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
