extension PaletteDiff {
  /// A color that is gone.
  public struct Deletion: Hashable, Sendable {
    /// The index in the old list.
    public let index: Int
    /// The identity of the color.
    public let id: RecordID

    /// Creates a deletion.
    public init(index: Int, id: RecordID) {
      self.index = index
      self.id = id
    }
  }

  /// A color that is new; equal when the contents are, too.
  public struct Insertion: Hashable, Sendable {
    /// The index in the new list.
    public let index: Int
    /// The color.
    public let color: NamedColor

    /// Creates an insertion.
    public init(index: Int, color: NamedColor) {
      self.index = index
      self.color = color
    }

    /// Whether both insert the same record with the same content at the same index.
    public static func == (left: Self, right: Self) -> Bool {
      left.index == right.index && left.color == right.color
        && left.color.hasSameContent(as: right.color)
    }
  }

  /// A color that stands elsewhere in the order.
  public struct Move: Hashable, Sendable {
    /// The index in the old list.
    public let from: Int
    /// The index in the new list.
    public let to: Int
    /// The identity of the color.
    public let id: RecordID

    /// Creates a move.
    public init(from: Int, to: Int, id: RecordID) {
      self.from = from
      self.to = to
      self.id = id
    }
  }

  /// A color whose content changed; equal when the contents are, too.
  public struct Update: Hashable, Sendable {
    /// The index in the new list.
    public let index: Int
    /// The color as it is now.
    public let color: NamedColor
    /// The color as it was.
    public let was: NamedColor

    /// Creates an update.
    public init(index: Int, color: NamedColor, was: NamedColor) {
      self.index = index
      self.color = color
      self.was = was
    }

    /// Whether both change the same record from and to the same content at the same index.
    public static func == (left: Self, right: Self) -> Bool {
      left.index == right.index && left.color == right.color
        && left.color.hasSameContent(as: right.color) && left.was == right.was
        && left.was.hasSameContent(as: right.was)
    }
  }
}
