internal import WebSocket

/// The beat of the rooms in which something may be due; while there is none, there is no timer.
final class Heartbeat {
  private unowned let loop: EventLoop
  private let room: (RoomKey) -> Room?
  /// The libraries in whose rooms something may be due.
  private var awake: Set<RoomKey> = []
  private var isBeating = false
  private var beats = 0

  /// The time from one beat to the next, and the number of them in a second.
  private static let (interval, perSecond) = (Duration.milliseconds(250), 4)

  /// Creates a heart that does not beat yet.
  ///
  /// - Parameters:
  ///   - loop: The loop.
  ///   - room: Gives the room of a library; nil where it is closed.
  init(_ loop: EventLoop, room: @escaping (RoomKey) -> Room?) {
    self.loop = loop
    self.room = room
  }

  /// Looks after a room from now on, as long as anything may be due there.
  func wake(_ key: RoomKey) {
    guard awake.insert(key).inserted else { return }
    room(key)?.beat(isSecond: true)
    guard !isBeating else { return }
    isBeating = true
    schedule()
  }

  private func schedule() {
    loop.schedule(after: Self.interval) { [weak self] in
      guard let self else { return }
      beats += 1
      for key in awake {
        let room = room(key)
        room?.beat(isSecond: beats.isMultiple(of: Self.perSecond))
        if room?.needsBeat != true { awake.remove(key) }
      }
      isBeating = !awake.isEmpty
      if isBeating { schedule() }
    }
  }
}
