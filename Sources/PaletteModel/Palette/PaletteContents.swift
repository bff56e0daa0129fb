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

  /// Returns whether the selection shows the same in both.
  func showsSameSelection(as other: Self) -> Bool {
    switch (selectedColor, other.selectedColor) {
    case (nil, nil): true
    case (let left?, let right?): left == right && left.hasSameContent(as: right)
    case (nil, _?), (_?, nil): false
    }
  }
}

/// A change of a palette's own name.
public struct PaletteRename: Hashable, Sendable {
  /// The name before.
  public let before: String
  /// The name after.
  public let after: String
  /// The origin of the change.
  public let origin: PaletteChange.Origin
}

/// One change of a palette's colors.
public struct PaletteChange: Sendable {
  /// The origin of a change.
  public enum Origin: Hashable, Sendable {
    /// In this process, through the palette: a log that is bound to it must write it down.
    case here
    /// In the log or at a peer, and only applied to the palette: a bound log knows it already.
    case elsewhere
  }

  /// The difference between both lists; never empty.
  public let diff: PaletteDiff
  /// The origin of the change.
  public let origin: Origin
  /// The colors before the change.
  public let before: [NamedColor]
  /// The colors after the change.
  public let after: [NamedColor]
}
