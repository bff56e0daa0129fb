import PaletteFileLinks
import PaletteModel
import PaletteStore
import Testing

/// When a followed file and its palette are looked at, and what is done then.
struct LinkSessionTests {
  private static let blue = "GIMP Palette\n#\n0 0 255\tBlue\n"
  private static let both = "GIMP Palette\n#\n0 0 255\tBlue\n255 0 0\tRed\n"

  /// A session, with what it is told and what it has done.
  private struct Following {
    let fixture: LinkFixture
    var session: LinkSession

    init(_ fixture: LinkFixture, kept: [UInt8]? = nil) throws {
      self.fixture = fixture
      let stored = StoredLink(
        file: "/p.gpl",
        palette: fixture.palette,
        format: "gpl",
        base: kept
      )
      session = try #require(LinkSession(stored))
    }

    /// Has both sides looked at; the file was written to so long ago.
    mutating func look(
      at now: Int64,
      quiet: Int64,
      hearing events: [LinkSession.Event] = []
    ) throws -> [LinkSession.Action] {
      let actions = session.handle(.due(try fixture.linked), at: now)
      guard case .look(let look)? = actions.first else { return actions }
      for event in events { _ = session.handle(event, at: now + 1) }
      let found: LinkLook.Found
      if let bytes = fixture.file {
        let stamp = stamp(of: bytes)
        found =
          look.knownStamp == stamp ? .same : .file(bytes, stamp, quietMilliseconds: quiet)
      } else {
        found = .missing
      }
      return session.handle(.looked(look.outcome(finding: found)), at: now + 2)
    }

    func stamp(of bytes: [UInt8]) -> FileStamp {
      FileStamp(
        device: 1,
        inode: UInt64(bitPattern: Int64(bytes.hashValue)),
        size: Int64(bytes.count),
        changedSeconds: 0,
        changedNanoseconds: 0
      )
    }
  }

  private func isReplacing(_ actions: [LinkSession.Action]) -> Bool {
    actions.contains { if case .replace = $0 { true } else { false } }
  }

  private func isEditing(_ actions: [LinkSession.Action]) -> Bool {
    actions.contains { if case .edit = $0 { true } else { false } }
  }

  private func wake(_ actions: [LinkSession.Action]) -> Int64? {
    guard case .wake(let milliseconds)? = actions.first else { return nil }
    return milliseconds
  }

  @Test func aFileThatIsBeingWrittenWhenItIsLinkedIsLeftAlone() throws {
    let fixture = try LinkFixture("", as: "gpl", named: "P")
    try fixture.add("Blue", "#0000ff")
    var following = try Following(fixture)
    #expect(wake(following.session.handle(.paletteChanged, at: 0)) == 20)
    // Emptied 40 ms ago, and no news of it since: whoever did so may be about to write.
    #expect(wake(try following.look(at: 20, quiet: 40)) == 960)
    // Nobody did.
    #expect(isReplacing(try following.look(at: 980, quiet: 1_000)))
  }

  @Test func aFileThatHasBeenAsItIsIsTakenAtOnce() throws {
    let fixture = try LinkFixture("", as: "gpl", named: "P")
    try fixture.add("Blue", "#0000ff")
    var following = try Following(fixture)
    _ = following.session.handle(.paletteChanged, at: 0)
    #expect(isReplacing(try following.look(at: 20, quiet: 60_000)))
  }

  @Test func whatComesWhileANewFileIsWaitedForIsSeen() throws {
    let fixture = try LinkFixture("", as: "gpl", named: "P")
    var following = try Following(fixture)
    _ = following.session.handle(.paletteChanged, at: 0)
    _ = try following.look(at: 20, quiet: 10)
    fixture.text = Self.both
    #expect(wake(following.session.handle(.fileBegun, at: 300)) == 1_000)
    #expect(wake(following.session.handle(.fileChanged, at: 310)) != nil)
    #expect(isEditing(try following.look(at: 340, quiet: 40)))
  }

  @Test func whoSavesWhatIsThereHasThat() throws {
    let fixture = try LinkFixture(Self.blue, as: "gpl", named: "P")
    try fixture.settle()
    var following = try Following(fixture, kept: fixture.core.kept)
    try fixture.add("Red", "#ff0000")
    _ = following.session.handle(.paletteChanged, at: 0)
    guard case .replace(let bytes, _)? = try following.look(at: 20, quiet: 60_000).last else {
      Issue.record("a change of the palette is written")
      return
    }
    fixture.file = bytes
    _ = following.session.handle(.replaced(following.stamp(of: bytes)), at: 31)
    // A program came to the same list, wrote it in its own way, and removes a line.
    for (text, now) in [(Self.both + "\n", 61), ("GIMP Palette\n#\n255 0 0\tRed\n", 99)] {
      fixture.text = text
      _ = following.session.handle(.fileChanged, at: Int64(now) - 30)
      let actions = try following.look(at: Int64(now), quiet: 30)
      guard now == 99 else { continue }
      guard case .edit(let edit, _)? = actions.first else {
        Issue.record("a change of the file is an edit")
        return
      }
      let ids = try fixture.ids
      #expect(try edit.applied(to: fixture.list).list.map(\.id) == [ids[1]])
    }
  }

  @Test func whatWasWrittenIsKeptForTheNextStart() throws {
    let fixture = try LinkFixture(Self.blue, as: "gpl", named: "P")
    try fixture.settle()
    let before = fixture.text
    var following = try Following(fixture, kept: fixture.core.kept)
    try fixture.add("Red", "#ff0000")
    _ = following.session.handle(.paletteChanged, at: 0)
    guard case .replace(let bytes, _)? = try following.look(at: 20, quiet: 60_000).last else {
      Issue.record("a change of the palette is written")
      return
    }
    fixture.file = bytes
    let actions = following.session.handle(.replaced(following.stamp(of: bytes)), at: 31)
    guard case .save(let stored)? = actions.first else {
      Issue.record("what was written is kept")
      return
    }
    // Who puts back what was there before takes the color back; nobody can think that it was not written.
    var restarted = try Following(fixture, kept: stored.base)
    fixture.text = before
    _ = restarted.session.handle(.paletteChanged, at: 0)
    // It may be the beginning of what is being written.
    #expect(wake(try restarted.look(at: 20, quiet: 60_000)) != nil)
    #expect(isEditing(try restarted.look(at: 5_000, quiet: 60_000)))
  }

  /// What was read for the look may be from between two writes.
  @Test func aSaveDuringALookIsLookedAtOnceMore() throws {
    let fixture = try LinkFixture(Self.blue, as: "gpl", named: "P")
    try fixture.settle()
    let kept = fixture.core.kept
    fixture.text = Self.both
    var following = try Following(fixture, kept: kept)
    _ = following.session.handle(.paletteChanged, at: 0)
    let told: [LinkSession.Event] = [.fileChanged]
    let actions = try following.look(at: 20, quiet: 60_000, hearing: told)
    #expect(!isEditing(actions) && wake(actions) == 30)
    #expect(isEditing(try following.look(at: 52, quiet: 60_000)))
  }
}
