import PaletteMerge
import PaletteModel
import PaletteStore
import PaletteTestSupport
import Testing

@testable import PalettePeers
@testable import PaletteSync

/// The table of connections alone.
struct PeerConnectionsTests {
  private func connection(dialed url: String? = nil) -> PeerConnection {
    PeerConnection(
      session: SyncSession(.acceptor, node: NodeID(1), library: RecordID(high: 0, low: 1)),
      url: url,
      address: url,
      endpoint: "",
      openedMilliseconds: 0,
      greetedIdentities: 1
    )
  }

  @Test func connectionsAreInOrderUntilTheyEnd() {
    let table = PeerConnections()
    for number in [3, 1, 2] as [UInt64] {
      table.add(PeerConnectionID(rawValue: number), connection())
    }
    #expect(table.ids.map(\.rawValue) == [1, 2, 3])
    #expect(table.all.map(\.id) == table.ids)
    #expect(table.remove(PeerConnectionID(rawValue: 2)) != nil)
    #expect(table.remove(PeerConnectionID(rawValue: 2)) == nil)
    #expect(table.count == 2 && table[PeerConnectionID(rawValue: 2)] == nil)
  }

  @Test func nobodyIsCountedOrPingedBeforeTheGreeting() {
    let table = PeerConnections()
    table.add(PeerConnectionID(rawValue: 1), connection())
    #expect(table.greetedCount == 0 && table.ofLibrary.isEmpty)
    #expect(table.removeDuePings(at: 100_000).isEmpty)
  }

  @Test func unfinishedSnapshotsAreCountedOverAllConnections() throws {
    let library = try TemporaryLibrary()
    let store = try ChangeStore(writing: library.folder, random: SeededRandom(seed: 1))
    let members = try ([7, 8] as [UInt8]).map { number in
      let secret = [UInt8](repeating: number, count: 32)
      return try store.members.makeMember(.script, secret: secret, grant: Grant(.owner)).member
    }
    let table = PeerConnections()
    table.snapshotLimit = 1_000
    func handle(_ event: SyncEvent, _ number: UInt64) throws -> [SyncAction] {
      let id = PeerConnectionID(rawValue: number)
      let library = StoreLibrary(store: store)
      return try table.handle(event, on: id, library: library, milliseconds: 0) ?? []
    }
    func open(_ number: UInt64, _ member: Member) throws {
      table.add(PeerConnectionID(rawValue: number), connection())
      _ = table.admit(PeerConnectionID(rawValue: number), as: member)
      _ = try handle(.opened, number)
      let id = RecordID(high: 9, low: number)
      let hello = Hello(node: NodeID(number), library: id, milliseconds: 0)
      _ = try handle(.received(Frame.hello(hello).encoded), number)
      let admittance = GrantedAccess(grants: [Grant(.owner)], nodes: [NodeID(number)])
      _ = try handle(.accepted(admittance), number)
      #expect(table[PeerConnectionID(rawValue: number)]?.session.isEstablished == true)
    }
    func isCutOff(_ number: UInt64) throws -> Bool {
      let palette = PaletteID(RecordID(high: 5, low: number))
      let part = [UInt8](repeating: 1, count: 600)
      let frame = Frame.snapshot(palette, index: 0, isLast: false, part).encoded
      return try handle(.received(frame), number).contains {
        if case .close = $0 { true } else { false }
      }
    }
    for number in [11, 12, 13] as [UInt64] { try open(number, members[0]) }
    try open(21, members[1])
    #expect(try !isCutOff(11) && isCutOff(12) && !isCutOff(21))
    // What ends makes room.
    _ = table.remove(PeerConnectionID(rawValue: 11))
    #expect(try !isCutOff(13))
    // One that begins anew takes the place of what had come of it.
    #expect(try !isCutOff(13))
  }

  @Test func onlySoManyRefusalsOfAConnectionAreLogged() {
    let connection = connection()
    let lines = (0..<20).compactMap { connection.logLine(ofRefusal: "refused \($0)") }
    #expect(lines.count == 10)
    #expect(lines.last == "refused 9; further ones are not logged")
  }

  @Test func theTitleIsThePeersURL() {
    #expect(connection().title == "a peer")
    #expect(connection(dialed: "https://hub").title == "https://hub")
  }
}
