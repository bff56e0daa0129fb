public import Observation

/// An ordered list of named colors that any number of views observe.
///
/// Whatever changes the list, a whole new one or a single edit, becomes one ``PaletteDiff``, which
/// every observer gets once; nothing is reported when nothing changed. There are three ways to
/// observe: the properties are `Observable`, ``diffs`` is an asynchronous sequence, and
/// ``onChange(_:)`` and its relatives call closures.
///
/// ```swift
/// let palette = Palette(id: id, name: "Autumn")
/// palette.onDelete { color in print("\(color.name) is gone") }
/// palette.colors = imported  // if an id stands twice: unchanged, see lastError
/// try palette.update { $0.swapAt(0, 1) }  // throws then
/// ```
///
/// This is the model's only reference type. It is not `Sendable`: a palette belongs to the isolation
/// that made it, such as the main actor of an app, and only its values travel. It conforms to
/// `Observable` by hand, because the macro compares with `==`, which for named colors is identity
/// alone and would swallow every recolor.
public final class Palette: Observable {
  /// The constant identity.
  public let id: PaletteID

  /// The log that keeps the palette, if there is one.
  package var backing: (any PaletteBacking)?
  let news = NotificationQueue()
  private let registrar = ObservationRegistrar()
  /// The present values, for reading without being remembered as a reader.
  private(set) var current: PaletteContents
  /// Counts the changes of the colors.
  private var revision = 0

  /// Creates an empty palette.
  public init(id: PaletteID, name: String) {
    self.id = id
    current = PaletteContents(name: name)
  }

  /// Creates a palette with colors.
  ///
  /// - Throws: ``PaletteDiffError`` when an id stands twice.
  public init(id: PaletteID, name: String, colors: [NamedColor]) throws(PaletteDiffError) {
    _ = try OrderDiff(from: [], to: colors.map(\.id))
    self.id = id
    current = PaletteContents(name: name, colors: colors)
  }

  deinit { news.finish() }

  /// Reads a value for the property that `path` names, and remembers who read it.
  func read<Value>(_ path: KeyPath<Palette, Value>, _ value: KeyPath<PaletteContents, Value>)
    -> Value
  {
    registrar.access(self, keyPath: path)
    return current[keyPath: value]
  }

  /// Replaces the colors, drops the selection of a color that is gone, and reports both.
  func replaceColors(
    with colors: [NamedColor],
    origin: PaletteChange.Origin
  ) throws(PaletteDiffError) -> PaletteDiff {
    let expected = try PaletteDiff(from: current.colors, to: colors, oldIsDistinct: true)
    guard !expected.isEmpty else { return expected }
    let revisionBefore = revision
    var next = current
    next.replaceColors(with: colors, deleting: expected.deletions)
    let announceEnd = announceChange(to: next, replacingColors: true)
    // Whoever was told of the coming change may have changed the colors as well.
    let diff =
      revision == revisionBefore
      ? expected : PaletteDiff(betweenSound: current.colors, and: colors)
    let before = current
    current.replaceColors(with: colors, deleting: diff.deletions)
    revision += 1
    let selected = current.selected
    if !diff.isEmpty {
      news.report(
        PaletteChange(diff: diff, origin: origin, before: before.colors, after: colors)
      )
    }
    if before.selected != selected {
      news.report((before.selected, selected), to: news.selections)
    }
    announceEnd()
    return diff
  }

  /// Changes other properties than the colors.
  func change(_ edit: (inout PaletteContents) -> Void) {
    var next = current
    edit(&next)
    let announceEnd = announceChange(to: next, replacingColors: false)
    edit(&current)
    announceEnd()
  }

  /// Tells `Observable` observers which properties are about to change; the result, that they did.
  private func announceChange(to next: PaletteContents, replacingColors: Bool) -> () -> Void {
    var ends: [() -> Void] = []
    func announce<Value>(_ path: KeyPath<Palette, Value>, if changes: Bool) {
      guard changes else { return }
      registrar.willSet(self, keyPath: path)
      ends.append { self.registrar.didSet(self, keyPath: path) }
    }
    let old = current
    announce(\.name, if: !old.name.hasSameBytes(as: next.name))
    announce(\.colors, if: replacingColors)
    announce(\.count, if: old.colors.count != next.colors.count)
    announce(\.selected, if: old.selected != next.selected)
    announce(\.selectedColor, if: !old.showsSameSelection(as: next))
    announce(\.lastError, if: old.lastError != next.lastError)
    return { for end in ends { end() } }
  }
}

@available(*, unavailable)
extension Palette: Sendable {}
