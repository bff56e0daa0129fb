internal import PaletteModel
internal import PaletteStore
internal import PaletteSync

/// What the core knows of one connection.
///
/// A reference, so that a session takes an event where it lies instead of being moved out and back.
final class PeerLink {
  var session: SyncSession
  /// The peer that was dialed; nil when the peer connected.
  let url: String?
  /// The address at which it was reached.
  let address: String?
  /// The member as which the peer came in.
  var member: Member?
  /// The changes of members' rights that it was let in after.
  var memberChanges = 0
  /// How many node ids the member was bound to after it was let in.
  var laterBindings = 0
  var peer: SyncPeer?
  /// How many refusals of its changes, or by it, were logged.
  var refusals = 0
  /// When it was opened.
  let openedMilliseconds: Int64
  /// How many ids this library had then; those that it took since are not in the greeting.
  let greetedIdentities: Int
  var trust: Trust { session.trust }
  /// What the peer holds of each palette, where our role there lets less than everything through.
  var stated: [PaletteID: Frontier] = [:]

  init(
    session: SyncSession,
    url: String?,
    address: String?,
    openedMilliseconds: Int64,
    greetedIdentities: Int
  ) {
    self.session = session
    self.url = url
    self.address = address
    self.openedMilliseconds = openedMilliseconds
    self.greetedIdentities = greetedIdentities
  }
}

/// What the core knows of one peer that this library joined.
package struct PeerDialer {
  /// Where the connection stands.
  package enum State: String {
    case live, connecting, refused, offline
  }

  package internal(set) var state = State.offline
  package var link: LinkID?
  /// The attempts to reach it that are under way.
  var race: DialRace?
  package var attempts = 0
  var nextAttemptMilliseconds: Int64 = 0
  /// How long the peer asked to be left alone when it ended.
  var retryMilliseconds: Int64 = 0
  /// When the first of them began that led to the connection.
  var begunMilliseconds: Int64 = 0
  package internal(set) var error: String?
  package var roundTripMilliseconds: Int64?
  package var clockOffsetMilliseconds: Int64?
  package internal(set) var isCaughtUp = false

  package init() {}
}
