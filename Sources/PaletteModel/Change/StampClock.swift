/// Turns readings of a node's clock into stamps.
///
/// It follows the clock wherever that goes, back too, and never a received stamp. Within one reading
/// the counter keeps the order of the node's own changes.
public struct StampClock: Sendable {
  private var reading: Int64?
  private var issued: UInt64 = 0

  /// Creates a clock that has issued nothing.
  public init() {}

  /// The stamp of the next change, made when the clock shows `milliseconds` since 1970.
  public mutating func next(milliseconds: Int64) -> Stamp {
    issued = milliseconds == reading ? issued &+ 1 : 0
    reading = milliseconds
    // A counter that is full spills into the milliseconds: one reading may stamp a whole import.
    return Stamp(
      milliseconds: milliseconds &+ Int64(issued >> 16),
      counter: UInt16(truncatingIfNeeded: issued)
    )
  }
}
