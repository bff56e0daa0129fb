internal import PaletteModel

/// A token's secret as text, for `Authorization: Bearer`.
enum Secret {
  private static let prefix = "hued_"

  static func text(_ bytes: [UInt8]) -> String {
    prefix
      + String(
        decoding: bytes.flatMap { [UInt8.hexDigit(UInt64($0 >> 4)), .hexDigit(UInt64($0))] },
        as: UTF8.self
      )
  }

  static func bytes(_ text: String) -> [UInt8]? {
    guard text.hasPrefix(prefix) else { return nil }
    let digits = text.utf8.dropFirst(prefix.utf8.count).compactMap(\.hexValue)
    guard digits.count == 64, text.utf8.count == prefix.utf8.count + 64 else { return nil }
    return stride(from: 0, to: 64, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }
}
