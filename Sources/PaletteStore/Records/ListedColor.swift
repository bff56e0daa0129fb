public import PaletteMerge
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

  /// Returns whether this one comes first in a list.
  package func precedes(_ other: ListedColor) -> Bool { precedes(other.color.id, at: other.place) }

  /// Returns whether this one comes first in a list with a color of that id and place.
  ///
  /// The order of lists is by place, and by id where places are equal.
  package func precedes(_ id: RecordID, at other: Place) -> Bool {
    place == other ? color.id < id : place < other
  }
}

extension [ListedColor] {
  /// The colors in the order of the list.
  ///
  /// Most places differ within their first eight bytes. So small pairs of a number and a position are
  /// sorted, and each color is moved once.
  consuming func inOrder() -> [ListedColor] {
    var colors = self
    var order: [(key: UInt64, position: Int32)] = []
    order.reserveCapacity(colors.count)
    for position in colors.indices {
      order.append((colors[position].place.sortKey, Int32(position)))
    }
    order.sort { left, right in
      guard left.key == right.key else { return left.key < right.key }
      return colors[Int(left.position)].precedes(colors[Int(right.position)])
    }
    colors.arrange(&order)
    return colors
  }

  /// Moves each color to where the order wants it, one cycle after another, within the list's memory.
  private mutating func arrange(_ order: inout [(key: UInt64, position: Int32)]) {
    withUnsafeMutableBufferPointer { buffer in
      guard let colors = buffer.baseAddress else { return }
      for start in order.indices where order[start].position >= 0 {
        let first = (colors + start).move()
        var index = start
        while true {
          let next = Int(order[index].position)
          order[index].position = -1
          if next == start { break }
          (colors + index).moveInitialize(from: colors + next, count: 1)
          index = next
        }
        (colors + index).initialize(to: first)
      }
    }
  }
}

extension Place {
  /// The first eight bytes as a number; places with different keys are in the order of their keys.
  var sortKey: UInt64 {
    bytes.withUnsafeBytes { bytes in
      if bytes.count >= 8 { return UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)) }
      var key: UInt64 = 0
      for index in 0..<8 { key = key << 8 | (index < bytes.count ? UInt64(bytes[index]) : 0) }
      return key
    }
  }
}
