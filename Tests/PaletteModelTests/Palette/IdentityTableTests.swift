import Testing

@testable import PaletteModel

struct IdentityTableTests {
  @Test(arguments: [0, 1, 2, 3, 4, 5, 1000])
  func findsWhatWasInserted(count: Int) {
    let ids = (0..<count).map { RecordID.numbered($0) }
    var table = IdentityTable(of: ids, count: count)
    let inserted = ids.indices.map { table.insert($0) }
    #expect(!inserted.contains(false))
    let positions = ids.map { table.position(of: $0) }
    #expect(positions == Array(ids.indices))
    let insertedAgain = ids.indices.map { table.insert($0) }
    #expect(!insertedAgain.contains(true))
    let stranger = table.position(of: .numbered(count))
    #expect(stranger == nil)
  }

  /// Ids that share a half, or differ in a few bits only, must not pile up.
  @Test(arguments: [(0, 1), (1, 0), (1 << 32, 0), (0, 1 << 40), (3, 3)] as [(UInt64, UInt64)])
  func spreadsRegularIDs(high: UInt64, low: UInt64) {
    let ids = (0..<20_000).map { RecordID(high: high &* $0, low: low &* $0) }
    var table = IdentityTable(of: ids, count: ids.count)
    let inserted = ids.indices.map { table.insert($0) }
    #expect(!inserted.contains(false))
    #expect(table.probes < 3 * ids.count)
  }
}
