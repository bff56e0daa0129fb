extension Palette {
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

  /// How many colors there are.
  public var count: Int { read(\.count, \.colors.count) }

  /// Why the last assignment to ``colors`` was refused; nil once the colors were set again.
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
}
