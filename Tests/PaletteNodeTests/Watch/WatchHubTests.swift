import PaletteJSON
import PaletteMerge
import PaletteModel
import PaletteStore
import PaletteTestSupport
import Testing

@testable import PaletteCommands
@testable import PaletteNode

/// The diffs that watchers get, against the lists that the store gives.
struct WatchHubTests {
  /// A library with a palette, and a hub that hears of its commits.
  private final class Fixture {
    let library: TemporaryLibrary
    let store: ChangeStore
    let palette: PaletteID
    var hub = WatchHub<Int>()
    var random: SeededRandom
    /// What each watcher knows.
    var lists: [Int: [NamedColor]] = [:]
    var diffs = 0
    /// Whether commits are looked at before they are made.
    var foresees = false
    /// How many diffs were written during a commit.
    var drafts = 0

    init(seed: UInt64) throws {
      library = try TemporaryLibrary()
      random = SeededRandom(seed: seed)
      store = try ChangeStore(writing: library.folder, random: SeededRandom(seed: seed))
      palette = PaletteID(RecordID(using: &random))
      store.followsCommits = true
      try act { writer throws(StoreError) in
        try writer.author(.add(writer.id.record, [.name: RegisterValue(text: "Sea")]))
      }
    }

    func act(_ body: (PaletteWriter) throws(StoreError) -> Void) throws {
      defer { for changes in store.removeCommitted() { hub.committed(changes) } }
      guard foresees else {
        return try store.write { transaction throws(StoreError) in
          try body(try transaction.palette(beginning: palette))
        }
      }
      // Of some it turns out that they were not made as expected.
      let isDropped = random.chance(0.3)
      var failure: (any Error)?
      try store.group(
        {
          do {
            try store.write { transaction throws(StoreError) in
              try body(try transaction.palette(beginning: palette))
            }
            try hub.foresee(store.uncommitted, from: store)
            guard isDropped else { return }
            hub.writeDraft()
            hub.dropDraft()
            #expect(hub.removeDraft().map(\.watchers) == nil)
          } catch {
            failure = error
          }
        },
        meanwhile: { [unowned self] in
          hub.writeDraft()
          // It is not durable yet.
          #expect(hub.removeDraft().map(\.watchers) == nil)
        }
      )
      for changes in store.removeCommitted() { hub.committed(changes) }
      if let failure { throw failure }
      if let news = hub.removeDraft() {
        drafts += 1
        try deliver([news])
      }
    }

    func watch(_ watcher: Int) throws {
      let summary = try #require(try store.summary(of: palette))
      let snapshot = try JSON(answer: try hub.watch(summary, by: watcher, in: store))
      #expect(snapshot["event"].stringValue == "snapshot")
      lists[watcher] = try store.colors(of: palette).map(\.color)
      #expect(snapshot["colors"].arrayValue?.count == lists[watcher]?.count)
    }

    /// Applies what is told to the lists of those who are told.
    func deliver(_ news: [WatchHub<Int>.News]) throws {
      for news in news {
        let message = try JSON(answer: news.message)
        guard message["method"] == "palette.diff" else { continue }
        diffs += 1
        let diff = try Diff(try #require(message["params"]))
        #expect(!diff.value.isEmpty)
        for watcher in news.watchers {
          lists[watcher] = try diff.value.applying(to: try #require(lists[watcher]))
        }
      }
    }

    var visible: [NamedColor] {
      get throws {
        let isDropped = try store.summary(of: palette)?.isDropped ?? true
        return isDropped ? [] : try store.colors(of: palette).map(\.color)
      }
    }
  }

  /// A diff as its JSON has it.
  private struct Diff {
    let value: PaletteDiff

    init(_ document: JSON) throws {
      func color(_ record: JSON) throws -> NamedColor {
        NamedColor(
          id: try #require(RecordID(record["id"].stringValue ?? "")),
          name: record["name"].stringValue ?? "",
          color: try Color(css: record["color"].stringValue ?? ""),
          note: record["note"].stringValue ?? ""
        )
      }
      func id(_ step: JSON) throws -> RecordID {
        try #require(RecordID(step["id"].stringValue ?? ""))
      }
      func index(_ step: JSON, _ key: String = "index") throws -> Int {
        try #require(step[key].intValue)
      }
      value = PaletteDiff(
        deletions: try (document["deletions"].arrayValue ?? []).map {
          .init(index: try index($0), id: try id($0))
        },
        insertions: try (document["insertions"].arrayValue ?? []).map {
          #expect($0["color"]["index"] == $0["index"])
          return .init(index: try index($0), color: try color(try #require($0["color"])))
        },
        moves: try (document["moves"].arrayValue ?? []).map {
          .init(from: try index($0, "from"), to: try index($0, "to"), id: try id($0))
        },
        updates: try (document["updates"].arrayValue ?? []).map {
          .init(
            index: try index($0),
            color: try color(try #require($0["color"])),
            was: try color(try #require($0["was"]))
          )
        }
      )
    }
  }

  @Test(arguments: 0..<20, [false, true])
  func diffsLeadToTheList(_ seed: UInt64, _ foresees: Bool) throws {
    let fixture = try Fixture(seed: seed)
    try fixture.watch(0)
    fixture.foresees = foresees
    for step in 0..<60 {
      try Self.step(fixture)
      if step.isMultiple(of: 3) { fixture.hub.pack([fixture.palette]) }
      // Commits may pile up before anyone is told.
      if fixture.random.chance(0.7) {
        try fixture.deliver(try fixture.hub.flush(fixture.store))
        let expected = try fixture.visible
        let list = try #require(fixture.lists[0])
        #expect(list.map(\.id) == expected.map(\.id), "seed \(seed) step \(step)")
        #expect(
          zip(list, expected).allSatisfy { $0.hasSameContent(as: $1) },
          "seed \(seed) step \(step)"
        )
      }
      if step == 30, try fixture.store.summary(of: fixture.palette)?.isDropped == false {
        try fixture.deliver(try fixture.hub.flush(fixture.store))
        try fixture.watch(1)
      }
    }
    try fixture.deliver(try fixture.hub.flush(fixture.store))
    #expect(
      fixture.lists[1].map { $0.map(\.id) } ?? []
        == (fixture.lists[1] == nil ? [] : try fixture.visible.map(\.id))
    )
    #expect(fixture.diffs > 10, "seed \(seed)")
    #expect(foresees ? fixture.drafts > 0 : fixture.drafts == 0, "seed \(seed)")
  }

  /// Does something to the palette.
  private static func step(_ fixture: Fixture) throws {
    var random = fixture.random
    defer { fixture.random = random }
    let list = try fixture.store.colors(of: fixture.palette)
    let text = RegisterValue(text: "n\(Int.random(in: 0..<5, using: &random))")
    let place = RegisterValue(placeBytes: [UInt8.random(in: 1...9, using: &random)])
    let color = RegisterValue(
      color: Color(.srgb, Double(Int.random(in: 0..<4, using: &random)) / 255, 0, 0)
    )
    let kind = Int.random(in: 0..<100, using: &random)
    let target = list.randomElement(using: &random)?.color.id
    let records = (0..<Int.random(in: 1...(kind < 5 ? 40 : 3), using: &random)).map { _ in
      RecordID(using: &random)
    }
    let several = list.filter { _ in random.chance(0.3) }.map(\.color.id)
    let somewhere = several.map { ($0, UInt8.random(in: 1...9, using: &random)) }
    try fixture.act { writer throws(StoreError) in
      switch (kind, target) {
      case (0..<30, _), (_, nil):
        for record in records {
          try writer.author(.add(record, [.name: text, .color: color, .place: place]))
        }
      case (30..<40, let target?): try writer.act([.set(target, [.place: place])])
      case (40..<50, let target?): try writer.act([.set(target, [.place: place, .name: text])])
      case (50..<65, let target?): try writer.act([.set(target, [.name: text, .color: color])])
      case (65..<72, _):
        for (record, byte) in somewhere {
          try writer.act([.set(record, [.place: RegisterValue(placeBytes: [byte])])])
        }
      case (72..<84, _): for record in several { try writer.act([.delete(record)]) }
      case (84..<88, _): try writer.author(.drop(writer.id))
      case (88..<92, _): try writer.author(.restore(writer.id.record, [.name: text]))
      case (92..<95, _): try writer.author(.set(writer.id.record, [.name: text]))
      default: _ = try ActionUndo(in: writer).undo()
      }
    }
  }

  @Test func delayedWatchersGetOneDiff() throws {
    let fixture = try Fixture(seed: 1)
    try fixture.watch(0)
    try fixture.watch(1)
    for step in 0..<10 {
      if step == 4 { fixture.hub.delay(1) }
      try Self.step(fixture)
      #expect(fixture.hub.expectant.contains(1) == (step < 4))
      try fixture.deliver(try fixture.hub.flush(fixture.store))
    }
    #expect(fixture.lists[1]?.map(\.id) != fixture.lists[0]?.map(\.id))
    #expect(fixture.hub.late == [1])
    let missed = try fixture.hub.catchUp(1)
    #expect(missed.count == 1)
    try fixture.deliver(missed)
    #expect(fixture.lists[1]?.map(\.id) == fixture.lists[0]?.map(\.id))
    #expect(try fixture.hub.catchUp(1).isEmpty)
    #expect(fixture.hub.late.isEmpty)
  }

  @Test func tellsNothingToThoseWhoLeft() throws {
    let fixture = try Fixture(seed: 2)
    try fixture.watch(0)
    try fixture.watch(1)
    fixture.hub.unwatch(fixture.palette, by: 0)
    #expect(fixture.hub.count == 1)
    try Self.step(fixture)
    #expect(try fixture.hub.flush(fixture.store).map(\.watchers) == [[1]])
    fixture.hub.remove(1)
    #expect(fixture.hub.count == 0)
    try Self.step(fixture)
    #expect(!fixture.hub.hasNews)
  }

  @Test func tellsConflictsAndTitles() throws {
    let fixture = try Fixture(seed: 3)
    let record = RecordID(using: &fixture.random)
    let name = RegisterValue(text: "a")
    let place = RegisterValue(placeBytes: [5])
    try fixture.act { writer throws(StoreError) in
      try writer.author(
        .add(
          record,
          [.name: name, .color: RegisterValue(color: .init(.srgb, 0, 0, 0)), .place: place]
        )
      )
    }
    // Another node, which knows all this, writes the same register meanwhile.
    var other = PaletteState(fixture.palette)
    for bytes in try #require(try fixture.store.changes(of: fixture.palette)) {
      try other.merge(bytes)
    }
    let foreign = try other.author(
      .set(record, [.name: RegisterValue(text: "b")]),
      by: NodeID(7),
      at: Stamp(milliseconds: 0)
    )
    try fixture.act { writer throws(StoreError) in
      try writer.act([.set(record, [.name: RegisterValue(text: "c")])])
    }
    try fixture.watch(0)
    try fixture.store.merge([foreign], into: fixture.palette)
    for changes in fixture.store.removeCommitted() { fixture.hub.committed(changes) }
    let news = try fixture.hub.flush(fixture.store)
    let diff = try JSON(answer: try #require(news.first?.message))["params"]
    let updates = try #require(diff["updates"].arrayValue)
    #expect(updates.count == 1)
    #expect(updates[0]["color"]["conflicts"] == ["name"])
    #expect(updates[0]["was"]["conflicts"] == [])
    #expect(updates[0]["color"]["name"] == updates[0]["was"]["name"])
    #expect(diff["node"].stringValue == NodeID(7).description)
    #expect(diff["stamp"].stringValue == Stamp(milliseconds: 0).description)

    try fixture.act { writer throws(StoreError) in
      try writer.author(.set(writer.id.record, [.name: RegisterValue(text: "Lake")]))
    }
    let title = try fixture.hub.flush(fixture.store)
    #expect(title.count == 1)
    let message = try JSON(answer: title[0].message)
    #expect(message["method"] == "palette.title")
    #expect(message["params"]["palette"]["name"] == "Lake")
  }
}
