import PaletteMerge
import PaletteModel

/// One author in one palette.
struct StreamRow {
  let number: Int64
  let node: NodeID
  var held: UInt32 = 0
  var link: UInt64 = 0
  var wrote: UInt32 = 0
  var dropped: UInt32 = 0
  var floor: UInt32 = 0
  /// No change held here has a greater stamp.
  private(set) var peak: UInt64 = 0
  /// From this sequence number on every stamp is at least that of all changes before it; 0 for
  /// none, since the author's clock went back.
  private(set) var sortedFrom: UInt32 = 0

  init(number: Int64, node: NodeID) {
    self.number = number
    self.node = node
  }

  /// Reads the columns in the order of `Query.streams`.
  init(_ statement: borrowing Statement) {
    number = statement.int64(0)
    node = NodeID(UInt64(bitPattern: statement.int64(1)))
    held = UInt32(truncatingIfNeeded: statement.int64(2))
    link = UInt64(bitPattern: statement.int64(3))
    wrote = UInt32(truncatingIfNeeded: statement.int64(4))
    dropped = UInt32(truncatingIfNeeded: statement.int64(5))
    floor = UInt32(truncatingIfNeeded: statement.int64(6))
    peak = UInt64(bitPattern: statement.int64(7))
    sortedFrom = UInt32(truncatingIfNeeded: statement.int64(8))
  }

  /// The frontier's entry; nil while no change of the author is held.
  var head: StreamHead? { held == 0 ? nil : StreamHead(sequence: held, link: link) }

  /// Counts the stamp of the change that is held from now on, behind all others of the author.
  mutating func append(_ stamp: Stamp, at sequence: UInt32) {
    if stamp.rawValue < peak {
      sortedFrom = 0
    } else {
      if sortedFrom == 0 { sortedFrom = sequence }
      peak = stamp.rawValue
    }
  }

  /// Counts the stamp of a change that came somewhere among the others.
  mutating func insert(_ stamp: Stamp) {
    peak = max(peak, stamp.rawValue)
    sortedFrom = 0
  }

  /// Forgets the order of changes that are no longer held.
  mutating func cut(to sequence: UInt32) {
    if sortedFrom > sequence { sortedFrom = 0 }
  }

  /// A change's `id`.
  func changeNumber(_ sequence: UInt32) -> Int64 { number << 32 | Int64(sequence) }
}
