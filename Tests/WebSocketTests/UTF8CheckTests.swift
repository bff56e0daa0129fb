import PaletteTestSupport
import Testing

@testable import WebSocket

struct UTF8CheckTests {
  private static func accepts(_ pieces: [[UInt8]]) -> Bool {
    var check = UTF8Check()
    for piece in pieces where !piece.withUnsafeBytes({ check.accept($0) }) { return false }
    return check.isComplete
  }

  /// The standard library is the judge.
  private static func isText(_ bytes: [UInt8]) -> Bool {
    String(validating: bytes, as: UTF8.self) != nil
  }

  @Test func agreesOnEveryShortSequence() {
    for first in 0..<256 as Range<UInt16> {
      for second in 0..<256 as Range<UInt16> {
        let bytes = [UInt8(first), UInt8(second)]
        guard Self.accepts([bytes]) == Self.isText(bytes) else {
          Issue.record("\(bytes)")
          return
        }
      }
    }
  }

  @Test(arguments: TestSeeds.some(of: 50))
  func agreesOnDamagedText(seed: UInt64) {
    var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    func next(_ limit: Int) -> Int {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return Int(state % UInt64(limit))
    }
    let text = String(
      (0..<40).map { _ in "aß€😀\u{7FF}\u{800}\u{FFFF}\u{10000}".randomElement(next) }
    )
    for _ in 0..<50 {
      var bytes = Array(text.utf8)
      for _ in 0..<next(3) { bytes[next(bytes.count)] = UInt8(next(256)) }
      let cut = next(bytes.count)
      let pieces = [Array(bytes[..<cut]), Array(bytes[cut...])]
      #expect(Self.accepts(pieces) == Self.isText(bytes), "replay with seed \(seed)")
    }
  }
}

extension String {
  fileprivate func randomElement(_ next: (Int) -> Int) -> Character {
    self[index(startIndex, offsetBy: next(count))]
  }
}
