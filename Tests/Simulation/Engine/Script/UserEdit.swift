public import PaletteMerge

/// Something that a user does in one palette; colors are called by the number of their creation.
///
/// What cannot be done where it is tried, such as renaming a color that is not listed there, is not
/// done, as a command would refuse it.
public enum UserEdit: Hashable, Sendable {
  /// Makes the palette, if it is not there.
  case new
  /// Gives the palette a name.
  case title(Int)
  /// Drops the palette.
  case drop
  /// Brings the palette back.
  case restorePalette
  /// Adds colors at a position, or at the end.
  case add(first: Int, count: Int, at: Int?)
  /// Recolors a color.
  case recolor(Int, Int)
  /// Renames a color.
  case rename(Int, Int)
  /// Writes a note; 0 writes an empty one.
  case note(Int, Int)
  /// Makes a color lighter, or darker.
  case tweak(Int, isLighter: Bool)
  /// Moves a color to an index.
  case move(Int, to: Int)
  /// Removes colors, all or none.
  case remove([Int])
  /// Brings a removed color back.
  case restore(Int)
  /// Decides a conflict for the value with this index.
  case resolve(Int, Register, Int)
  /// Undoes the last action of this library.
  case undo
  /// Redoes what was undone last.
  case redo
  /// Imports a file: it becomes the palette's list.
  case importList([Entry])
  /// Compacts the history that is older than some milliseconds.
  case compact(olderThan: Int64)

  /// An entry of an imported file.
  public struct Entry: Hashable, Sendable {
    /// The color that the file says it is; nil for one that only its name can tell.
    public var color: Int?
    /// The number of its name.
    public var name: Int
    /// The number of its value.
    public var value: Int

    /// Creates an entry.
    public init(color: Int?, name: Int, value: Int) {
      self.color = color
      self.name = name
      self.value = value
    }
  }
}
