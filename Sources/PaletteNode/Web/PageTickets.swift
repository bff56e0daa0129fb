internal import PaletteMerge
internal import PaletteModel
internal import PaletteStore

/// The one-time links of the web page, each of which begins one session of an owner.
///
/// They are in memory: a new start of the node prints a new one, and so does `hued open`. Only hashes
/// are kept, so that looking a code up takes the same time whatever it begins with.
final class PageTickets {
  /// The time that a link can be opened.
  static let milliseconds: Int64 = 600_000

  private var ends: [SecretHash: Int64] = [:]
  private var random: any RandomNumberGenerator

  init(random: some RandomNumberGenerator = SystemRandomNumberGenerator()) {
    self.random = random
  }

  /// Makes the code of a link.
  func makeCode(atMilliseconds now: Int64) -> String {
    ends = ends.filter { $0.value > now }
    let code = (0..<4).reduce(into: "") { text, _ in
      text += UInt64.random(in: .min ... .max, using: &random).hexDigits
    }
    ends[SecretHash(of: Array(code.utf8))] = now + Self.milliseconds
    return code
  }

  /// Uses up a code.
  ///
  /// - Returns: Whether there was such a code, and in time.
  func redeem(_ code: String, atMilliseconds now: Int64) -> Bool {
    ends.removeValue(forKey: SecretHash(of: Array(code.utf8))).map { now < $0 } ?? false
  }
}
