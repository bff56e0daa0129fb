import COpenSSL
import PaletteModel

/// A digest of a list that every peer of a comparison computes alike.
///
/// It is the beginning of SHA-256 over a line `id|name|color|position` for each color in order.
struct ContentDigest {
  static func digest(_ colors: some Sequence<BenchColor>) -> String {
    let context = EVP_MD_CTX_new()
    defer { EVP_MD_CTX_free(context) }
    EVP_DigestInit_ex(context, EVP_sha256(), nil)
    for color in colors {
      var line = line(color)
      line.withUTF8 { _ = EVP_DigestUpdate(context, $0.baseAddress, $0.count) }
    }
    var result = [UInt8](repeating: 0, count: 32)
    EVP_DigestFinal_ex(context, &result, nil)
    return result.prefix(8).map { hex(UInt64($0), digits: 2) }.joined()
  }

  private static func line(_ color: BenchColor) -> String {
    let id = hex(color.id.high, digits: 16) + hex(color.id.low, digits: 16)
    let thousandths = String(1000 + color.position % 1000).dropFirst()
    return "\(id)|\(color.name)|\(color.rgba)|\(color.position / 1000).\(thousandths)\n"
  }

  private static func hex(_ value: UInt64, digits: Int) -> String {
    let text = String(value, radix: 16)
    return String(repeating: "0", count: digits - text.utf8.count) + text
  }
}
