package import PaletteMerge
package import PaletteModel
package import PaletteStore

/// What a running node does about peers, for the verbs that ask for it.
package protocol Sharing: AnyObject {
  /// The URLs for a join code.
  var joinAddresses: [String] { get }
  /// The hash of the node's own TLS key; empty where there is none.
  var keyPin: [UInt8] { get }
  /// How many changes have come from peers since the node began.
  var receivedChanges: Int { get }
  /// What is damaged in the library, where a peer could not be served over it.
  var damage: StoreError? { get }

  /// Where each joined peer stands.
  func peerStates(of palette: PaletteID?) throws -> [PeerState]
  /// How these members stand.
  func presences(of members: [Member]) throws -> [Int64: MemberPresence]
  /// What members say to hold that is missing here and that they may not give.
  func missingChanges() throws -> [MissingChanges]
  /// Connects to a peer, and keeps connected.
  ///
  /// - Returns: How the peer is called from now on.
  func join(_ invitation: JoinTicket) throws -> String
  /// Forgets a peer, or what it granted for one palette.
  func leave(url: String, palette: PaletteID?) throws
  /// Ends the sessions of those whose rights have ended.
  func rightsChanged() throws
  /// Makes a link that opens the web page, once; nil where none is served.
  func makePageLink() -> String?
  /// Connects to every peer at once.
  func syncNow() throws
}

/// What a running node does about linked files, for the commands that ask for it.
package protocol Linking: AnyObject {
  /// Keeps a file and its palette together from now on.
  func begin(_ link: StoredLink) throws(APIError)
  /// Leaves a file alone from now on.
  func end(_ file: String)
  /// How a link stands, and whether both sides were looked at; nil where there is none.
  func standing(of file: String) -> (state: StoredLink.State, error: String?, isSettled: Bool)?
  /// The file that a path leads to, there or not, without symbolic links.
  func target(of file: String) -> String
  /// The linked file that a path leads to, by whatever name it was linked.
  func linkedFile(sameAs file: String) -> String?
}
