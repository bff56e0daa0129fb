import PaletteTestSupport
import Testing

@testable import PaletteSync

/// Squeezing, with parts that are left as they are.
struct DeflateTests {
  @Test(arguments: [
    [], [0..<0], [0..<5], [3..<5_000], [0..<100_000], [10..<20, 20..<70_000, 90_000..<100_000],
  ])
  func expandsToTheSame(parts: [Range<Int>]) throws {
    var random = SeededRandom(seed: 4)
    let bytes = (0..<100_000).map { _ in UInt8.random(in: 0...3, using: &random) }
    let squeezed = Deflate.squeeze(bytes, except: parts)
    #expect(try Deflate.expand(squeezed, limit: bytes.count) == bytes)
    // Two bits of eight say something; parts that are left alone lose nothing.
    let left = parts.reduce(0) { $0 + $1.count }
    #expect(squeezed.count >= left && squeezed.count < left + (bytes.count - left) / 2 + 200)
  }

  @Test func expandsNothing() throws {
    #expect(try Deflate.expand(Deflate.squeeze([]), limit: 10).isEmpty)
    #expect(try Deflate.expand(Deflate.squeeze([], except: [0..<0]), limit: 10).isEmpty)
  }
}
