import Testing

@testable import PaletteModel

struct DiffQueueTests {
  private func change(_ old: Range<Int>, _ new: Range<Int>) throws -> PaletteChange {
    let (before, after) = ([NamedColor].numbered(old), [NamedColor].numbered(new))
    return PaletteChange(
      diff: try PaletteDiff(from: before, to: after),
      origin: .here,
      before: before,
      after: after
    )
  }

  @Test func joinsWhatItCannotHold() throws {
    var queue = DiffQueue()
    let extra = 100
    for step in 0..<(DiffQueue.capacity + extra) {
      queue.push(try change(0..<step, 0..<(step + 1)))
    }
    for step in 0..<DiffQueue.capacity {
      let diff = queue.pop()
      #expect(diff?.insertions.map(\.index) == [step])
    }
    let joined = queue.pop()
    #expect(joined?.insertions.count == extra)
    let end = queue.pop()
    #expect(end == nil)
  }

  /// While older changes are joined, a newer one must not overtake them.
  @Test func keepsTheOrderWhileItDrains() throws {
    var queue = DiffQueue()
    for step in 0...DiffQueue.capacity { queue.push(try change(0..<step, 0..<(step + 1))) }
    let first = queue.pop()
    #expect(first?.insertions.map(\.index) == [0])
    let count = DiffQueue.capacity + 1
    queue.push(try change(0..<count, 0..<(count + 1)))
    var colors = [NamedColor].numbered(0..<1)
    while let diff = queue.pop() { colors = try diff.applying(to: colors) }
    #expect(colors.count == count + 1)
  }

  @Test func saysNothingOfWhatCancelledItselfOut() throws {
    var queue = DiffQueue()
    for step in 0..<DiffQueue.capacity { queue.push(try change(0..<step, 0..<(step + 1))) }
    queue.push(try change(0..<64, 0..<70))
    queue.push(try change(0..<70, 0..<64))
    for _ in 0..<DiffQueue.capacity {
      let diff = queue.pop()
      #expect(diff != nil)
    }
    let rest = queue.pop()
    #expect(rest == nil)
    queue.push(try change(0..<64, 0..<63))
    let next = queue.pop()
    #expect(next?.deletions.count == 1)
  }
}
