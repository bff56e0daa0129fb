import PaletteMerge
import PaletteModel
import PaletteTestSupport
import Testing

@testable import PaletteStore

/// The parts of a store, each with nothing but an open database beside it.
struct StorePartsTests {
  private let database: StoreDatabase
  private let clock: StoreClock
  private let edits: EditLog
  private let transactions: Transactions
  private let random = StoreRandom(SeededRandom(seed: 1))

  init() throws {
    let connection = try DatabaseConnection(path: "", mode: .memory)
    for migration in LibrarySchema.current.migrations { try migration.apply(connection) }
    database = StoreDatabase(connection)
    clock = StoreClock { 1_000 }
    edits = EditLog(database, clock)
    transactions = Transactions(database, edits, isWritable: true)
  }

  private struct Given: Error {}

  @Test func aRevokedMemberHasNoRightsAndAnotherVersion() throws {
    let members = MemberTable(database, transactions, clock, random)
    let made = try members.makeMember(.script, secret: [1], grant: Grant(.editor))
    let (version, count) = (members.version(of: made.member.id), members.changeCount)
    #expect(try members.liveGrants(of: made.member.id) == [Grant(.editor)])
    #expect(try members.revokeGrant(made.grant))
    #expect(try members.liveGrants(of: made.member.id).isEmpty)
    #expect(members.version(of: made.member.id) != version)
    #expect(members.changeCount > count)
  }

  @Test func itIsKnownWhoRevoked() throws {
    let members = MemberTable(database, transactions, clock, random)
    let owner = try members.makeMember(.page, secret: [1], grant: Grant(.owner))
    let guest = try members.makeMember(
      .page,
      secret: [2],
      grant: Grant(.editor),
      maker: owner.member.id
    )
    let other = try members.makeMember(.script, secret: [3], grant: Grant(.viewer))
    #expect(try members.revoker(ofSecret: [2]) == nil)
    #expect(try members.revokeGrant(other.grant, by: AuthorID(owner.member)))
    #expect(try members.revoker(ofSecret: [3]) == AuthorID(owner.member))
    // What ends with another grant was taken back by the same author, and a second word changes nothing.
    #expect(try members.revokeGrant(owner.grant))
    #expect(try members.revoker(ofSecret: [2]) == .library)
    #expect(try !members.revokeGrant(guest.grant, by: AuthorID(owner.member)))
    #expect(try members.revoker(ofSecret: [2]) == .library)
    #expect(try members.revoker(ofSecret: [9]) == nil)
  }

  @Test func aTransactionThatThrowsLeavesNothing() throws {
    let links = LinkTable(database, transactions)
    let link = StoredLink(
      file: "/a.gpl",
      palette: PaletteID(RecordID(high: 1, low: 1)),
      format: "gpl"
    )
    #expect(throws: StoreError.self) {
      try transactions.write { () throws(StoreError) in
        try links.insert(link)
        throw StoreError(code: .failed, message: "given up")
      }
    }
    #expect(try links.all() == [])
    #expect(transactions.commitCount == 0)
    try links.save(link)
    #expect(try links.all() == [link])
    #expect(transactions.commitCount == 1)
  }

  @Test func aNamedEditIsRecordedWithWhatItWrites() throws {
    let links = LinkTable(database, transactions)
    let id = RecordID(high: 7, low: 7)
    try edits.naming(id, by: .library) { _ = try links.remove("/missing.gpl") }
    #expect(try edits.answer(to: id, by: .library) == [])
    #expect(try edits.answer(to: RecordID(high: 7, low: 8), by: .library) == nil)
  }

  @Test func anEditThatFailsIsForgotten() throws {
    let id = RecordID(high: 7, low: 7)
    #expect(throws: Given.self) { try edits.naming(id, by: .library) { throw Given() } }
    try transactions.write { () throws(StoreError) in }
    #expect(try edits.answer(to: id, by: .library) == nil)
  }

  @Test func aNewNodeIDHasOtherPlaces() throws {
    let places = PlaceSource(database, random)
    let identity = LibraryIdentity(database, places, random)
    try transactions.write { () throws(StoreError) in try identity.adoptNode() }
    let (node, before) = (identity.ids.node, try database.meta(.placeGenerator))
    try transactions.write { () throws(StoreError) in try identity.abandonNodeID(from: node) }
    #expect(identity.ids.node != node && identity.isOwn(node))
    #expect(identity.rollbackCount == 1)
    #expect(try database.meta(.placeGenerator) != before)
  }
}
