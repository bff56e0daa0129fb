import PaletteMerge
import PaletteModel
import PaletteStore
import Testing

@Suite(.enabled(if: Mount.isPossible))
struct GroupDiskFullTests {
  private let palette = PaletteID(RecordID(high: 1, low: 1))

  @Test func aGroupThatDoesNotFitLeavesNothingAndIsToldToNobody() throws {
    let scratch = try Scratch()
    let mount = try Mount(tmpfsAt: scratch.path, bytes: 1 << 20)
    let store = try ChangeStore(writing: try scratch.library())
    func note(_ text: String) throws(StoreError) {
      try store.write { transaction throws(StoreError) in
        let edit = Edit.set(palette.record, [.name: RegisterValue(text: text)])
        _ = try transaction.palette(beginning: palette).act([edit])
      }
    }
    try note("first")
    store.followsCommits = true
    // It fits into memory, and is too much for the disk.
    let failure = #expect(throws: StoreError.self) {
      try store.group(
        {
          for number in 0..<150 {
            do {
              try note("\(number)" + String(repeating: "n", count: 8_000))
            } catch { Issue.record("\(error)") }
          }
        },
        meanwhile: { Issue.record("nothing is synced that was not written") }
      )
    }
    #expect(failure?.code == .diskFull)
    #expect(!store.hasCommitted)
    #expect(try store.summary(of: palette)?.name == "first")
    try mount.resize(bytes: 8 << 20)
    // What was to be done meanwhile is forgotten with it.
    try store.group { #expect(throws: Never.self) { try note("after") } }
    #expect(store.removeCommitted().count == 1)
    #expect(try store.summary(of: palette)?.name == "after")
    #expect(try store.integrityProblems().isEmpty)
  }

  @Test func whatAPeerHoldsIsKnownAfterAFailure() throws {
    let scratch = try Scratch()
    let mount = try Mount(tmpfsAt: scratch.path, bytes: 1 << 20)
    let store = try ChangeStore(writing: try scratch.library())
    let url = "ws://127.0.0.1:7300"
    let other = PaletteID(RecordID(high: 1, low: 2))
    func rename(_ text: String) throws(StoreError) {
      try store.write { transaction throws(StoreError) in
        let edit = Edit.set(palette.record, [.name: RegisterValue(text: text)])
        _ = try transaction.palette(beginning: palette).act([edit])
      }
    }
    func statement(of palette: PaletteID, _ sequence: UInt32?) -> HeldReport {
      var held: Frontier = [:]
      if let sequence { held[store.node] = StreamHead(sequence: sequence, link: 0) }
      return HeldReport(url: url, palette: palette, held: held, isWhole: true)
    }
    try rename("first")
    let peer = StoredPeer(url: url, addresses: [url], grants: [], name: "hub")
    try store.peers.save(peer)
    try store.peers.record([statement(of: palette, 1)])
    #expect(throws: StoreError.self) {
      try store.group {
        do {
          let empty = [statement(of: palette, nil), statement(of: other, nil)]
          try store.peers.record(empty)
          for number in 0..<150 {
            try rename("\(number)" + String(repeating: "n", count: 8_000))
          }
        } catch { Issue.record("\(error)") }
      }
    }
    try mount.resize(bytes: 8 << 20)
    #expect(try store.peers.isRecorded(statement(of: palette, 1)))
    #expect(try !store.peers.isRecorded(statement(of: palette, nil)))
    try store.peers.record([statement(of: palette, nil)])
    #expect(try store.peers.isRecorded(statement(of: palette, nil)))
    #expect(try !store.peers.isRecorded(statement(of: palette, 1)))
  }
}
