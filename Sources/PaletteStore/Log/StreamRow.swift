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
  }

  /// The frontier's entry; nil while no change of the author is held.
  var head: StreamHead? { held == 0 ? nil : StreamHead(sequence: held, link: link) }

  /// A change's `id`.
  func changeNumber(_ sequence: UInt32) -> Int64 { number << 32 | Int64(sequence) }
}
