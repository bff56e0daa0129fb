import Observation
import PaletteModel
import Synchronization
import Testing

struct PaletteTests {
  private func palette(_ numbers: Range<Int> = 0..<4) throws -> Palette {
    try Palette(
      id: PaletteID(.numbered(99)),
      name: "Autumn",
      colors: .numbered(numbers)
    )
  }

  /// Whether a change of the palette notifies a reader of one property.
  private func isNotified(
    _ palette: Palette,
    _ property: PartialKeyPath<Palette>,
    by edit: (Palette) throws -> Void
  ) rethrows -> Bool {
    let notified = Mutex(false)
    withObservationTracking {
      _ = palette[keyPath: property]
    } onChange: {
      notified.withLock { $0 = true }
    }
    try edit(palette)
    return notified.withLock(\.self)
  }

  @Test func refusesToBeginWithADuplicate() {
    #expect(throws: PaletteDiffError.self) {
      try Palette(id: PaletteID(.numbered(9)), name: "", colors: .numbered([1, 2, 1]))
    }
  }

  @Test func notifiesReadersOfARecolor() throws {
    let palette = try palette()
    let isRecolorSeen = try isNotified(palette, \.colors) {
      try $0.recolor(.numbered(1), to: Color(.hsb, 30, 100, 100))
    }
    #expect(isRecolorSeen)
  }

  @Test func notifiesReadersOfWhatChangedAlone() throws {
    let palette = try palette()
    palette.selected = .numbered(2)
    let recolor: (Palette) throws -> Void = {
      try $0.recolor(.numbered(1), to: Color(.hsb, Double($0.colors.count), 1, 1))
    }
    #expect(try !isNotified(palette, \.count, by: recolor))
    #expect(try !isNotified(palette, \.name, by: recolor))
    #expect(try !isNotified(palette, \.selectedColor, by: recolor))
    #expect(try isNotified(palette, \.count) { try $0.delete([.numbered(1)]) })
    #expect(!isNotified(palette, \.colors) { $0.name = "Winter" })
    #expect(isNotified(palette, \.name) { $0.name = "Spring" })
    #expect(!isNotified(palette, \.name) { $0.name = "Spring" })
  }

  @Test func notifiesReadersOfTheSelectedColor() throws {
    let palette = try palette()
    #expect(isNotified(palette, \.selectedColor) { $0.selected = .numbered(2) })
    #expect(!isNotified(palette, \.selectedColor) { $0.selected = .numbered(2) })
    #expect(try isNotified(palette, \.selectedColor) { try $0.rename(.numbered(2), to: "x") })
    #expect(try !isNotified(palette, \.selectedColor) { try $0.move(.numbered(2), to: 0) })
    #expect(try isNotified(palette, \.selectedColor) { try $0.delete([.numbered(2)]) })
    #expect(palette.selected == nil)
  }

  @Test func notifiesNobodyWhenNothingChanged() throws {
    let palette = try palette()
    palette.onChange { _ in Issue.record("nothing changed") }
    palette.onRename { _ in Issue.record("nothing changed") }
    palette.onSelect { _, _ in Issue.record("nothing changed") }
    for property in [\Palette.colors, \.name, \.selected, \.count] as [PartialKeyPath<Palette>] {
      let isSeen = try isNotified(palette, property) {
        $0.colors = $0.colors
        $0.colors = .numbered(0..<4)
        $0.name = "Autumn"
        $0.selected = nil
        $0.selected = .numbered(77)
        try $0.rename(.numbered(0), to: "color 0 0")
        try $0.apply(PaletteDiff())
      }
      #expect(!isSeen)
    }
  }

  /// Whoever hears of a change beforehand may make another one; the diffs still fit together.
  @Test func staysSoundWhenAChangeProvokesAnother() throws {
    let palette = try palette()
    var replayed = palette.colors
    palette.onChange { change in
      #expect(change.before.contents == replayed.contents)
      do { replayed = try change.diff.applying(to: replayed) } catch { Issue.record(error) }
    }
    let isFirst = Mutex(true)
    nonisolated(unsafe) let shared = palette
    withObservationTracking {
      _ = palette.colors
    } onChange: {
      // Observation itself calls again for a change that is made in here.
      let isDue = isFirst.withLock { first in
        defer { first = false }
        return first
      }
      if isDue { shared.colors.removeLast() }
    }
    palette.colors = .numbered(1..<7)
    #expect(palette.colors.contents == [NamedColor].numbered(1..<7).contents)
    #expect(replayed.contents == palette.colors.contents)
  }
}
