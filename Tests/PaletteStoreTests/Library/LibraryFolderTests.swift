import Foundation
import PalettePlatform
import PaletteStore
import Testing

struct LibraryFolderTests {
  let scratch: Scratch

  init() throws { scratch = try Scratch() }

  @Test func namesItsFiles() throws {
    let folder = try LibraryFolder("/a b/ü")
    #expect(folder.databasePath == "/a b/ü/library.sqlite")
    #expect(folder.lockPath == "/a b/ü/lock")
    #expect(folder.openedPath == "/a b/ü/opened")
    #expect(folder.socketPath == "/a b/ü/node.sock")
    #expect(try LibraryFolder("/").databasePath == "/library.sqlite")
  }

  @Test func completesRelativePaths() throws {
    let current = FileManager.default.currentDirectoryPath
    #expect(try LibraryFolder("x/../y").path == "\(current)/x/../y")
  }

  @Test(arguments: ["", "a\0b"]) func refusesWhatIsNoPath(path: String) {
    #expect(throws: StoreError.self) { try LibraryFolder(path) }
  }

  // The mask is the whole process's: only those that do not disturb tests beside this one.
  @Test(arguments: [0, 0o77] as [mode_t])
  func makesEverythingPrivate(mask: mode_t) throws {
    let folder = try LibraryFolder(scratch.file("parent/home"))
    umask(mask)
    defer { umask(0o22) }
    let library = try folder.opened()
    try library.connection.add("word")
    #expect(try mode(scratch.file("parent")) == 0o700)
    #expect(try mode(folder.path) == 0o700)
    let names = try scratch.names("parent/home")
    #expect(
      names == ["library.sqlite", "library.sqlite-shm", "library.sqlite-wal", "lock", "opened"]
    )
    for name in names { #expect(try mode(folder.file(name)) == 0o600, "\(name)") }
  }

  @Test func closesAFolderToOthers() throws {
    let empty = try scratch.library("empty")
    let used = try scratch.library("used")
    for folder in [empty, used] {
      try FileManager.default.createDirectory(
        atPath: folder.path,
        withIntermediateDirectories: true
      )
      try #require(chmod(folder.path, 0o755) == 0)
    }
    try write([], to: used.file("somebody's"))
    for folder in [empty, used] {
      #expect(folder.noteOnClosing?.contains("(mode 755)") == true)
      _ = try folder.opened()
      #expect(try mode(folder.path) == 0o700)
      #expect(folder.noteOnClosing == nil)
    }
    // What was open at first is closed at the next opening too.
    try #require(chmod(used.path, 0o750) == 0)
    _ = try used.opened()
    #expect(try mode(used.path) == 0o700)
    #expect(try bytes(used.file("somebody's")) == [])
  }

  @Test func leavesAFolderForEverybody() throws {
    let shared = try scratch.library("shared")
    try FileManager.default.createDirectory(
      atPath: shared.path,
      withIntermediateDirectories: true
    )
    try #require(chmod(shared.path, 0o1777) == 0)
    try write([], to: shared.file("somebody's"))
    let error = #expect(throws: StoreError.self) { _ = try shared.opened() }
    #expect(error?.message.contains("for everybody") == true)
    #expect(try mode(shared.path) & 0o777 == 0o777)
    #expect(try scratch.names("shared") == ["somebody's"])
    // A file system in memory has the same mode when it is mounted.
    unlink(shared.file("somebody's"))
    _ = try shared.opened()
    #expect(try mode(shared.path) & 0o7777 == 0o700)
  }

  @Test(.enabled(if: geteuid() == 0, "only root can give a folder away"))
  func refusesAFolderOfSomebodyElse() throws {
    let folder = try scratch.library()
    try folder.add("mine")
    try #require(chown(folder.path, 12_345, 12_345) == 0)
    let error = #expect(throws: StoreError.self) { _ = try folder.opened() }
    #expect(error?.message.contains("another user, number 12345") == true)
    // Reading goes on.
    #expect(try folder.words() == ["mine"])
  }

  @Test func refusesFileInPlaceOfFolder() throws {
    let folder = try scratch.library()
    try write([1], to: folder.path)
    #expect(throws: StoreError.self) { _ = try folder.opened() }
    #expect(try bytes(folder.path) == [1])
    #expect(throws: StoreError.self) { _ = try LibraryFolder(folder.file("below")).opened() }
  }

  @Test func readingNothingCreatesNothing() throws {
    let folder = try scratch.library()
    #expect(try !folder.exists)
    #expect(try folder.words() == nil)
    #expect(try scratch.names().isEmpty)
    try folder.create()
    #expect(try folder.words() == nil)
    #expect(try scratch.names("home").isEmpty)
  }

  @Test func worksInDeepFolder() throws {
    let deep = Array(repeating: String(repeating: "ü", count: 100), count: 8).joined(separator: "/")
    let folder = try LibraryFolder(scratch.file(deep))
    try folder.add("deep")
    #expect(try folder.exists)
    #expect(try folder.words() == ["deep"])
    #expect(try folder.continuity() == .same)
    #expect(try contents(folder.path).keys.sorted().contains("library.sqlite"))
  }
}
