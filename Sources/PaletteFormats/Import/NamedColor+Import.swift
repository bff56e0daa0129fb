public import PaletteModel

extension FileEntry {
  /// Returns whether the name of the entry is how its format spells another name.
  public func stands(for name: String) -> Bool {
    guard isIdentifier, let own = self.name else { return false }
    return FileNames.isIdentifier(own, of: name, .dashes)
      || FileNames.isIdentifier(own, of: name, .underscores)
  }
}

extension FileFormat {
  /// The entries of colors as this format writes and reads them, one for each; nil where it does not hold them.
  fileprivate func echo(of colors: [NamedColor]) -> [FileEntry]? {
    guard reads, writes else { return nil }
    let sheet = PaletteSheet(
      id: PaletteID(RecordID(high: 0, low: 0)),
      name: "",
      digest: "",
      colors: colors
    )
    guard let bytes = try? write(sheet), let contents = try? read(FileProbe(bytes)),
      contents.entries.count == colors.count
    else { return nil }
    return contents.entries
  }
}

extension [NamedColor] {
  /// The list after an import: the file's entries in their order, with the ids of the colors that
  /// they are.
  ///
  /// A paired entry keeps what the file does not say: name, note or opacity in a format without them,
  /// and the exact name and color where the file has what `format` makes of them.
  /// `PaletteDiff(from: self, to: result)` is what the import does. Several files for one palette are
  /// imported as one list of entries.
  public func importing(
    _ entries: [FileEntry],
    from format: (any FileFormat)? = nil,
    using random: inout some RandomNumberGenerator
  ) -> [NamedColor] {
    let echo =
      format.flatMap { $0.echo(of: self) } ?? map { FileEntry(name: $0.name, color: $0.color) }
    let pairing = ImportPairing(of: entries, with: self, asWritten: echo)
    return zip(entries, pairing.colorIndexes).map { entry, index in
      guard let index else {
        return NamedColor(
          id: RecordID(using: &random),
          name: entry.name ?? entry.color.hex,
          color: entry.color,
          note: entry.note ?? ""
        )
      }
      let old = self[index]
      let shown = entry.hasAlpha ? old.color : old.color.opaque
      let isSame =
        entry.color == echo[index].color || (entry.isRounded && entry.color.hex == shown.hex)
      var color = entry.color
      if !entry.hasAlpha { color.alpha = old.color.alpha }
      var new = old
      if let name = entry.name, !entry.stands(for: old.name),
        !(echo[index].name?.hasSameBytes(as: name) ?? false)
      {
        new.name = name
      }
      if !isSame { new.color = color }
      if let note = entry.note { new.note = note }
      return new
    }
  }
}
