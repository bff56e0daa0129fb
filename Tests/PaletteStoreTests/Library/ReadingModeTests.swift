import Foundation
import PalettePlatform
import PaletteStore
import Testing

struct ReadingModeTests {
  struct Case {
    let writable: Bool
    let sharedMemory: Bool
    let log: Int
    let mode: ReadingMode
  }

  @Test(arguments: [
    Case(writable: true, sharedMemory: true, log: 0, mode: .shared),
    Case(writable: true, sharedMemory: true, log: 9, mode: .shared),
    Case(writable: true, sharedMemory: false, log: 0, mode: .shared),
    Case(writable: true, sharedMemory: false, log: 9, mode: .shared),
    Case(writable: false, sharedMemory: true, log: 0, mode: .shared),
    Case(writable: false, sharedMemory: true, log: 9, mode: .shared),
    Case(writable: false, sharedMemory: false, log: 0, mode: .immutable),
    Case(writable: false, sharedMemory: false, log: 9, mode: .privateCopy),
  ])
  func choosesByFolderAndFiles(example: Case) {
    #expect(
      ReadingMode(
        folderIsWritable: example.writable,
        sharedMemoryExists: example.sharedMemory,
        logBytes: example.log
      ) == example.mode
    )
  }

  enum State: CaseIterable {
    case closed
    case emptyLog
    case log
    case logAndSharedMemory
    case liveWriter
  }

  @Test(.enabled(if: Mount.isPossible), arguments: State.allCases)
  func readsInReadOnlyFolder(state: State) throws {
    let scratch = try Scratch()
    let folder = try scratch.library()
    let image = try scratch.library("image")
    let shown = try scratch.library("shown")
    try shown.create()
    let writer = try folder.opened()
    try writer.connection.checkpoint(truncating: true)
    try writer.connection.add("committed")
    try run("/bin/cp", "-a", folder.path, image.path)
    let shared = image.databasePath + "-shm"
    switch state {
    case .closed:
      _ = try image.opened()
    case .emptyLog:
      _ = try image.opened()
      try write([], to: image.databasePath + "-wal")
    case .log:
      try FileManager.default.removeItem(atPath: shared)
    case .logAndSharedMemory, .liveWriter:
      break
    }
    let source = state == .liveWriter ? folder : image
    let before = try contents(source.path)
    let mount = try Mount(readOnly: source.path, at: shown.path)
    do {
      let reader = try shown.reader()
      #expect(try reader.connection.words() == ["committed"])
      #expect(reader.mode == Self.modes[state])
      let error = #expect(throws: StoreError.self) { _ = try shown.opened() }
      #expect(error?.code == .readOnly)
      if state == .liveWriter {
        try writer.connection.add("live")
        #expect(try reader.connection.words() == ["committed", "live"])
      }
    }
    if state != .liveWriter { #expect(try contents(source.path) == before) }
    withExtendedLifetime(mount) {}
  }

  static let modes: [State: ReadingMode] = [
    .closed: .immutable, .emptyLog: .immutable, .log: .privateCopy, .logAndSharedMemory: .shared,
    .liveWriter: .shared,
  ]

  @Test(.enabled(if: Mount.isPossible)) func deletesItsPrivateCopy() throws {
    let scratch = try Scratch()
    let folder = try scratch.library()
    let writer = try folder.opened()
    let image = try scratch.library("image")
    try run("/bin/cp", "-a", folder.path, image.path)
    try FileManager.default.removeItem(atPath: image.databasePath + "-shm")
    let shown = try scratch.library("shown")
    try shown.create()
    let mount = try Mount(readOnly: image.path, at: shown.path)
    var copy = ""
    do {
      let reader = try shown.reader()
      copy = try #require(
        try reader.connection.prepare("PRAGMA database_list").row { $0.text(2) }
      )
      #expect(copy != shown.databasePath)
      #expect(try mode(copy) == 0o600)
      #expect(try mode((copy as NSString).deletingLastPathComponent) == 0o700)
    }
    #expect(access((copy as NSString).deletingLastPathComponent, F_OK) != 0)
    withExtendedLifetime(mount) {}
    #expect(try writer.connection.words() == [])
  }
}
