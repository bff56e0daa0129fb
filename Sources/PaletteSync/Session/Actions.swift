import PaletteModel

/// The actions of a session, collected while it handles one event.
struct Actions {
  private(set) var list: [SyncAction] = []
  /// True if the connection ends with this event.
  private(set) var isClosed = false

  mutating func append(_ action: SyncAction) { list.append(action) }

  mutating func send(_ frame: Frame) { list.append(.send(frame.encoded)) }

  mutating func close(_ code: SyncProtocol.CloseCode, _ reason: String) {
    isClosed = true
    list.append(.close(code, reason: reason))
  }

  /// Ends a session whose peer broke the protocol.
  mutating func fail(_ reason: String) { close(.protocolError, reason) }

  /// Says why the session ends, and ends it.
  mutating func refuse(_ code: SyncProtocol.CloseCode, _ word: String, _ reason: String) {
    send(.refuse(code: word, reason: reason))
    close(code, reason)
  }

  /// Refuses a change for good, and what follows it.
  mutating func refuse(_ dot: Dot, in palette: PaletteID, _ code: Nack, _ reason: String) {
    send(.nack(palette, dot, code: code.rawValue, reason: reason))
    append(.refusedHere(palette, dot, code: code.rawValue))
  }

  /// Refuses a change that the peer may not push.
  mutating func refuseUnallowed(_ dot: Dot, in palette: PaletteID) {
    refuse(dot, in: palette, .notAllowed, "the grant does not let the change through")
  }

  /// States what is held of some authors of palettes, many in a frame where the peer reads that.
  mutating func acknowledge(_ acks: [Frame.Held], _ terms: Terms) {
    guard terms.packsPalettes, acks.count > 1 else {
      for ack in acks {
        for (part, _) in ack.frontier.parts { send(.ack(ack.palette, part)) }
      }
      return
    }
    var frame: [Frame.Held] = []
    var size = 0
    for ack in acks {
      for (part, _) in ack.frontier.parts {
        if size + 1 + part.count > SyncProtocol.frontierEntries, !frame.isEmpty {
          send(.acks(frame))
          (frame, size) = ([], 0)
        }
        frame.append(Frame.Held(palette: ack.palette, frontier: part))
        size += 1 + part.count
      }
    }
    send(.acks(frame))
  }
}
