import PaletteMerge
import PaletteModel

/// The stamp that all changes carry which a transaction makes in a palette.
///
/// Any node groups an author's changes into actions by it, so no two actions of an author in a palette have
/// the same one, whatever its clock does.
final class ActionStamp {
  /// The stamp; nil until the first change is made.
  private(set) var known: Stamp?

  /// Goes on with an action that an earlier transaction began.
  func resume(_ stamp: Stamp?) {
    if let stamp { known = stamp }
  }

  /// The stamp of the next change.
  ///
  /// - Parameters:
  ///   - stream: The author's changes so far.
  ///   - now: The clock, in milliseconds since 1970.
  ///   - used: Gives the stamps of the author's changes that were made in that millisecond.
  /// - Returns: The stamp.
  /// - Throws: What `used` throws.
  func next(
    after stream: StreamRow?,
    atMilliseconds now: Int64,
    used: (StreamRow) throws(StoreError) -> Set<Stamp>
  ) throws(StoreError) -> Stamp {
    if let known { return known }
    var stamp = Stamp(milliseconds: now)
    if let stream, stream.peak >= stamp.rawValue {
      let peak = Stamp(rawValue: stream.peak)
      if peak.milliseconds == stamp.milliseconds {
        // A counter that is full spills into the milliseconds.
        stamp = peak.next
      } else {
        // The clock went back. Rows of that time may have been compacted away: another start for each
        // sequence number keeps clear of theirs.
        let counter = 0x8000 | UInt16(truncatingIfNeeded: stream.held) & 0x7FFF
        stamp = Stamp(milliseconds: stamp.milliseconds, counter: counter)
        let used = try used(stream)
        while used.contains(stamp) { stamp = stamp.next }
      }
    }
    known = stamp
    return stamp
  }
}

extension Stamp {
  /// The next greater stamp.
  var next: Stamp { Stamp(rawValue: rawValue &+ 1) }
}
