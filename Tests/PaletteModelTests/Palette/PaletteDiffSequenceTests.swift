import PaletteModel
import PaletteTestSupport
import Testing

struct PaletteDiffSequenceTests {
  private func palette(_ numbers: Range<Int> = 0..<4) throws -> Palette {
    try Palette(id: PaletteID(.numbered(99)), name: "Autumn", colors: .numbered(numbers))
  }

  @Test func yieldsOneDiffAChangeToEverySubscriber() async throws {
    let palette = try palette()
    let early = palette.diffs
    palette.colors.removeFirst()
    let late = palette.diffs
    palette.colors.removeLast()
    var (first, second) = (early.makeAsyncIterator(), late.makeAsyncIterator())
    #expect(await first.next()?.deletions == [.init(index: 0, id: .numbered(0))])
    #expect(await first.next()?.deletions == [.init(index: 2, id: .numbered(3))])
    #expect(await second.next()?.deletions == [.init(index: 2, id: .numbered(3))])
  }

  @Test func endsWithItsPaletteAfterWhatIsQueued() async throws {
    var palette: Palette? = try palette()
    let diffs = try #require(palette).diffs
    palette?.colors.removeFirst()
    palette = nil
    var count = 0
    for await _ in diffs { count += 1 }
    #expect(count == 1)
  }

  @Test func endsWhenItsTaskIsCancelled() async throws {
    let palette = try palette()
    let diffs = palette.diffs
    let reader = Task {
      var count = 0
      for await _ in diffs { count += 1 }
      return count
    }
    reader.cancel()
    _ = await reader.value
    // The palette lives on, and so does what the cancelled task did not take.
    palette.colors.removeFirst()
    var iterator = diffs.makeAsyncIterator()
    #expect(await iterator.next()?.deletions.count == 1)
  }

  /// A reader in a task of its own, fast or slow, ends with the palette's colors.
  @Test(arguments: TestSeeds.some(of: 8))
  func leadsEveryReaderToThePresentColors(seed: UInt64) async throws {
    var random = SeededRandom(seed: seed)
    var palette: Palette? = try palette(0..<10)
    let start = try #require(palette?.colors)
    let readers = try (0..<3).map { reader in
      let diffs = try #require(palette).diffs
      return Task {
        var colors = start
        for await diff in diffs {
          colors = try diff.applying(to: colors)
          if reader == 1 { await Task.yield() }
        }
        return colors
      }
    }
    for step in 0..<500 {
      let number = Int.random(in: 0..<20, using: &random)
      if let index = palette?.colors.firstIndex(where: { $0.id == .numbered(number) }) {
        palette?.colors.remove(at: index)
      } else {
        palette?.colors.insert(.numbered(number, version: step), at: 0)
      }
      if step % 7 == 0 { await Task.yield() }
    }
    let end = try #require(palette?.colors)
    palette = nil
    for reader in readers {
      #expect(try await reader.value.contents == end.contents, "replay with seed \(seed)")
    }
  }
}
