public import PaletteModel

/// Which of this library's own changes of a palette are to be issued again under new dots.
public struct Reissue: Hashable, Sendable {
  /// For each of this library's node ids, the last change that stays.
  public var cuts: [NodeID: Cut]
  /// What is added to the stamps of the changes that it brings closer to the present.
  public var shift: StampShift?

  /// Where the changes of one node id are cut.
  public struct Cut: Hashable, Sendable {
    /// The last number that stays; 0 for none.
    public var sequence: UInt32
    /// The link of that change, where it is known; for one that was compacted away here.
    public var link: UInt64?

    /// Describes a cut.
    public init(after sequence: UInt32, link: UInt64? = nil) {
      self.sequence = sequence
      self.link = link
    }
  }

  /// Creates a reissue of what comes after some changes.
  public init(cuts: [NodeID: Cut], shift: StampShift? = nil) {
    self.cuts = cuts
    self.shift = shift
  }
}

/// How stamps of a clock that was wrong are put right.
public struct StampShift: Hashable, Sendable {
  /// What is added to a stamp.
  public let milliseconds: Int64
  /// The time that it is now, by the clock that is put right.
  public let nowMilliseconds: Int64

  /// Describes a shift.
  public init(milliseconds: Int64, nowMilliseconds: Int64) {
    self.milliseconds = milliseconds
    self.nowMilliseconds = nowMilliseconds
  }

  /// The stamp, moved unless that would take it further from the present.
  ///
  /// A clock that jumped stamped only some of the changes wrong.
  func applied(to stamp: Stamp) -> Stamp {
    let moved = stamp.milliseconds + milliseconds
    guard abs(moved - nowMilliseconds) < abs(stamp.milliseconds - nowMilliseconds) else {
      return stamp
    }
    return Stamp(milliseconds: moved, counter: UInt16(truncatingIfNeeded: stamp.rawValue))
  }
}
