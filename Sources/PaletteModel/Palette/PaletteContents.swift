/// The values that a palette's observable properties show.
struct PaletteContents: Sendable {
  var name: String
  var colors: [NamedColor] = []
  var selected: RecordID?
  var lastError: PaletteDiffError?

  /// The color with this id.
  func color(_ id: RecordID) -> NamedColor? {
    colors.first { $0.id == id }
  }

  /// The selected color.
  var selectedColor: NamedColor? {
    selected.flatMap(color)
  }

  /// Replaces the colors, and forgets a selection that is among the deleted ones.
  mutating func replaceColors(with colors: [NamedColor], deleting: [PaletteDiff.Deletion]) {
    self.colors = colors
    if deleting.contains(where: { $0.id == selected }) { selected = nil }
  }

  /// Whether the selection shows the same in both.
  func showsSameSelection(as other: Self) -> Bool {
    switch (selectedColor, other.selectedColor) {
    case (nil, nil): true
    case (let left?, let right?): left == right && left.hasSameContent(as: right)
    case (nil, _?), (_?, nil): false
    }
  }
}
