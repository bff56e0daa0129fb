package import PaletteMerge
package import PaletteModel
package import PaletteStore
package import PaletteSync

/// One connection of a node, as long as it lasts.
package struct PeerConnectionID: Hashable {
  package let rawValue: UInt64

  package init(rawValue: UInt64) {
    self.rawValue = rawValue
  }
}

/// An event for a node's core.
package enum NodeEvent {
  /// A peer connected; the address and port at which it was accepted, as the system has them.
  case accepted(PeerConnectionID, endpoint: String = "")
  /// A connection that `dial` asked for is open; the address and port that were reached.
  case dialed(PeerConnectionID, url: String, address: String, endpoint: String = "")
  /// A connection that `dial` asked for could not be made.
  case dialFailed(url: String, address: String, error: PeerError)
  /// A frame arrived.
  case received(PeerConnectionID, [UInt8])
  /// A connection has ended.
  case closed(PeerConnectionID, code: UInt16, reason: String)
  /// More waits to be sent than a connection may hold.
  case congested(PeerConnectionID)
  /// A connection takes more.
  case drained(PeerConnectionID)
  /// Something may have been committed, and some time has passed.
  case tick
  /// A hub was joined, or joined for one palette more.
  case joined(JoinTicket)
  /// A peer is to be forgotten, or what it granted for one palette.
  case left(url: String, palette: PaletteID?)
  /// Rights of members may have changed.
  case rightsChanged
  /// Whether there is room on the disk for what others write.
  case room(Bool)
  /// Connect to every peer at once.
  case syncNow
  /// This machine has other addresses or routes than before.
  case networkChanged
  /// The node ends.
  case draining
}

/// The kind of a log line: a stable word that programs look for.
package enum LogEvent: String, CaseIterable, Sendable {
  // The node and its library.
  case start, stop, certificate, storage, room, clock, identity
  // Who is let in, by whom, and who is not.
  case share, token, revoke, redeem, session, link, quota, refuse
  // Peers that this library joined, and what is exchanged with them.
  case join, leave, peer
  // Linked files.
  case file
  // Connections, at the level debug.
  case connect, disconnect
  /// A message of libwebsockets.
  case network
  /// Libraries that a hub of a fleet takes, opens and lets go.
  case fleet
  /// A database of a fleet that does not answer, and does again.
  case database
  /// The database has lost what a hub has: its file was put aside.
  case lostTail = "lost-tail"
}

/// An effect that a node's core wants, in order.
package enum NodeEffect: Equatable {
  /// Send a frame.
  case send(PeerConnectionID, [UInt8])
  /// Send frames that go to other connections as well.
  case sendShared(PeerConnectionID, SharedFrames)
  /// Close a connection when all is sent.
  case close(PeerConnectionID, code: UInt16, reason: String)
  /// Connect to a peer at one of its addresses, and give up after some time.
  ///
  /// Attempts at several addresses of one peer may be under way together.
  case dial(url: String, address: String, pin: [UInt8], timeoutMilliseconds: Int64)
  /// Give up all attempts to reach a peer; nothing is to be told of them any more.
  case cancelDials(url: String)
  /// Ask a connection at once whether it is still there.
  case doubt(PeerConnectionID)
  /// A connection is past its greeting.
  case greeted(PeerConnectionID)
  /// A connection is a member's, who may be let in or not: lines about it say so until it is closed.
  case named(PeerConnectionID, Member)
  /// Write a line to the log; where it is about a connection, with where that came from.
  case log(LogEvent = .peer, isProblem: Bool, String, about: PeerConnectionID? = nil)
  /// The state of peers, as `status` shows it, changed.
  case peersChanged
}
