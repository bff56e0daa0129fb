import PaletteMerge
import PaletteModel
import PaletteTestSupport
import Testing

@testable import PaletteStore

/// A library can be made again from its log.
struct ReplicaTests {
  /// The rows of what a log records, in a cache that nobody has open.
  private func rows(_ folder: LibraryFolder) throws -> [String: [String]] {
    try folder.openCache(newestVersion: LibrarySchema.current.version).recordedRows()
  }

  private func expectEqual(_ one: LibraryFolder, _ other: LibraryFolder, _ comment: Comment) throws
  {
    let (left, right) = (try rows(one), try rows(other))
    for table in left.keys.sorted() {
      #expect(left[table] == right[table], "\(table), \(comment)")
    }
    #expect(try LibraryCache(one).close() == LibraryCache(other).close(), comment)
  }

  @Test(arguments: TestSeeds.some(of: 24))
  func entriesMakeTheSameLibraryOfItsBeginning(seed: UInt64) throws {
    let life = try LoggedLife(seed: seed)
    let copy = try TemporaryLibrary(inMemory: ())
    try life.copyBeginning(to: copy)
    for step in 0..<120 {
      try life.step()
      // Mostly while a long action is under way.
      if step % 15 == 14 { try life.reopen() }
    }
    // What this is worth depends on what happened.
    #expect(life.done.count > 17 && life.log.entries.count > 50, "\(life.done)")
    #expect(try life.store.verify().isEmpty, "replay with seed \(seed)")
    #expect(try life.store.integrityProblems().isEmpty, "replay with seed \(seed)")
    try life.close()
    do {
      var applier = try EntryApplier(copy.folder)
      var entries = life.log.logEntries[...]
      while !entries.isEmpty {
        try applier.apply(Array(entries.prefix(7))) { $0 }
        entries = entries.dropFirst(7)
      }
      #expect(applier.position == life.log.head)
    }
    try expectEqual(copy.folder, life.library.folder, "replay with seed \(seed), \(life.done)")
    let store = try ChangeStore(caching: copy.folder, log: MemoryCommitLog(after: life.log.head))
    #expect(try store.verify().isEmpty, "replay with seed \(seed)")
  }

  @Test(arguments: TestSeeds.some(of: 12))
  func anImageAndWhatCameBehindItMakeTheSameLibrary(seed: UInt64) throws {
    let life = try LoggedLife(seed: seed)
    for _ in 0..<30 { try life.step() }
    let copy = try TemporaryLibrary(inMemory: ())
    let reader = try ImageReader(for: LibraryCache(copy.folder))
    var hash = LibraryImage.makeHash()
    let path = "\(life.library.folder.path)/image"
    let writer = try ImageWriter(of: life.store, at: path)
    var image: ImageFile?
    while image == nil {
      image = try writer.advance(pages: 20).map { (copy) throws(StoreError) in try ImageFile(copy) }
      try life.step()
    }
    for part in try parts(try #require(image)) {
      hash.update(part)
      try reader.add(part) { $0 }
    }
    let position = try #require(image?.position)
    #expect(position.number > 0 && position.number <= life.log.head.number)
    try reader.finish(at: position, hash: hash.finalize())
    for _ in 0..<20 { try life.step() }
    try life.close()
    do {
      var applier = try EntryApplier(copy.folder)
      try applier.apply(life.log.logEntries.filter { $0.position.number > position.number }) { $0 }
    }
    try expectEqual(copy.folder, life.library.folder, "replay with seed \(seed), \(life.done)")
    let peers = try ChangeStore(caching: copy.folder, log: MemoryCommitLog()).peers.all()
    #expect(peers.isEmpty)
  }

  @Test func whatDoesNotFollowIsRefusedAndChangesNothing() throws {
    let life = try LoggedLife(seed: 3)
    let copy = try TemporaryLibrary(inMemory: ())
    try life.copyBeginning(to: copy)
    for _ in 0..<20 { try life.step() }
    try life.close()
    let entries = life.log.logEntries
    try #require(entries.count > 5)
    let before = try rows(copy.folder)
    func refuse(_ entries: [LogEntry], _ comment: Comment) throws {
      do {
        var applier = try EntryApplier(copy.folder)
        let position = applier.position
        let error = #expect(throws: StoreError.self, comment) { try applier.apply(entries) { $0 } }
        #expect(error?.code == .corrupt, comment)
        #expect(applier.position == position, comment)
      }
      #expect(try rows(copy.folder) == before, comment)
    }
    func chained(_ content: [UInt8]?, after position: CachePosition = .start) -> LogEntry {
      LogEntry(position: position.next(epoch: 1, content: content ?? []), content: content)
    }
    try refuse(Array(entries.dropFirst()), "a gap at the beginning")
    try refuse([entries[0], entries[2]], "a gap")
    try refuse([entries[0], entries[0]], "twice")
    try refuse([LogEntry(position: entries[0].position, content: [1])], "other bytes")
    try refuse([LogEntry(position: entries[0].position, content: [])], "nothing in its place")
    try refuse([LogEntry(position: entries[0].position, content: nil)], "a jump")
    try refuse([chained([1, 2, 3])], "no changeset")
    let first = try #require(entries[0].content)
    try refuse([chained(Array(first.dropLast()))], "half a changeset")
    // Its hashes are right, and its rows are not those that are there.
    let late = try #require(entries.last?.content)
    try refuse([chained(late)], "a row that is another one")
    let old = CachePosition.start.next(epoch: 5, content: first)
    let back = LogEntry(position: old.next(epoch: 4, content: late), content: late)
    try refuse([LogEntry(position: old, content: first), back], "an epoch that ended")
    do {
      var applier = try EntryApplier(copy.folder)
      try applier.apply(entries) { $0 }
    }
    try expectEqual(copy.folder, life.library.folder, "afterwards")
  }

  @Test(arguments: [
    "DROP TABLE palette", "ALTER TABLE palette ADD COLUMN more INTEGER",
    "ALTER TABLE palette DROP COLUMN last",
  ])
  func entriesAboutOtherTablesAreRefused(sql: String) throws {
    let life = try LoggedLife(seed: 4)
    let copy = try TemporaryLibrary(inMemory: ())
    try life.copyBeginning(to: copy)
    _ = try life.store.makePalette(named: "P")
    try copy.folder.openCache(newestVersion: LibrarySchema.current.version).execute(sql)
    var applier = try EntryApplier(copy.folder)
    #expect(throws: StoreError.self) { try applier.apply(life.log.logEntries) { $0 } }
  }

  @Test func entriesAboutThisFileAreRefused() throws {
    let life = try LoggedLife(seed: 5)
    let copy = try TemporaryLibrary(inMemory: ())
    try life.copyBeginning(to: copy)
    let content: [UInt8]
    do {
      let connection = try DatabaseConnection(
        path: life.library.folder.databasePath,
        mode: .readWrite(create: false)
      )
      let recorder = try ChangesetRecorder(of: connection) { _ in true }
      try connection.begin()
      try connection.setLocal(.position, CachePosition.start.next(epoch: 9, content: []).bytes)
      content = try recorder.seal()
      connection.rollBack()
    }
    var applier = try EntryApplier(copy.folder)
    let entry = LogEntry(
      position: CachePosition.start.next(epoch: 1, content: content),
      content: content
    )
    let error = #expect(throws: StoreError.self) { try applier.apply([entry]) { $0 } }
    #expect(error?.code == .corrupt)
  }

  private func parts(_ image: ImageFile) throws -> [[UInt8]] {
    try (0..<image.parts).map { try image.part($0) }
  }

  @Test func anImageHasTheChangesThatItsFileLacks() throws {
    let life = try LoggedLife(seed: 9)
    let copy = try TemporaryLibrary(inMemory: ())
    try life.copyBeginning(to: copy)
    for _ in 0..<20 { try life.step() }
    try life.close()
    var entries = life.log.logEntries
    let last = try #require(entries.last)
    entries.removeLast()
    do {
      var applier = try EntryApplier(copy.folder)
      try applier.apply(entries) { $0 }
    }
    let source = try ImageCopy(of: copy.folder, at: copy.folder.file("image"))
    let image = try ImageFile(source, applying: last.content)
    #expect(image.position == entries.last?.position)
    let other = try TemporaryLibrary(inMemory: ())
    let reader = try ImageReader(for: LibraryCache(other.folder))
    var hash = LibraryImage.makeHash()
    for part in try parts(image) {
      hash.update(part)
      try reader.add(part) { $0 }
    }
    try reader.finish(at: last.position, hash: hash.finalize())
    try expectEqual(other.folder, life.library.folder, "the image")
    // The file itself has them once it is told of the jump.
    let cache = LibraryCache(copy.folder)
    try cache.advance(to: last.position, applying: last.content)
    #expect(try cache.close() == last.position)
    try expectEqual(copy.folder, life.library.folder, "the file")
    // What it has already is not made twice.
    #expect(throws: StoreError.self) { try cache.advance(to: .start, applying: last.content) }
    #expect(try cache.close() == last.position)
  }

  @Test func anImageThatIsNotWholeLeavesTheCache() throws {
    let life = try LoggedLife(seed: 6)
    let copy = try TemporaryLibrary(inMemory: ())
    try life.copyBeginning(to: copy)
    let before = try rows(copy.folder)
    let writer = try ImageWriter(of: life.store, at: "\(life.library.folder.path)/image")
    var image: ImageCopy?
    while image == nil { image = try writer.advance() }
    let parts = try parts(try ImageFile(try #require(image)))
    var hash = LibraryImage.makeHash()
    for part in parts { hash.update(part) }
    let expected = hash.finalize()
    for damage in 0..<3 {
      let reader = try ImageReader(for: LibraryCache(copy.folder))
      var sent = parts
      if damage == 0 { sent.removeLast() }
      if damage == 1 { sent[0][200] ^= 1 }
      let error = #expect(throws: StoreError.self) {
        for part in sent {
          try reader.add(part) { part throws(StoreError) in
            damage == 2 ? part + [UInt8](repeating: 0, count: LibraryImage.partBytes + 1) : part
          }
        }
        try reader.finish(at: .start, hash: expected)
      }
      #expect(error?.code == .corrupt)
    }
    #expect(try rows(copy.folder) == before)
  }
}
