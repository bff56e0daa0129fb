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

  /// Saves a color at the front, under a new identity.
  ///
  /// A color that its user did not name is named by its hex.
  /// - Returns: The new record.
  @discardableResult
  public func save(
    _ color: Color,
    named name: String,
    using random: inout some RandomNumberGenerator
  ) throws(PaletteDiffError) -> NamedColor {
    let saved = NamedColor(id: RecordID(using: &random), name: name, color: color)
    try setColors([saved] + current.colors)
    return saved
  }

  /// Renames a color in place.
  ///
  /// - Throws: ``PaletteDiffError`` when the palette has no such color.
  @discardableResult
  public func rename(_ id: RecordID, to name: String) throws(PaletteDiffError) -> PaletteDiff {
    try edit(id) { $0.name = name }
  }

  /// Gives a color another value in place.
  ///
  /// - Throws: ``PaletteDiffError`` when the palette has no such color.
  @discardableResult
  public func recolor(_ id: RecordID, to color: Color) throws(PaletteDiffError) -> PaletteDiff {
    try edit(id) { $0.color = color }
  }

  /// Gives a color another note in place; an empty one removes it.
  ///
  /// - Throws: ``PaletteDiffError`` when the palette has no such color.
  @discardableResult
  public func annotate(_ id: RecordID, with note: String) throws(PaletteDiffError) -> PaletteDiff {
    try edit(id) { $0.note = note }
  }

  /// Deletes colors, all or none.
  ///
  /// - Throws: ``PaletteDiffError`` when the palette has not all of them.
  @discardableResult
  public func delete(_ ids: Set<RecordID>) throws(PaletteDiffError) -> PaletteDiff {
    let rest = current.colors.filter { !ids.contains($0.id) }
    if rest.count + ids.count != current.colors.count {
      let known = Set(current.colors.map(\.id))
      throw PaletteDiffError(.unknownID, id: ids.first { !known.contains($0) })
    }
    return try setColors(rest)
  }

  /// Moves a color to its final index.
  ///
  /// - Throws: ``PaletteDiffError`` when the palette has no such color or index.
  @discardableResult
  public func move(_ id: RecordID, to index: Int) throws(PaletteDiffError) -> PaletteDiff {
    var colors = current.colors
    let from = try self.index(of: id)
    guard colors.indices.contains(index) else {
      throw PaletteDiffError(.badIndex, id: id, index: index)
    }
    colors.insert(colors.remove(at: from), at: index)
    return try setColors(colors)
  }

  private func edit(
    _ id: RecordID,
    _ body: (inout NamedColor) -> Void
  ) throws(PaletteDiffError) -> PaletteDiff {
    var colors = current.colors
    body(&colors[try index(of: id)])
    return try setColors(colors)
  }

  private func index(of id: RecordID) throws(PaletteDiffError) -> Int {
    guard let index = current.colors.firstIndex(where: { $0.id == id }) else {
      throw PaletteDiffError(.unknownID, id: id)
    }
    return index
  }

  /// The colors in order.
  ///
  /// Assigning a list compares it with the present one and reports the difference. A list in which
  /// an id stands twice changes nothing: it is reported through ``lastError`` and ``onError(_:)``.
  /// Use ``setColors(_:)`` or ``update(_:)`` to have it thrown.
  public var colors: [NamedColor] {
    get { read(\.colors, \.colors) }
    set {
      do {
        try setColors(newValue)
      } catch {
        change { $0.lastError = error }
        news.report(error, to: news.errors)
      }
    }
  }

  /// The name of the palette, kept byte for byte.
  public var name: String {
    get { read(\.name, \.name) }
    set { rename(to: newValue, origin: .here) }
  }

  /// The id of the selected color.
  ///
  /// Selecting an id that is not in the palette selects nothing, and so does deleting the selected
  /// color.
  public var selected: RecordID? {
    get { read(\.selected, \.selected) }
    set {
      let before = current.selected
      let after = newValue.flatMap(current.color)?.id
      guard before != after else { return }
      change { $0.selected = after }
      news.report((before, after), to: news.selections)
    }
  }

  /// The selected color; changes with the selection and with the color's content.
  public var selectedColor: NamedColor? { read(\.selectedColor, \.selectedColor) }

  /// The number of colors there are.
  public var count: Int { read(\.count, \.colors.count) }

  /// The reason why the last assignment to ``colors`` was refused; nil once the colors were set
  /// again.
  public var lastError: PaletteDiffError? { read(\.lastError, \.lastError) }

  /// Replaces the colors.
  ///
  /// - Returns: What that changed.
  /// - Throws: ``PaletteDiffError`` when an id stands twice; then nothing changed.
  @discardableResult
  public func setColors(_ colors: [NamedColor]) throws(PaletteDiffError) -> PaletteDiff {
    let diff = try replaceColors(with: colors, origin: .here)
    if current.lastError != nil { change { $0.lastError = nil } }
    return diff
  }

  /// Edits the colors in place and reports all that changed as one diff.
  ///
  /// - Returns: What that changed.
  /// - Throws: ``PaletteDiffError`` when an id stands twice, and what the closure throws; then
  ///   nothing changed.
  @discardableResult
  public func update(_ edit: (inout [NamedColor]) throws -> Void) throws -> PaletteDiff {
    var colors = current.colors
    try edit(&colors)
    return try setColors(colors)
  }

  /// Applies a diff that was made elsewhere, so that a bound log does not write it down again.
  ///
  /// - Returns: What that changed; less than the diff where the palette agreed already.
  /// - Throws: ``PaletteDiffError`` when the diff does not fit the colors; then nothing changed.
  @discardableResult
  public func apply(_ diff: PaletteDiff) throws(PaletteDiffError) -> PaletteDiff {
    try replaceColors(with: diff.applying(to: current.colors), origin: .elsewhere)
  }

  /// Takes over a name that was given elsewhere, so that a bound log does not write it down again.
  public func apply(name: String) {
    rename(to: name, origin: .elsewhere)
  }

  private func rename(to name: String, origin: PaletteChange.Origin) {
    let before = current.name
    guard !before.hasSameBytes(as: name) else { return }
    change { $0.name = name }
    news.report(PaletteRename(before: before, after: name, origin: origin), to: news.renames)
  }

  /// The changes from now on, as an asynchronous sequence of its own for every call.
  public var diffs: PaletteDiffSequence {
    PaletteDiffSequence(subscription: news.subscribe())
  }

  /// Calls a closure after every change of the colors, with old and new list.
  @discardableResult
  public func onChange(_ body: @escaping (PaletteChange) -> Void) -> PaletteObservation {
    news.changes.add(body)
  }

  /// Calls a closure for every color that is new, with its index.
  @discardableResult
  public func onInsert(_ body: @escaping (NamedColor, Int) -> Void) -> PaletteObservation {
    news.changes.add { change in
      for insertion in change.diff.insertions { body(insertion.color, insertion.index) }
    }
  }

  /// Calls a closure for every color that is gone, as it was.
  @discardableResult
  public func onDelete(_ body: @escaping (NamedColor) -> Void) -> PaletteObservation {
    news.changes.add { change in
      for deletion in change.diff.deletions { body(change.before[deletion.index]) }
    }
  }

  /// Calls a closure for every color whose content changed, with the old and the new color.
  @discardableResult
  public func onUpdate(_ body: @escaping (NamedColor, NamedColor) -> Void) -> PaletteObservation {
    news.changes.add { change in
      for update in change.diff.updates { body(update.was, update.color) }
    }
  }

  /// Calls a closure after every change of the selection, with the old and the new id.
  @discardableResult
  public func onSelect(_ body: @escaping (RecordID?, RecordID?) -> Void) -> PaletteObservation {
    news.selections.add { body($0.before, $0.after) }
  }

  /// Calls a closure after every change of the palette's name.
  @discardableResult
  public func onRename(_ body: @escaping (PaletteRename) -> Void) -> PaletteObservation {
    news.renames.add(body)
  }

  /// Calls a closure when an assignment to ``colors`` was refused.
  @discardableResult
  public func onError(_ body: @escaping (PaletteDiffError) -> Void) -> PaletteObservation {
    news.errors.add(body)
  }
}

@available(*, unavailable)
extension Palette: Sendable {}
