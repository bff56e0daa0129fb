import PaletteModel
import Testing

struct PaletteObservingTests {
  private func palette(_ numbers: Range<Int> = 0..<4) throws -> Palette {
    try Palette(id: PaletteID(.numbered(99)), name: "Autumn", colors: .numbered(numbers))
  }

  @Test func callsEachKindOfClosure() throws {
    let palette = try palette()
    var log: [String] = []
    palette.onInsert { log.append("insert \($0.name) at \($1)") }
    palette.onDelete { log.append("delete \($0.name)") }
    palette.onUpdate { log.append("update \($0.name) to \($1.name)") }
    palette.onSelect { log.append("select \($0 == .numbered(1)) \($1 == .numbered(1))") }
    palette.onRename { log.append("rename \($0.before) to \($0.after)") }
    palette.selected = .numbered(1)
    palette.colors = [.numbered(0), .numbered(9), .numbered(2, version: 1)]
    palette.name = "Winter"
    #expect(
      log == [
        "select false true", "insert color 9 0 at 1", "delete color 1 0", "delete color 3 0",
        "update color 2 0 to color 2 1", "select true false", "rename Autumn to Winter",
      ]
    )
  }

  @Test func stopsWhenCancelled() throws {
    let palette = try palette()
    var first = 0
    var second = 0
    let observation = palette.onChange { _ in first += 1 }
    palette.onChange { _ in second += 1 }
    palette.colors.removeLast()
    observation.cancel()
    observation.cancel()
    palette.colors.removeLast()
    #expect(first == 1)
    #expect(second == 2)
  }

  @Test func stopsAtOnceWhenAnotherClosureCancels() throws {
    let palette = try palette()
    var observation: PaletteObservation?
    palette.onChange { _ in observation?.cancel() }
    observation = palette.onChange { _ in Issue.record("was cancelled") }
    palette.colors.removeLast()
  }

  /// Every view sees all changes in the order in which they were made, whoever makes them.
  @Test func reportsInOrderWhatObserversChange() throws {
    let palette = try palette(0..<3)
    palette.onChange { change in
      if palette.count < 6 { palette.colors.append(.numbered(10 + palette.count)) }
    }
    var replayed = palette.colors
    palette.onChange { change in
      do { replayed = try change.diff.applying(to: replayed) } catch { Issue.record(error) }
    }
    palette.colors.removeFirst()
    #expect(palette.count == 6)
    #expect(replayed.contents == palette.colors.contents)
  }

  /// Two views that copy each other's values come to rest.
  @Test func endsFeedback() throws {
    let left = try palette()
    let right = try palette()
    var copies = 0
    left.onChange { change in
      copies += 1
      right.colors = change.after
    }
    right.onChange { change in
      copies += 1
      left.colors = change.after
    }
    left.colors = .numbered([3, 2, 7])
    #expect(copies == 2)
    #expect(right.colors.contents == left.colors.contents)
  }
}
