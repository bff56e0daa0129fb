import Foundation
import PaletteModel
import PaletteStore
import PaletteSync
import PaletteTestSupport
import Testing

@testable import PaletteNode

/// A library whose bytes changed by themselves.
struct DamageTests {
  private static let palette = PaletteID(RecordID(high: 1, low: 1))

  private func color(_ number: UInt64) -> Edit {
    .add(
      RecordID(high: 10, low: number),
      [
        .name: RegisterValue(text: "c\(number)"),
        .color: RegisterValue(color: Color(.srgb, 0, 0, 1)),
        .place: RegisterValue(placeBytes: [1, UInt8(1 + number % 250), UInt8(1 + number / 250)]),
      ]
    )
  }

  /// Makes the first page of a table unreadable.
  private func damage(_ table: String, in folder: LibraryFolder) throws {
    var root: Int64 = 0
    do {
      let connection = try Connection(path: folder.databasePath, mode: .readWrite(create: false))
      _ = try connection.checkpoint(truncating: true)
      try connection.prepare("SELECT rootpage FROM sqlite_schema WHERE name = '\(table)'").rows {
        root = $0.int64(0)
      }
    }
    try #require(root > 1)
    let file = try FileHandle(forUpdating: URL(filePath: folder.databasePath))
    try file.seek(toOffset: UInt64(root - 1) * UInt64(LibraryFolder.pageBytes))
    try file.write(contentsOf: Data(repeating: 0xff, count: LibraryFolder.pageBytes))
    try file.close()
  }

  /// Whoever waits for peers has to learn of it: otherwise the wait never ends.
  @Test(arguments: [
    "identity", "palette", "stream", "change", "record", "sibling", "ahead", "moment", "action",
    "peer", "stated", "token",
  ])
  func isToldOrDoesNoHarm(table: String) throws {
    let fleet = try CoreFleet(count: 2, seed: 3)
    let named = Edit.add(Self.palette.record, [.name: RegisterValue(text: "P")])
    try fleet.act([named] + (0..<300).map(color), in: Self.palette, at: 0)
    try fleet.join(1, to: 0)
    try fleet.settle()
    do {
      try fleet.restart(1) { try damage(table, in: $0) }
    } catch let error as StoreError {
      // The library does not open at all.
      #expect(error.code == .corrupt)
      return
    }
    try fleet.act((300..<400).map(color), in: Self.palette, at: 0)
    let core = fleet.members[1].core
    for _ in 0..<20 {
      // As the shell of a node does it: a failure ends the step, not the node.
      do { try fleet.settle(rounds: 1) } catch { core.note(error) }
      do {
        let edit = Edit.set(RecordID(high: 10, low: 7), [.name: RegisterValue(text: "x")])
        try fleet.act([edit], in: Self.palette, at: 1)
      } catch { #expect((error as? StoreError)?.code == .corrupt) }
    }
    let isEqual = (try? fleet.members[1].store.digest()) == (try fleet.members[0].store.digest())
    let isSettled = core.dialers["member-0"].map { $0.state == .live && $0.isCaughtUp } ?? false
    let pending = try? fleet.members[1].store.pending(of: Self.palette, at: ["member-0"])
    #expect(core.damage?.code == .corrupt || isEqual && isSettled && pending == 0)
  }
}
