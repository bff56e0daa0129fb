package import PaletteMerge
package import PaletteModel
package import PaletteStore

/// The part of a running node that commands about peers use.
package protocol Sharing: AnyObject {
  /// The URLs for a join code.
  var joinAddresses: [String] { get }
  /// The hash of the node's own TLS key; empty where there is none.
  var keyPin: [UInt8] { get }
  /// The number of changes that have come from peers since the node began.
  var receivedChanges: Int { get }
  /// The damage in the library over which a peer could not be served, if any.
  var damage: StoreError? { get }

  /// The state of each joined peer.
  func peerStates(of palette: PaletteID?) throws -> [PeerState]
  /// How these members stand.
  func presences(of members: [Member]) throws -> [Int64: MemberPresence]
  /// The changes that members say they hold, that are missing here, and that they may not send.
  func missingChanges() throws -> [MissingChanges]
  /// Connects to a peer, and keeps connected.
  ///
  /// - Returns: How the peer is called from now on.
  func join(_ ticket: JoinTicket) throws -> String
  /// Forgets a peer, or what it granted for one palette.
  func leave(url: String, palette: PaletteID?) throws
  /// Ends the sessions of those whose rights have ended.
  func rightsChanged() throws
  /// Makes a link that opens the web page, once; nil where none is served.
  func makePageLink() -> String?
  /// Connects to every peer at once.
  func syncNow() throws
}

/// The part of a running node that commands about linked files use.
package protocol Linking: AnyObject {
  /// Keeps a file and its palette together from now on.
  func begin(_ link: StoredLink) throws(APIError)
  /// Leaves a file alone from now on.
  func end(_ file: String)
  /// The state of a link; nil if there is none.
  func standing(of file: String) -> LinkStanding?
  /// The file that a path leads to, there or not, without symbolic links.
  func target(of file: String) -> String
  /// The linked file that a path leads to, by whatever name it was linked.
  func linkedFile(sameAs file: String) -> String?
}

/// The state of a link while a node follows it.
package struct LinkStanding {
  let state: StoredLink.State
  let error: String?
  let notes: [String]
  let isSettled: Bool

  /// Creates a state.
  ///
  /// - Parameters:
  ///   - state: Whether file and palette follow each other.
  ///   - error: Why they do not.
  ///   - notes: What the file does not say of the palette, or not exactly.
  ///   - isSettled: Whether both sides were looked at.
  package init(state: StoredLink.State, error: String?, notes: [String], isSettled: Bool) {
    self.state = state
    self.error = error
    self.notes = notes
    self.isSettled = isSettled
  }
}
