import PaletteModel
import PaletteStore
import Testing

@Suite(.enabled(if: Mount.isPossible))
struct GroupDiskFullTests {
  @Test func aGroupThatDoesNotFitLeavesNothingAndIsToldToNobody() throws {
    let scratch = try Scratch()
    let mount = try Mount(tmpfsAt: scratch.path, bytes: 1 << 20)
    let store = try ChangeStore(writing: try scratch.library())
    let palette = PaletteID(RecordID(high: 1, low: 1))
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
}
