import Foundation
import PaletteMerge
import PaletteModel
import PaletteTestSupport
import Testing

@testable import PaletteStore

/// The write-ahead log of a node gets the length on disk that it will have.
struct LogLengthTests {
  private let library: TemporaryLibrary
  private let store: ChangeStore
  private let palette: PaletteID

  init() throws { try self.init(try TemporaryLibrary()) }

  private init(_ library: TemporaryLibrary) throws {
    self.library = library
    store = try ChangeStore(writing: library.folder)
    store.keepState()
    try store.deferCheckpoints()
    palette = try store.makePalette(named: "P")
  }

  private func rename(_ name: String) throws {
    try store.write { transaction throws(StoreError) in
      let edit = Edit.set(palette.record, [.name: RegisterValue(text: name)])
      _ = try transaction.palette(palette)?.act([edit])
    }
  }

  private func logBytes() throws -> Int {
    let path = library.folder.databasePath + "-wal"
    return try #require(try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
  }

  /// What somebody finds who has only the files, as after a crash.
  private func namesInCopy() throws -> String? {
    let copy = try TemporaryLibrary()
    let files = FileManager.default
    try files.copyItem(
      atPath: (library.folder.databasePath as NSString).deletingLastPathComponent,
      toPath: (copy.folder.databasePath as NSString).deletingLastPathComponent
    )
    try? files.removeItem(atPath: copy.folder.databasePath + "-shm")
    let name = try ChangeStore.reading(copy.folder)?.summary(of: palette)?.name
    let writing = try ChangeStore(writing: copy.folder)
    #expect(try writing.integrityProblems().isEmpty)
    #expect(try writing.summary(of: palette)?.name == name)
    return name
  }

  @Test func growsOnceAndHoldsWhatIsCommitted() throws {
    try check()
  }

  /// Libraries made by the first versions have larger pages, and keep them.
  @Test func countsBytesWhateverPagesHave() throws {
    let library = try TemporaryLibrary()
    _ = try ChangeStore(writing: library.folder).makePalette(named: "P")
    do {
      let path = library.folder.databasePath
      let connection = try DatabaseConnection(path: path, mode: .readWrite(create: false))
      try connection.execute("PRAGMA journal_mode = DELETE; PRAGMA page_size = 4096; VACUUM")
      #expect(try connection.integer(pragma: "page_size") == 4096)
    }
    let old = try LogLengthTests(library)
    #expect(try old.store.database.connection.integer(pragma: "page_size") == 4096)
    try old.check()
  }

  private func check() throws {
    var number = 0
    while !store.logNeedsCare {
      try rename("name \(number)")
      number += 1
    }
    #expect((2..<40).contains(number))
    #expect(try logBytes() < 300_000)
    store.careForLog()
    #expect(!store.logNeedsCare)
    let length = try logBytes()
    #expect(length >= FileRole.library.logBytes / 4 * 5)
    #expect(try namesInCopy() == "name \(number - 1)")
    var checkpoints = 0
    number = 0
    while checkpoints < 2, number < 2_000 {
      number += 1
      try rename("again \(number)")
      if store.logNeedsCare {
        store.careForLog()
        checkpoints += 1
      }
      if number.isMultiple(of: 150) { #expect(try namesInCopy() == "again \(number)") }
    }
    #expect(checkpoints == 2)
    #expect(try logBytes() == length)
    #expect(try store.integrityProblems().isEmpty)
  }

  @Test func aLibraryThatIsWrittenOnceHasAShortLog() throws {
    let store = try ChangeStore(writing: try TemporaryLibrary().folder)
    #expect(!store.logNeedsCare)
    for number in 0..<40 { _ = try store.makePalette(named: "P\(number)") }
    #expect(!store.logNeedsCare)
  }

  @Test(.enabled(if: Mount.isPossible))
  func withoutRoomNothingChanges() throws {
    let scratch = try Scratch()
    let mount = try Mount(tmpfsAt: scratch.path, bytes: 3 << 20)
    let store = try ChangeStore(writing: try scratch.library())
    store.keepState()
    try store.deferCheckpoints()
    let palette = try store.makePalette(named: "P")
    let path = store.folder.databasePath + "-wal"
    func length() throws -> Int {
      try #require(try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
    }
    while !store.logNeedsCare { _ = try store.makePalette(named: "more") }
    let before = try length()
    store.careForLog()
    #expect(try length() == before)
    for _ in 0..<20 { _ = try store.makePalette(named: "and more") }
    #expect(try store.summary(of: palette)?.name == "P")
    withExtendedLifetime(mount) {}
  }
}
