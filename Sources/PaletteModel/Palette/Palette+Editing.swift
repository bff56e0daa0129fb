extension Palette {
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
}
