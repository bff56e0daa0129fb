import PaletteModel
import PaletteTestSupport
import Testing

@testable import PaletteStore

/// What a store does not take from those who connect.
struct ChangeStoreHostileTests {
  @Test func refusesASnapshotWithMoreThanItClaims() throws {
    let ann = try TemporaryLibrary()
    let bob = try TemporaryLibrary()
    let theirs = try ChangeStore(writing: ann.folder)
    let palette = try theirs.makePalette(named: "Brand")
    let ours = try ChangeStore(writing: bob.folder)
    var snapshot = try #require(try theirs.snapshot(of: palette))
    snapshot.frontier = [:]
    #expect(try ours.merge(snapshot, into: palette) == .malformed(.beyondFrontier))
    #expect(try ours.frontier(of: palette).isEmpty)
  }

  @Test func letsNobodyInAsItself() throws {
    let library = try TemporaryLibrary()
    let store = try ChangeStore(writing: library.folder)
    let secret = [UInt8](repeating: 1, count: 32)
    _ = try store.makeToken(
      secret: secret,
      role: "editor",
      palette: nil,
      expiresMilliseconds: nil,
      isJoinCode: false
    )
    let stranger = RecordID(high: 1, low: 1)
    let admitted = try store.admit(secret: secret, fresh: [], library: stranger, node: store.node)
    guard case .failure(.nodeTaken) = admitted else {
      Issue.record("let in: \(admitted)")
      return
    }
  }
}
