internal import PaletteModel

/// A token's secret as text, for `Authorization: Bearer`.
package enum Secret {
  private static let prefix = "hued_"

  package static func text(_ bytes: [UInt8]) -> String { prefix + bytes.hexDigits }

  package static func bytes(_ text: String) -> [UInt8]? {
    guard text.hasPrefix(prefix), text.utf8.count == prefix.utf8.count + 64 else { return nil }
    return [UInt8](hexDigits: text.utf8.dropFirst(prefix.utf8.count))
  }
}
