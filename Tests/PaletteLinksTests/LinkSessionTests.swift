import PaletteLinks
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
    private var number: Int64 = 0

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

  @Test func whoReadsDuringALookAtAFileThatIsKnownHasThat() throws {
    let fixture = try LinkFixture(Self.blue, as: "gpl", named: "P")
    try fixture.settle()
    try fixture.add("Red", "#ff0000")
    try fixture.settle()
    var following = try Following(fixture, kept: fixture.core.kept)
    _ = following.session.handle(.paletteChanged, at: 0)
    _ = try following.look(at: 20, quiet: 60_000)
    // That was the look's own reading.
    #expect(following.session.handle(.fileRead, at: 23).isEmpty)
    _ = following.session.handle(.paletteChanged, at: 100)
    let actions = try following.look(at: 120, quiet: 60_000, hearing: [.fileRead])
    #expect(actions.contains { if case .save = $0 { true } else { false } })
  }

  @Test func whoReadsWhatWasJustWrittenHasThat() throws {
    let fixture = try LinkFixture(Self.blue, as: "gpl", named: "P")
    try fixture.settle()
    var following = try Following(fixture, kept: fixture.core.kept)
    try fixture.add("Red", "#ff0000")
    _ = following.session.handle(.paletteChanged, at: 0)
    let actions = try following.look(at: 20, quiet: 60_000)
    guard case .replace(let bytes, _)? = actions.last else {
      Issue.record("a change of the palette is written")
      return
    }
    fixture.file = bytes
    // The look's own reading, the file that was replaced, and who reads it before the node knows that.
    for event: LinkSession.Event in [.fileRead, .fileChanged, .fileRead, .fileChanged] {
      _ = following.session.handle(event, at: 30)
    }
    _ = following.session.handle(.replaced(following.stamp(of: bytes)), at: 31)
    fixture.text = Self.blue + "0 255 0\tGreen\n"
    let next = try following.look(at: 61, quiet: 30)
    guard case .edit(let edit, _)? = next.first else {
      Issue.record("a change of the file is an edit")
      return
    }
    #expect(try edit.applied(to: fixture.list).list.map(\.name) == ["Blue", "Green"])
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
    // A program that has read nothing came to the same list, wrote it in its own way, and removes a line.
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

  @Test func whoReadTheOldFileHasThatAlsoWhereItIsToldLate() throws {
    let fixture = try LinkFixture(Self.blue, as: "gpl", named: "P")
    try fixture.settle()
    var following = try Following(fixture, kept: fixture.core.kept)
    _ = following.session.handle(.paletteChanged, at: 0)
    _ = try following.look(at: 20, quiet: 60_000)
    // That was the look's own reading.
    #expect(following.session.handle(.fileRead, at: 23).isEmpty)
    for (isLast, start) in [(false, 1_000), (true, 2_000)] as [(Bool, Int64)] {
      if isLast { try fixture.set(1, to: "#800000") } else { try fixture.add("Red", "red") }
      _ = following.session.handle(.paletteChanged, at: start)
      guard
        case .replace(let bytes, _)? = try following.look(at: start + 20, quiet: 60_000).last
      else {
        Issue.record("a change of the palette is written")
        return
      }
      let old = fixture.text
      fixture.file = bytes
      _ = following.session.handle(.replaced(following.stamp(of: bytes)), at: start + 30)
      if isLast {
        // Somebody had read what is replaced now, which the system tells only then.
        _ = following.session.handle(.fileRead, at: start + 31)
        _ = following.session.handle(.fileChanged, at: start + 32)
        fixture.text = old + "255 255 0\tYellow\n"
      } else {
        _ = following.session.handle(.fileChanged, at: start + 31)
      }
      _ = try following.look(at: start + 60, quiet: 60_000)
    }
    _ = following.session.handle(.fileChanged, at: 3_000)
    guard case .edit(let edit, _)? = try following.look(at: 3_030, quiet: 30).first else {
      Issue.record("a change of the file is an edit")
      return
    }
    let list = try edit.applied(to: fixture.list).list
    #expect(list.map(\.name) == ["Blue", "Red", "Yellow"])
    #expect(list.map(\.color.hex) == ["#0000ff", "#800000", "#ffff00"])
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

  /// Reading for a look and reading by others are told alike.
  @Test func aSaveDuringALookIsLookedAtOnceMore() throws {
    let fixture = try LinkFixture(Self.blue, as: "gpl", named: "P")
    try fixture.settle()
    let kept = fixture.core.kept
    fixture.text = Self.both
    var following = try Following(fixture, kept: kept)
    _ = following.session.handle(.paletteChanged, at: 0)
    let told: [LinkSession.Event] = [.fileRead, .fileChanged]
    let actions = try following.look(at: 20, quiet: 60_000, hearing: told)
    #expect(!isEditing(actions) && wake(actions) == 30)
    #expect(isEditing(try following.look(at: 52, quiet: 60_000)))
  }
}
