internal import PaletteCommands
internal import PaletteMerge
internal import PaletteModel
internal import PaletteStore

/// A library that a command of a fleet has open, as verbs see it.
final class VisitedLibrary: LibraryAccess {
  let location: LibraryLocation
  let sharing: (any Sharing)?
  private let store: ChangeStore

  /// Names the library.
  ///
  /// - Parameters:
  ///   - store: The library.
  ///   - address: The URL under which the fleet serves it.
  init(_ store: ChangeStore, at address: String) {
    self.store = store
    location = LibraryLocation(home: store.folder.path, configurationFile: "/dev/null")
    sharing = FleetSharing(address)
  }

  var linking: (any Linking)? { nil }
  var listening: [String]? { nil }
  var ownName: String { "the fleet" }
  var now: Moment { Moment(milliseconds: systemMilliseconds()) }

  func reading() throws -> ChangeStore? { store }
  func editing() throws -> ChangeStore? { store }
  func creating() throws -> ChangeStore { store }
}

/// The sharing of a library that a fleet serves, where no hub has it open.
private final class FleetSharing: Sharing {
  let joinAddresses: [String]
  /// A fleet is reached through a name for which a certificate authority vouches.
  let keyPin: [UInt8] = []
  let receivedChanges = 0
  let damage: StoreError? = nil

  init(_ address: String) {
    joinAddresses = [address]
  }

  func peerStates(of palette: PaletteID?) throws -> [PeerState] { [] }
  func presences(of members: [Member]) throws -> [Int64: MemberPresence] { [:] }
  func missingChanges() throws -> [MissingChanges] { [] }
  func join(_ ticket: JoinTicket) throws -> String { throw Self.nobody }
  func leave(url: String, palette: PaletteID?) throws { throw Self.nobody }
  func rightsChanged() throws {}
  func makePageLink() -> String? { nil }
  func syncNow() throws {}

  private static let nobody = APIError(
    code: "unreachable",
    message: "a library of a fleet joins nobody"
  )
}
