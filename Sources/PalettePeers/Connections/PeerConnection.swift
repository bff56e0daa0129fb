internal import PaletteMerge
internal import PaletteModel
internal import PaletteStore
internal import PaletteSync

/// The core's knowledge of one connection.
///
/// A reference, so that a session takes an event where it lies instead of being moved out and back.
final class PeerConnection {
  private(set) var session: SyncSession
  /// The peer that was dialed; nil when the peer connected.
  let url: String?
  /// The address at which it was reached.
  let address: String?
  /// The acceptor's address and port, as the system has them.
  let endpoint: String
  /// The member as which the peer came in.
  private(set) var member: Member?
  /// The changes of members' rights that its grants were last compared with.
  private(set) var rightsChanges = 0
  /// The number of more node ids the member may be bound to; one that took more than these comes
  /// again.
  private(set) var bindingsLeft = BindingTable.unusedBindings
  private(set) var peer: SyncPeer?
  /// The number of refusals of its changes, or by it, were logged.
  private var refusals = 0
  /// The time at which it was opened.
  let openedMilliseconds: Int64
  /// The number of ids this library had then; those that it took since are not in the greeting.
  let greetedIdentities: Int
  /// The changes that the peer holds of each palette where our role there does not let everything
  /// through; none of a palette of which it was found to hold all, until it may lack a change.
  private(set) var stated: [PaletteID: Frontier] = [:]

  private static let loggedRefusals = 10

  init(
    session: SyncSession,
    url: String?,
    address: String?,
    endpoint: String,
    openedMilliseconds: Int64,
    greetedIdentities: Int
  ) {
    self.session = session
    self.url = url
    self.address = address
    self.endpoint = endpoint
    self.openedMilliseconds = openedMilliseconds
    self.greetedIdentities = greetedIdentities
  }

  var trust: Trust { session.trust }

  /// Whoever is at the other end, over all its connections; nil before the greeting is over.
  var payer: Payer? { url.map { .peer($0) } ?? member.map { .member($0.id) } }

  /// Whoever pays for merging what the peer sends: nobody for machines of the same people, which carry what
  /// everybody made.
  var mergePayer: Payer? { trust.isOfSamePeople ? .owner : payer }

  /// The name in the log of the peer at the other end.
  var title: String {
    member?.title ?? url ?? "a peer"
  }

  /// The library to which the peer's node ids are bound: what a member says of itself is a claim.
  var library: RecordID? { member?.library ?? peer?.library }

  /// Limits the bytes of unfinished snapshots that the session keeps.
  func limitSnapshots(_ bytes: Int) { session.snapshotLimit = bytes }

  /// Hands an event to the session.
  func handle(
    _ event: SyncEvent,
    library: StoreLibrary,
    milliseconds: UInt64
  ) throws(StoreError) -> [SyncAction] {
    try session.handle(event, library: library, milliseconds: milliseconds)
  }

  /// The peer came in as a member.
  func admit(_ member: Member) { self.member = member }

  /// The peer's grants are those that hold after so many changes of rights.
  func hasRights(afterChanges changes: Int) { rightsChanges = changes }

  /// The peer is past its greeting.
  func greet(by peer: SyncPeer) { self.peer = peer }

  /// The member was bound to more node ids.
  func bound(_ count: Int) { bindingsLeft -= count }

  /// The log line of a refusal; nil if so many were logged that more would only fill the log.
  func logLine(ofRefusal text: String) -> String? {
    guard refusals < Self.loggedRefusals else { return nil }
    refusals += 1
    return text + (refusals == Self.loggedRefusals ? "; further ones are not logged" : "")
  }

  // MARK: What the peer holds

  /// Returns whether it has to be known what the peer holds, because not all of it may be pushed
  /// there.
  private func keepsStated(_ palette: PaletteID) -> Bool {
    url != nil && peer != nil && !trust.letsOutState(of: palette)
  }

  /// Keeps how much the peer says to hold.
  func keep(_ frontier: Frontier, _ palette: PaletteID, isWhole: Bool) {
    guard keepsStated(palette) else { return }
    if isWhole {
      stated[palette] = frontier
    } else {
      stated[palette]?.merge(frontier) { _, new in new }
    }
  }

  /// Keeps how much the peer holds before it hears of new changes, all that are told together, where it
  /// was found to hold all.
  func keep(
    heldBefore dots: some Sequence<Dot>,
    _ palette: PaletteID,
    of frontier: () throws -> Frontier
  ) rethrows {
    guard url != nil, stated[palette] == nil, keepsStated(palette) else { return }
    stated[palette] = try frontier().before(dots)
  }

  /// Records the changes that the peer said it holds.
  func keep(received dots: some Sequence<Dot>, _ palette: PaletteID) {
    guard keepsStated(palette), let place = stated.index(forKey: palette) else { return }
    for dot in dots where dot.sequence > stated.values[place][dot.node]?.sequence ?? 0 {
      // Only numbers are compared here.
      stated.values[place][dot.node] = StreamHead(sequence: dot.sequence, link: 0)
    }
  }
}

extension Member {
  /// The member's uid and name as the log has them.
  var title: String { "member \(uid)" + (name.isEmpty ? "" : " (\(SafeText.words(name)))") }
}
