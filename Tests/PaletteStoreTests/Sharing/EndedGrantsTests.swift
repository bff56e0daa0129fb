import Foundation
import PaletteMerge
import PaletteTestSupport
import Testing

@testable import PaletteStore

/// Rights that ended before an older copy of the library was put in its place.
struct EndedGrantsTests {
  private let library: TemporaryLibrary
  private let backup: String
  private let code = [UInt8](repeating: 1, count: 32)
  /// The grants of two scripts, of which the second is revoked after the backup.
  private let grants: [String]

  init() throws {
    library = try TemporaryLibrary()
    backup = library.folder.path + "/copy"
    let store = try ChangeStore(writing: library.folder)
    grants = try [[2], [3]].map {
      try store.members.makeMember(.script, secret: $0, grant: Grant(.owner)).grant
    }
    try store.members.offer(Grant(.editor), code: code, codeExpiresMilliseconds: nil)
    _ = try store.backup(to: backup)
    #expect(try store.members.revokeGrant(grants[1]))
    _ = try store.admission.redeem(pageCode: code, fresh: [4]).get()
  }

  private func recover() throws -> (store: ChangeStore, revoked: Int?) {
    let summary = try ChangeStore.recover(library.folder, from: backup, timestamp: "now")
    return (try ChangeStore(writing: library.folder), summary.revoked)
  }

  @Test func stayEndedAfterARecovery() throws {
    let (store, revoked) = try recover()
    #expect(revoked == 2)
    #expect(try store.members.caller(secret: [2]).get().grants == [Grant(.owner)])
    #expect(throws: LoginRefusal.revoked) { try store.members.caller(secret: [3]).get() }
    // Nobody uses a code a second time.
    #expect(throws: LoginRefusal.revoked) {
      try store.admission.redeem(pageCode: code, fresh: [5]).get()
    }
  }

  @Test func areUnknownWhereTheLibraryCannotBeRead() throws {
    try Data("damaged".utf8).write(to: URL(fileURLWithPath: library.folder.databasePath))
    let (store, revoked) = try recover()
    #expect(revoked == nil)
    #expect(try store.members.caller(secret: [3]).get().grants == [Grant(.owner)])
  }
}
