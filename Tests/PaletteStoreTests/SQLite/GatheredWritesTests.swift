import Foundation
import PaletteMerge
import PaletteModel
import PaletteTestSupport
import Testing

@testable import PaletteStore

/// What SQLite writes to its log reaches the file in time, and in few pieces.
struct GatheredWritesTests {
  private static func header(completes: Bool) -> [UInt8] {
    var header = [UInt8](repeating: 7, count: 24)
    header.replaceSubrange(4..<8, with: [0, 0, 0, completes ? 9 : 0])
    return header
  }

  /// A file as the writes leave it, and how many there were.
  private struct File {
    var bytes: [UInt8] = []
    var writes = 0

    mutating func write(_ piece: [UInt8], at offset: Int) {
      writes += 1
      bytes += [UInt8](repeating: 0, count: max(0, offset + piece.count - bytes.count))
      bytes.replaceSubrange(offset..<offset + piece.count, with: piece)
    }
  }

  /// Writes as the file system does.
  private struct Log {
    var file = File()
    var gathered = GatheredWrites()

    mutating func write(_ piece: [UInt8], at offset: Int) {
      switch piece.withUnsafeBytes({ gathered.append($0, at: offset) }) {
      case .waits: break
      case .completes: flush()
      case .standsAlone:
        flush()
        file.write(piece, at: offset)
        gathered.continues(at: offset + piece.count)
      case .isLost: Issue.record("nothing was lost")
      }
    }

    mutating func flush() {
      guard !gathered.bytes.isEmpty else { return }
      file.write(gathered.bytes, at: gathered.start)
      gathered.removeAll()
    }
  }

  @Test func aTransactionIsOnePieceAndWrittenWithItsLastPage() {
    var log = Log()
    log.write([UInt8](repeating: 1, count: 32), at: 0)
    var offset = 32
    for transaction in 1...3 {
      let before = log.file.writes
      for page in 1...5 {
        log.write(Self.header(completes: page == 5), at: offset)
        log.write([UInt8](repeating: UInt8(page), count: 512), at: offset + 24)
        offset += 536
      }
      #expect(log.file.writes == before + 1)
      #expect(log.file.bytes.count == offset, "after transaction \(transaction)")
    }
  }

  /// A transaction that lost a page is never completed, and the next one begins where it began.
  @Test func nothingFollowsWhatWasLost() {
    var log = Log()
    log.write([UInt8](repeating: 1, count: 32), at: 0)
    func take(_ piece: [UInt8], at offset: Int) -> GatheredWrites.Outcome {
      piece.withUnsafeBytes { log.gathered.append($0, at: offset) }
    }
    let page = [UInt8](repeating: 2, count: 512)
    #expect(take(Self.header(completes: false), at: 32) == .waits)
    #expect(take(page, at: 56) == .waits)
    log.gathered.lose()
    #expect(take(Self.header(completes: true), at: 568) == .isLost)
    #expect(take(page, at: 592) == .isLost)
    #expect(take(Self.header(completes: true), at: 32) == .standsAlone)
    log.gathered.continues(at: 56)
    #expect(take(page, at: 56) == .completes)
  }

  @Test func aLongTransactionIsNotKeptInMemory() {
    var log = Log()
    log.write([UInt8](repeating: 1, count: 32), at: 0)
    let page = [UInt8](repeating: 2, count: 4096)
    for number in 0..<200 {
      log.write(Self.header(completes: false), at: 32 + number * 4120)
      log.write(page, at: 56 + number * 4120)
      #expect(log.gathered.bytes.count <= GatheredWrites.limit)
    }
    #expect(log.file.bytes.count + log.gathered.bytes.count == 32 + 200 * 4120)
    #expect(log.file.writes < 20)
  }

  /// Whatever is written where, the file is what it would be without gathering once a transaction is
  /// complete, or somebody asks.
  @Test(arguments: TestSeeds.some(of: 50))
  func theFileIsWhatWasWritten(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var plain = File()
    var log = Log()
    var end = 0
    for step in 0..<300 {
      var completes = false
      func both(_ piece: [UInt8], at offset: Int) {
        plain.write(piece, at: offset)
        log.write(piece, at: offset)
      }
      switch Int.random(in: 0..<10, using: &random) {
      case 0:
        end = 32
        both([UInt8](repeating: UInt8(step & 255), count: 32), at: 0)
      case 1 where end > 100:
        // Checksums of pages that are there already are written anew.
        both(
          Self.header(completes: random.chance(0.5)),
          at: Int.random(in: 0..<end - 24, using: &random)
        )
      case 2: log.flush()
      default:
        completes = random.chance(0.3)
        both(Self.header(completes: completes), at: end)
        both([UInt8](repeating: UInt8(step & 255), count: 512), at: end + 24)
        end += 536
      }
      if completes { #expect(log.file.bytes == plain.bytes, "step \(step) of seed \(seed)") }
    }
    log.flush()
    #expect(log.file.bytes == plain.bytes, "seed \(seed)")
  }

  /// Counted by the kernel: the pages of an edit, and nothing else.
  @Test func anEditIsOneWriteToTheLog() throws {
    let library = try TemporaryLibrary()
    let store = try ChangeStore(writing: library.folder)
    store.keepState()
    let palette = try store.makePalette(named: "P")
    func rename(_ name: String) throws {
      try store.write { transaction throws(StoreError) in
        let edit = Edit.set(palette.record, [.name: RegisterValue(text: name)])
        _ = try transaction.palette(palette)?.act([edit])
      }
    }
    for number in 0..<3 { try rename("before \(number)") }
    let before = try writeCalls()
    for number in 0..<10 { try rename("name \(number)") }
    #expect(try writeCalls() - before == 10)
    let disk = try #require(try ChangeStore.reading(library.folder))
    #expect(try disk.summary(of: palette)?.name == "name 9")
  }

  /// How many write calls this thread has made.
  private func writeCalls() throws -> Int {
    let text = try String(contentsOfFile: "/proc/thread-self/io", encoding: .utf8)
    let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("syscw:") })
    return try #require(Int(line.dropFirst(6).trimmingCharacters(in: .whitespaces)))
  }
}
