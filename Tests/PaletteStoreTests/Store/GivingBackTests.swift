import Foundation
import PaletteMerge
import PaletteModel
import PaletteTestSupport
import Testing

@testable import PaletteStore

/// The space of compacted history goes back to the disk, a little at a time.
struct GivingBackTests {
  private let library: TemporaryLibrary
  private let store: ChangeStore
  private let palette: PaletteID

  init() throws {
    library = try TemporaryLibrary()
    store = try ChangeStore(writing: library.folder)
    palette = try store.makePalette(named: "P")
  }

  private func rename(_ numbers: Range<Int>) throws {
    try store.write { transaction throws(StoreError) in
      let writer = try transaction.palette(palette)
      for number in numbers {
        let name = RegisterValue(text: "\(number)" + String(repeating: "x", count: 300))
        _ = try writer?.author(.set(palette.record, [.name: name]))
      }
    }
  }

  private var bytesOnDisk: Int {
    get throws {
      let files = FileManager.default
      let attributes = try files.attributesOfItem(atPath: library.folder.databasePath)
      return try #require(attributes[.size] as? Int)
    }
  }

  @Test func compactionLeavesAFileOfTheSizeOfItsState() throws {
    _ = try store.tidy()
    let fresh = try bytesOnDisk
    try rename(0..<5_000)
    _ = try store.compact(palette, beforeMilliseconds: .max)
    let sizes = try store.tidy()
    #expect(sizes.before > 10 * fresh)
    #expect(try bytesOnDisk < fresh * 3 / 2)
    #expect(try bytesOnDisk == sizes.after)
    #expect(try store.integrityProblems().isEmpty)
    #expect(try store.verify().isEmpty)
  }

  @Test func aStepLeavesTheRestForTheNext() throws {
    try rename(0..<5_000)
    _ = try store.compact(palette, beforeMilliseconds: .max)
    let sizes = try store.tidy(within: 0)
    #expect(try bytesOnDisk > 2 * sizes.after)
    // Others write between two steps.
    var steps = 0
    while try store.giveBack(within: 1), steps < 1_000 {
      try rename(steps..<steps + 1)
      steps += 1
    }
    #expect(steps < 1_000)
    _ = try store.tidy()
    #expect(try bytesOnDisk < 2 * sizes.after)
    #expect(try store.integrityProblems().isEmpty)
    #expect(try store.verify().isEmpty)
  }
}
