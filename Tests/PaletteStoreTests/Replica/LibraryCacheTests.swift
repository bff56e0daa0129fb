import Foundation
import PaletteMerge
import PaletteModel
import PaletteTestSupport
import Testing

@testable import PaletteStore

/// A cache is good only if it was closed as it should be and nobody touched it.
struct LibraryCacheTests {
  private let scratch: Scratch
  private let cache: LibraryCache
  private let position: CachePosition

  init() throws {
    scratch = try Scratch()
    let life = try LoggedLife(seed: 1)
    for _ in 0..<10 { try life.step() }
    // Takes back what a long action had begun, so that whoever opens the cache has nothing to write.
    try life.reopen()
    try life.close()
    let folder = try scratch.library()
    try FileManager.default.copyItem(atPath: life.library.folder.path, toPath: folder.path)
    cache = LibraryCache(folder)
    position = life.log.head
    #expect(try cache.close() == position)
  }

  private var closed: String { cache.folder.file("closed") }

  @Test func isGoodOnce() throws {
    #expect(try cache.begin() == position)
    #expect(try cache.begin() == nil)
    #expect(try cache.close() == position)
    #expect(try cache.begin() == position)
  }

  @Test func keepsItsPositionWhereThereIsNothingToMigrate() throws {
    #expect(try cache.begin() == position)
    #expect(try !cache.migrate())
    #expect(try cache.close() == position)
    let empty = LibraryCache(try scratch.library("empty"))
    #expect(throws: StoreError.self) { try empty.migrate() }
    #expect(throws: StoreError.self) { try empty.close() }
    #expect(try empty.begin() == nil)
  }

  /// A thousand caches would give the disk five gigabytes of zeros otherwise, and all at about the same time.
  @Test func keepsAShortLogAndWaitsForNoDisk() throws {
    _ = try cache.begin()
    let store = try ChangeStore(caching: cache.folder, log: MemoryCommitLog(after: position))
    #expect(try store.database.connection.integer(pragma: "synchronous") == 0)
    try store.deferCheckpoints()
    var longest = 0
    var checkpoints = 0
    for number in 0..<200 {
      _ = try store.makePalette(named: "P\(number)")
      if store.logNeedsCare {
        store.careForLog()
        #expect(!store.logNeedsCare)
        checkpoints += 1
      }
      longest = max(longest, try fileSize(cache.folder.databasePath + "-wal") ?? 0)
    }
    #expect(checkpoints > 2)
    // The commit that is the first beyond the limit has a quarter of it.
    #expect(longest < FileRole.cache.logBytes / 4 * 5)
    #expect(try store.integrityProblems().isEmpty)
  }

  @Test func goesOnFromItsPosition() throws {
    #expect(try cache.begin() == position)
    let log = MemoryCommitLog(after: position)
    do {
      let store = try ChangeStore(caching: cache.folder, log: log)
      _ = try store.makePalette(named: "P")
      // It is open.
      let error = #expect(throws: StoreError.self) { try cache.close() }
      #expect(error?.code == .locked)
      #expect(try cache.begin() == nil)
    }
    #expect(try cache.begin() == nil)
    #expect(try cache.close() == log.head)
    #expect(log.head.number == position.number + 1)
    #expect(try cache.begin() == log.head)
  }

  @Test(arguments: ["-wal", "-shm", "-journal"])
  func isNotGoodWithAFileBesideIt(suffix: String) throws {
    try write([1], to: cache.folder.databasePath + suffix)
    #expect(try cache.begin() == nil)
  }

  @Test func isNotGoodAsACopy() throws {
    let copy = try scratch.library("copy")
    try run("/bin/cp", "-a", cache.folder.path, copy.path)
    #expect(try LibraryCache(copy).begin() == nil)
    let file = scratch.file("yesterday")
    try run("/bin/cp", "-a", cache.folder.databasePath, file)
    try run("/bin/cp", "-a", file, cache.folder.databasePath)
    #expect(try cache.begin() == nil)
  }

  @Test func isNotGoodAfterItWasTouched() throws {
    let status = try FileManager.default.attributesOfItem(atPath: cache.folder.databasePath)
    try run("/usr/bin/touch", cache.folder.databasePath)
    try FileManager.default.setAttributes(status, ofItemAtPath: cache.folder.databasePath)
    #expect(try cache.begin() == nil)
  }

  @Test(arguments: 0..<3)
  func isNotGoodWhereTheNoteIsAnother(line: Int) throws {
    let text = String(decoding: try bytes(closed), as: UTF8.self)
    var lines = text.components(separatedBy: "\n")
    let boot = String(decoding: try bytes("/proc/sys/kernel/random/boot_id"), as: UTF8.self)
    #expect(lines[0] + "\n" == "boot \(boot)")
    let last = lines[line].last == "0" ? "1" : "0"
    lines[line] = lines[line].dropLast() + last
    try write(Array(lines.joined(separator: "\n").utf8), to: closed)
    #expect(try cache.begin() == nil)
    #expect(try cache.close() == position)
    for length in [0, 1, text.utf8.count - 1] {
      try write(Array(text.utf8.prefix(length)), to: closed)
      #expect(try cache.begin() == nil)
    }
    try write(Array(text.utf8) + [0], to: closed)
    #expect(try cache.begin() == nil)
  }

  @Test func isPutAsideWithItsLog() throws {
    try write([1, 2], to: cache.folder.databasePath + "-wal")
    let aside = try cache.putAside("now")
    #expect(try bytes(aside + "-wal") == [1, 2])
    #expect(try !cache.folder.exists)
    #expect(try cache.begin() == nil)
  }

  /// A process that ends at any moment leaves no cache that counts as good and lacks something.
  @Test func isNotGoodAfterADeathAtAnyMoment() throws {
    #expect(try cache.begin() == position)
    let log = MemoryCommitLog(after: position)
    var copies: [LibraryCache] = []
    func die() throws {
      let copy = try scratch.library("copy\(copies.count)")
      // Links keep inodes and times, as a death of the process does.
      try run("/bin/cp", "-al", cache.folder.path, copy.path)
      copies.append(LibraryCache(copy))
    }
    try die()
    do {
      let store = try ChangeStore(caching: cache.folder, log: log)
      for name in ["a", "b", "c"] {
        log.onAppend = { #expect(throws: Never.self) { try die() } }
        _ = try store.makePalette(named: name)
        try die()
      }
      log.onAppend = {}
    }
    try die()
    for copy in copies { #expect(try copy.begin() == nil) }
    #expect(copies.count == 8)
  }
}
