/// A connection between two machines: end 0 dialed, end 1 accepted.
///
/// Frames arrive whole and in order, or the connection breaks, as over TCP; while a distortion is on,
/// worse.
final class Wire {
  /// Something on its way to an end.
  struct Item {
    let ready: Int64
    /// The frame; nil when the other end has closed.
    let frame: [UInt8]?
    var code: UInt16 = 1000
    var reason = ""
  }

  let number: UInt64
  let machines: [Int]
  /// Names the connection for choices: the pair, and the how-manieth between the two.
  let key: UInt64
  var isOpen = [true, true]
  var inboxes: [[Item]] = [[], []]
  /// The bytes on their way to each end.
  var queuedBytes = [0, 0]
  /// The number of frames that were sent to each end.
  var frameCounts: [UInt64] = [0, 0]
  /// True if each end was told to pause sending.
  var isCongested = [false, false]
  /// The time at which each end next reads, while it is slow.
  var nextRead: [Int64] = [0, 0]
  /// Nothing passes any more, though an end may not know it yet.
  var isBroken = false
  /// A frame was lost, doubled, moved or cut, as TCP never would.
  var isHarmed = false
  /// The versions that both ends spoke when the dialer said hello.
  var versions: [UInt64] = [1]
  /// Nothing arrives before this time.
  var stalledUntil: Int64 = 0

  init(_ number: UInt64, _ machines: [Int], key: UInt64) {
    self.number = number
    self.machines = machines
    self.key = key
  }
}
