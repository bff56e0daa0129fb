internal import PaletteModel

/// What an entry is to say that is changed as a whole, in formats that are not text.
public struct UnitGoal: Sendable {
  /// The color of the palette.
  let color: NamedColor
  /// What a file that is written whole says of it.
  let wanted: FileEntry
  /// What the names of the entries around it begin with.
  let prefix: String
  /// Whether there was no such entry before.
  let isNew: Bool
  /// Whether it says another color.
  let changesColor: Bool
  /// Whether it says another name.
  let changesName: Bool

  /// The name without the groups around it.
  var name: String {
    let name = TextRule.name.cleaned(color.name) ?? ""
    return name.droppingBytes(prefix) ?? name
  }
}
