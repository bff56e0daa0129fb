import PaletteMerge
import PaletteModel
import PaletteTestSupport
import Testing

@testable import PaletteStore

/// Each commit of a library that has a log goes through it.
struct CommitLogTests {
  private let library: TemporaryLibrary
  private let log = MemoryCommitLog()
  private let palette = PaletteID(RecordID(high: 1, low: 1))

  init() throws {
    library = try TemporaryLibrary()
    let store = try ChangeStore(writing: library.folder)
    try store.keep(clockOffsetMilliseconds: 1)
  }

  private func opened() throws -> ChangeStore {
    try ChangeStore(caching: library.folder, log: log)
  }

  private func rename(_ name: String, in store: ChangeStore) throws(StoreError) {
    try store.write { transaction throws(StoreError) in
      let edit = Edit.set(palette.record, [.name: RegisterValue(text: name)])
      _ = try transaction.palette(beginning: palette).act([edit])
    }
  }

  private func position(of store: ChangeStore) throws -> CachePosition? {
    try store.database.connection.local(.position).flatMap { CachePosition(bytes: $0) }
  }

  @Test func aCommitIsAnEntryAndItsPositionStandsInTheFile() throws {
    let store = try opened()
    try rename("one", in: store)
    #expect(log.entries.count == 1)
    #expect(log.committed == log.head)
    #expect(try position(of: store) == log.head)
    try store.group {
      for name in ["two", "three"] { #expect(throws: Never.self) { try rename(name, in: store) } }
      #expect(log.entries.count == 1)
    }
    #expect(log.entries.count == 2)
    #expect(try position(of: store) == log.head)
  }

  @Test func whatChangesNothingOrOnlyThisFileIsNoEntry() throws {
    let store = try opened()
    try store.keep(clockOffsetMilliseconds: 1)
    try store.links.save(StoredLink(file: "/a.gpl", palette: palette, format: "gpl"))
    try store.group {}
    try store.transactions.write { () throws(StoreError) in }
    #expect(log.entries.isEmpty)
    #expect(try store.links.all().count == 1)
    try store.keep(clockOffsetMilliseconds: 2)
    #expect(log.entries.count == 1)
  }

  @Test func aRefusedCommitLeavesNothingAndTheStoreGoesOn() throws {
    let store = try opened()
    try rename("one", in: store)
    store.followsCommits = true
    let away = StoreError(code: .failed, message: "away")
    log.refusal = away
    #expect(throws: away) { try rename("two", in: store) }
    #expect(throws: away) {
      try store.group { _ = try? rename("three", in: store) }
    }
    #expect(throws: away) { try store.adoptNewNode() }
    #expect(!store.hasCommitted && log.entries.count == 1)
    #expect(try store.summary(of: palette)?.name == "one")
    log.refusal = nil
    try rename("four", in: store)
    #expect(log.entries.count == 2 && log.failed == nil)
    #expect(try store.summary(of: palette)?.name == "four")
    #expect(try store.verify().isEmpty)
  }

  @Test func aFileThatLacksAnEntryOfItsLogIsUnusableUntilItIsOpenedAgain() throws {
    for isGroup in [false, true] {
      do {
        let store = try opened()
        try rename("one", in: store)
        log.onAppend = { try? store.database.connection.execute("PRAGMA query_only = ON") }
        defer { log.onAppend = {} }
        #expect(throws: StoreError.self) {
          if isGroup {
            try store.group { _ = try? rename("two", in: store) }
          } else {
            try rename("two", in: store)
          }
        }
        #expect(log.failed == log.head)
        try store.database.connection.execute("PRAGMA query_only = OFF")
        #expect(throws: StoreError.self) { try rename("three", in: store) }
        #expect(throws: StoreError.self) { try store.summary(of: palette) }
        #expect(throws: StoreError.self) { try store.read {} }
      }
      #expect(try opened().summary(of: palette)?.name == "one")
    }
  }

  @Test func timesOfMembersWaitForTheNextCommit() throws {
    let clock = ManualClock()
    func opened() throws -> ChangeStore {
      try ChangeStore(caching: library.folder, log: log, milliseconds: { clock.milliseconds })
    }
    let store = try opened()
    let secret = [UInt8](repeating: 7, count: 32)
    try store.members.makeMember(.page, secret: secret, grant: Grant(.editor))
    func come() throws -> Int64? {
      let member = try #require(try store.members.member(hash: SecretHash(of: secret)))
      try store.members.recordSeen(member)
      return try store.members.member(member.id)?.lastSeenMilliseconds
    }
    let made = clock.milliseconds
    let count = log.entries.count
    clock.milliseconds += 3_599_000
    #expect(try come() == made)
    try rename("one", in: store)
    #expect(try come() == made)
    clock.milliseconds += 2_000
    #expect(try come() == made)
    #expect(log.entries.count == count + 1)
    try rename("two", in: store)
    #expect(try come() == clock.milliseconds)
    #expect(log.entries.count == count + 2)
    // Where nothing else is written, a day is long enough.
    clock.milliseconds += 86_400_000
    #expect(try come() == clock.milliseconds)
    #expect(log.entries.count == count + 3)
  }

  @Test func noCommitPassesByTheLog() throws {
    let store = try opened()
    try rename("one", in: store)
    for end in ["COMMIT", "END"] {
      let error = #expect(throws: StoreError.self) {
        try store.database.execute("BEGIN; UPDATE palette SET colors = 7; \(end)")
      }
      #expect(error?.code == .constraint)
      let isInTransaction = store.database.connection.isInTransaction
      #expect(!isInTransaction)
    }
    #expect(throws: StoreError.self) { try store.database.execute("DELETE FROM change") }
    #expect(try store.summary(of: palette)?.name == "one")
    // What was refused is in no later entry.
    try store.transactions.write { () throws(StoreError) in }
    #expect(log.entries.count == 1)
    _ = try store.tidy()
    #expect(try store.verify().isEmpty)
  }

  @Test func aCacheKeepsItsNodeIDWhereverItIs() throws {
    let node = try opened().node
    let other = try TemporaryLibrary()
    try other.folder.create()
    #expect(try run("/bin/cp", library.folder.databasePath, other.folder.databasePath) == 0)
    let moved = try ChangeStore(caching: other.folder, log: log)
    #expect(moved.node == node && moved.identities == [node])
    #expect(log.entries.isEmpty)
  }

  @Test func thereIsNoCacheOfNothing() throws {
    let empty = try TemporaryLibrary()
    let error = #expect(throws: StoreError.self) {
      try ChangeStore(caching: empty.folder, log: log)
    }
    #expect(error?.code == .cannotOpen)
    #expect(try !empty.folder.exists)
  }
}
