import Foundation
import PaletteStore
import Testing

struct RecoveryTests {
  let scratch: Scratch
  let folder: LibraryFolder
  let backup: String

  init() throws {
    scratch = try Scratch()
    folder = try scratch.library()
    backup = scratch.file("backup")
    try folder.add("first")
    try folder.opened().connection.backup(to: backup)
    try folder.add("second")
  }

  @Test func putsTheBackupInPlaceAndKeepsTheOld() throws {
    let summary = try recover()
    #expect(summary.version == 1)
    #expect(summary.backup.bytes == (try bytes(folder.databasePath).count))
    let kept = folder.databasePath + ".before-recover-now"
    #expect(summary.keptAs == kept)
    #expect(try folder.words() == ["first"])
    #expect(try DatabaseConnection(path: kept, mode: .immutable).words() == ["first", "second"])
    #expect(try mode(folder.databasePath) == 0o600)
    #expect(try folder.continuity() == .changed(.file))
    #expect(try folder.continuity() == .same)
    #expect(try folder.words() == ["first"])
  }

  @Test func keepsWhatIsOnlyInTheLog() throws {
    let image = try scratch.library("image")
    do {
      let library = try folder.opened()
      try library.connection.add("third")
      try run("/bin/cp", "-a", folder.path, image.path)
    }
    try recover(image)
    let kept = image.databasePath + ".before-recover-now"
    #expect(
      try DatabaseConnection(path: kept, mode: .immutable).words() == ["first", "second", "third"]
    )
    // A library without its log would show less, wherever this is cut short.
    #expect(!FileManager.default.fileExists(atPath: kept + "-wal"))
    #expect(try image.words() == ["first"])
  }

  @Test func replacesADamagedLibrary() throws {
    try write(Array("damaged".utf8), to: folder.databasePath)
    try write(Array("its log".utf8), to: folder.databasePath + "-wal")
    try recover()
    let kept = folder.databasePath + ".before-recover-now"
    #expect(try bytes(kept) == Array("damaged".utf8))
    #expect(try bytes(kept + "-wal") == Array("its log".utf8))
    #expect(try folder.words() == ["first"])
    #expect(try folder.opened().connection.integrityCheck().isEmpty)
  }

  @Test func worksWithoutALibrary() throws {
    let empty = try scratch.library("empty")
    try empty.create()
    #expect(try recover(empty).keptAs == nil)
    #expect(try empty.words() == ["first"])
    #expect(try empty.continuity() != .same)
  }

  @Test func takesABackupThatStillHasALog() throws {
    let copy = try scratch.library("copy")
    do {
      let library = try folder.opened()
      try library.connection.add("third")
      try run("/bin/cp", "-a", folder.path, copy.path)
    }
    try recover(from: copy.databasePath)
    #expect(try folder.words() == ["first", "second", "third"])
  }

  @Test(arguments: [StoreError.Code.notALibrary, .newerFormat, .corrupt, .cannotOpen])
  func refusesABadBackupAndChangesNothing(code: StoreError.Code) throws {
    switch code {
    case .notALibrary: try write(Array("hello".utf8), to: backup)
    case .newerFormat:
      try DatabaseConnection(path: backup, mode: .readWrite(create: false)).setUserVersion(9)
    case .corrupt:
      var damaged = try bytes(backup)
      for index in 2_048..<4_096 { damaged[index] = 0xA5 }
      try write(damaged, to: backup)
    default: try FileManager.default.removeItem(atPath: backup)
    }
    let before = try contents(folder.path)
    let error = #expect(throws: StoreError.self) { try recover() }
    #expect(error?.code == code)
    #expect(try contents(folder.path) == before)
    #expect(try folder.words() == ["first", "second"])
    #expect(try folder.continuity() == .same)
  }

  @Test func neverReplacesAnEarlierLibrary() throws {
    try recover()
    let error = #expect(throws: StoreError.self) { try recover() }
    #expect(error?.code == .exists)
    #expect(try folder.words() == ["first"])
  }

  @discardableResult
  private func recover(
    _ folder: LibraryFolder? = nil,
    from backup: String? = nil
  ) throws -> RecoverySummary {
    let folder = folder ?? self.folder
    let lock = try LibraryLock.acquire(in: folder.path, timeoutMilliseconds: 0)
    return try folder.recover(
      from: backup ?? self.backup,
      newestVersion: 1,
      timestamp: "now",
      holding: lock
    )
  }
}
