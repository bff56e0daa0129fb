import PaletteModel
import PaletteTestSupport
import Testing

@testable import PaletteStore

/// Letting nodes in by the secret of a token.
struct AdmissionTests {
  private let library: TemporaryLibrary
  private let clock = ManualClock()
  private let store: ChangeStore
  private let secret = [UInt8](repeating: 1, count: 32)

  init() throws {
    let clock = clock
    library = try TemporaryLibrary()
    store = try ChangeStore(writing: library.folder, milliseconds: { clock.milliseconds })
    _ = try store.makeToken(
      secret: secret,
      role: "editor",
      palette: nil,
      expiresMilliseconds: nil,
      isJoinCode: false
    )
  }

  /// Lets a node of a library in, and tells whether that was written.
  private func admit(library id: UInt64 = 1, node: UInt64 = 1) throws -> Bool {
    let before = try bytes(library.folder.databasePath + "-wal")
    let admitted = try store.admit(
      secret: secret,
      fresh: [],
      library: RecordID(high: 1, low: id),
      node: NodeID(node)
    ).get()
    let stored = try #require(try store.tokens().first)
    #expect(admitted.token == stored && admitted.nodes.contains(NodeID(node)))
    #expect(stored.node == NodeID(node))
    return try bytes(library.folder.databasePath + "-wal") != before
  }

  @Test func isWrittenOnceAMinute() throws {
    let begin = clock.milliseconds
    #expect(try admit())
    clock.milliseconds += 59_999
    #expect(try !admit())
    #expect(try store.tokens().first?.lastSeenMilliseconds == begin)
    clock.milliseconds += 1
    #expect(try admit())
    #expect(try store.tokens().first?.lastSeenMilliseconds == begin + 60_000)
    // A clock that was put back does not hide for how long nobody came.
    clock.milliseconds = begin
    #expect(try admit())
    #expect(try store.tokens().first?.lastSeenMilliseconds == begin)
  }

  @Test func ofAnotherNodeIsWrittenAtOnce() throws {
    #expect(try admit(node: 1))
    #expect(try admit(node: 2))
    #expect(try !admit(node: 2))
    #expect(try admit(node: 1))
    #expect(try store.tokens().first?.library == RecordID(high: 1, low: 1))
  }

  @Test func endsWithTheToken() throws {
    #expect(try admit())
    let id = try #require(try store.tokens().first?.id)
    #expect(try store.revokeToken(id))
    #expect(throws: TokenRefusal.revoked) { try admit() }
  }

  @Test func letsNobodyInAsItself() throws {
    let stranger = RecordID(high: 1, low: 1)
    let admitted = try store.admit(secret: secret, fresh: [], library: stranger, node: store.node)
    guard case .failure(.nodeTaken) = admitted else {
      Issue.record("let in: \(admitted)")
      return
    }
  }
}
