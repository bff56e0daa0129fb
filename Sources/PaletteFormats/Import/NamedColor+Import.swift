public import PaletteModel

extension [NamedColor] {
  /// The list after an import: the file's entries in their order, with the ids of the colors that
  /// they are.
  ///
  /// A paired entry keeps what the file does not say: name, note or opacity in a format without them,
  /// and the exact color where the file has only its rounding. `PaletteDiff(from: self, to: result)` is
  /// what the import does. Several files for one palette are imported as one list of entries.
  public func importing(
    _ entries: [FileEntry],
    using random: inout some RandomNumberGenerator
  ) -> [NamedColor] {
    let pairing = ImportPairing(of: entries, with: self)
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
      let isSame = entry.isRounded && entry.color.hex == shown.hex
      var color = entry.color
      if !entry.hasAlpha { color.alpha = old.color.alpha }
      return NamedColor(
        id: old.id,
        name: entry.name ?? old.name,
        color: isSame ? old.color : color,
        note: entry.note ?? old.note
      )
    }
  }
}
