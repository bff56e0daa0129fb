internal import PaletteFormats
internal import PaletteJSON
package import PaletteMerge
package import PaletteModel
internal import PaletteStore

/// A change of a palette's list: a diff, with the facts about each color that only lists know.
package struct ListChange {
  /// A color at its index.
  struct Entry {
    let index: Int
    let color: ListedColor
  }

  /// A color that changes its place among the others.
  struct Move {
    let from: Int
    let to: Int
    let color: ListedColor
  }

  var deletions: [PaletteDiff.Deletion] = []
  var insertions: [Entry] = []
  var moves: [Move] = []
  /// The colors that stay and show something else now; the first as it was, at its old index.
  var updates: [(was: Entry, now: Entry)] = []

  package var isEmpty: Bool {
    deletions.isEmpty && insertions.isEmpty && moves.isEmpty && updates.isEmpty
  }

  /// `{"event":"diff",...}`.
  package func document(of palette: PaletteID, by author: ChangeAuthor?) -> [UInt8] {
    var writer = JSONWriter(capacity: 1_024)
    writer.beginObject()
    writer.member("event", "diff" as String?)
    writer.key("palette")
    writer.id(palette.record)
    writer.array("deletions", deletions) { writer, deletion in
      writer.member("index", deletion.index)
      writer.member("id", deletion.id.description)
    }
    writer.array("insertions", insertions) { writer, insertion in
      writer.member("index", insertion.index)
      writer.entry("color", insertion)
    }
    writer.array("moves", moves) { writer, move in
      writer.member("from", move.from)
      writer.member("to", move.to)
      writer.member("id", move.color.color.id.description)
      if let seen = move.color.seen { writer.member("seen", seen) }
    }
    writer.array("updates", updates) { writer, update in
      writer.member("index", update.now.index)
      writer.entry("color", update.now)
      writer.entry("was", update.was)
    }
    writer.member("node", author?.dot.node.description)
    writer.member("author", author?.name)
    if let visitor = author?.visitor { writer.member("visitor", visitor) }
    writer.member("stamp", author?.stamp.description)
    writer.endObject()
    return writer.bytes
  }
}

/// The author of the newest of a diff's changes, and its time.
package struct ChangeAuthor {
  let stamp: Stamp
  package let dot: Dot
  /// The name of the author; nil if it is not known.
  package var name: String?
  /// The name of the view of the palette through which the change was made; nil if there is none.
  var visitor: String?

  package init(_ dot: Dot, at stamp: Stamp) {
    self.stamp = stamp
    self.dot = dot
  }

  /// Returns whether the other one is newer.
  static func < (left: Self, right: Self) -> Bool {
    (left.stamp, left.dot) < (right.stamp, right.dot)
  }
}

extension ListedColor {
  /// Returns whether both show the same, places aside.
  ///
  /// Who edits says what was seen, so a color that merely has other live values is told again; where
  /// it has moved, the move says which.
  func showsSame(as other: ListedColor, isMoved: Bool) -> Bool {
    (isMoved || seen == other.seen) && conflicts == other.conflicts
      && color.hasSameContent(as: other.color)
  }
}

extension JSONWriter {
  /// Writes a key with a list of objects.
  fileprivate mutating func array<Element>(
    _ key: String,
    _ elements: [Element],
    _ members: (inout JSONWriter, Element) -> Void
  ) {
    self.key(key)
    beginArray()
    for element in elements {
      beginObject()
      members(&self, element)
      endObject()
    }
    endArray()
  }

  fileprivate mutating func entry(_ key: String, _ entry: ListChange.Entry) {
    self.key(key)
    record(
      entry.color.color,
      index: entry.index,
      conflicts: entry.color.conflicts.map(\.description),
      seen: entry.color.seen
    )
  }
}
