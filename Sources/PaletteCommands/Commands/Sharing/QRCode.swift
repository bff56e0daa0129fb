internal import CQRCode

/// A text as a QR code (ISO/IEC 18004), for the cameras of phones.
struct QRCode {
  /// The rows from above, each of the digits 1 (dark) and 0, without the light border that readers need.
  let rows: [String]

  /// Encodes a text; nil when it is too long for any QR code.
  ///
  /// A screen is neither torn nor smudged: the lowest correction makes the largest modules.
  init?(_ text: String) {
    guard let code = QRcode_encodeString8bit(text, 0, QR_ECLEVEL_L) else { return nil }
    defer { QRcode_free(code) }
    let width = Int(code.pointee.width)
    guard let data = code.pointee.data else { return nil }
    rows = (0..<width).map { row in
      let modules = UnsafeBufferPointer(start: data + row * width, count: width)
      return String(decoding: modules.map { UInt8(ascii: "0") + $0 & 1 }, as: UTF8.self)
    }
  }
}
