import Foundation
import PaletteMerge
import PaletteModel
import PalettePeers
import PaletteStore
import PaletteSync
import PaletteTestSupport
import Testing

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

  /// Changes the bytes of the file.
  private func damage(_ folder: LibraryFolder, _ body: (inout Data) throws -> Void) throws {
    do {
      let connection = try DatabaseConnection(
        path: folder.databasePath,
        mode: .readWrite(create: false)
      )
      _ = try connection.checkpoint(truncating: true)
    }
    let file = URL(filePath: folder.databasePath)
    var bytes = try Data(contentsOf: file)
    try body(&bytes)
    try bytes.write(to: file)
  }

  /// The first page of a table or an index.
  private func root(of name: String, in folder: LibraryFolder) throws -> Range<Int> {
    let connection = try DatabaseConnection(
      path: folder.databasePath,
      mode: .readWrite(create: false)
    )
    var root = 0
    try connection.prepare("SELECT rootpage FROM sqlite_schema WHERE name = '\(name)'").rows {
      root = Int($0.int64(0))
    }
    try #require(root > 1)
    return (root - 1) * LibraryFolder.pageBytes..<root * LibraryFolder.pageBytes
  }

  private func flip(_ bits: Range<Int>, of bytes: inout Data, _ random: inout SeededRandom) {
    bytes[Int.random(in: bits, using: &random)] ^= 1 << UInt8.random(in: 0...7, using: &random)
  }

  /// Whoever waits for peers has to learn of it: otherwise the wait never ends.
  @Test(arguments: [
    "identity", "palette", "stream", "change", "record", "sibling", "ahead", "moment", "action",
    "peer", "peerGrant", "stated", "member", "granted", "binding",
  ])
  func isToldOrDoesNoHarm(table: String) throws {
    try expectEnd(seed: 3) { folder in
      let page = try root(of: table, in: folder)
      try damage(folder) {
        $0.replaceSubrange(page, with: Data(repeating: 0xff, count: page.count))
      }
    }
  }

  /// The pages are sound and disagree: what is listed is not found by its id.
  @Test(arguments: ["palette", "stream", "identity", "peer"], TestSeeds.some(of: 4, atLeast: 1))
  func bitsOfIndexesAreToldOrDoNoHarm(table: String, seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    try expectEnd(seed: seed) { folder in
      let page = try root(of: "sqlite_autoindex_\(table)_1", in: folder)
      try damage(folder) { bytes in
        let content = Int(bytes[page.lowerBound + 5]) << 8 | Int(bytes[page.lowerBound + 6])
        flip(page.dropFirst(content), of: &bytes, &random)
      }
    }
  }

  @Test(arguments: TestSeeds.some(of: 30))
  func bitsAnywhereAreToldOrDoNoHarm(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    try expectEnd(seed: seed) { folder in
      try damage(folder) { flip(0..<$0.count, of: &$0, &random) }
    }
  }

  /// What is known of the tables is written in the file as well.
  @Test(arguments: [("arrival INTEGER", "brrival INTEGER"), ("BETWEEN 1 AND", "BETWEEN 3 AND")])
  func changedTablesAreToldOrDoNoHarm(words: String, others: String) throws {
    try expectEnd(seed: 5) { folder in
      try damage(folder) { bytes in
        while let found = bytes.firstRange(of: Data(words.utf8)) {
          bytes.replaceSubrange(found, with: Data(others.utf8))
        }
      }
    }
  }

  /// After `damage` a node tells of it, or comes to hold what its peer holds.
  private func expectEnd(seed: UInt64, _ damage: (LibraryFolder) throws -> Void) throws {
    let fleet = try CoreFleet(count: 2, seed: seed)
    let named = Edit.add(Self.palette.record, [.name: RegisterValue(text: "P")])
    try fleet.act([named] + (0..<300).map(color), in: Self.palette, at: 0)
    try fleet.join(1, to: 0)
    try fleet.settle()
    do {
      try fleet.restart(1, onFolder: damage)
    } catch let error as StoreError {
      // The library does not open at all.
      #expect([.corrupt, .notALibrary].contains(error.code))
      return
    }
    try fleet.act((300..<400).map(color), in: Self.palette, at: 0)
    let core = fleet.members[1].core
    for _ in 0..<20 {
      // As the shell of a node does it: a failure ends the step, not the node.
      do { try fleet.settle(rounds: 1) } catch { core.rememberDamage(error) }
      do {
        let edit = Edit.set(RecordID(high: 10, low: 7), [.name: RegisterValue(text: "x")])
        try fleet.act([edit], in: Self.palette, at: 1)
      } catch { #expect(error is StoreError) }
    }
    // Peers compare what they hold when they meet.
    do {
      try fleet.cut(1)
      try fleet.settle()
    } catch { core.rememberDamage(error) }
    let isEqual = (try? fleet.members[1].store.digest()) == (try fleet.members[0].store.digest())
    let isSettled = core.dialers["member-0"].map { $0.state == .live && $0.isCaughtUp } ?? false
    let pending = try? fleet.members[1].store.pending(of: Self.palette, at: ["member-0"])
    #expect(
      core.damage?.code == .corrupt
        || isSettled && pending == 0 && (isEqual || !fleet.problems.isEmpty),
      "\(isEqual) \(isSettled) \(String(describing: pending)) \(fleet.problems)"
    )
  }
}
