public import PaletteModel

/// A color of a palette's list, with what the list needs beyond its content.
public struct ListedColor: Sendable {
  /// The color.
  public var color: NamedColor
  /// Its place in the order.
  public var place: Place
  /// The registers with different live values.
  public var conflicts: [Register]
  /// The live values of the record; nil where nobody asked for them.
  public var seen: SeenValues?

  /// Creates a listed color.
  package init(
    color: NamedColor,
    place: Place,
    conflicts: [Register],
    seen: SeenValues? = nil
  ) {
    self.color = color
    self.place = place
    self.conflicts = conflicts
    self.seen = seen
  }
}

extension ListedColor {
  /// Whether this one comes first in a list.
  package func precedes(_ other: ListedColor) -> Bool { precedes(other.color.id, at: other.place) }

  /// Whether this one comes first in a list with a color of that id and place.
  ///
  /// The order of lists is by place, and by id where places are equal.
  package func precedes(_ id: RecordID, at other: Place) -> Bool {
    place == other ? color.id < id : place < other
  }
}
