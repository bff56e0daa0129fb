import Foundation
import PaletteMerge
import PaletteModel
import PaletteStore
import PaletteTestSupport
import Testing

/// Several people edit through one library, each under node ids and with an undo stack of their own.
struct AuthorTests {
  private let library: TemporaryLibrary
  private let store: ChangeStore
  private let palette: PaletteID
  private let ann = AuthorID(1)
  private let bob = AuthorID(2)
  private let sea = RecordID(high: 1, low: 2)

  init() throws {
    library = try TemporaryLibrary()
    store = try ChangeStore(writing: library.folder)
    palette = try store.makePalette(named: "P")
    try act(.library, Self.adding(sea, "Sea"))
  }

  private static func adding(_ record: RecordID, _ name: String, at place: UInt8 = 128) -> Edit {
    .add(
      record,
      [
        .name: RegisterValue(text: name), .color: RegisterValue(color: Color(.srgb, 0, 0, 1)),
        .place: RegisterValue(placeBytes: [place]),
      ]
    )
  }

  private func act(
    _ author: AuthorID,
    _ edits: Edit...,
    in other: ChangeStore? = nil
  ) throws {
    try (other ?? store).write(as: author) { transaction throws(StoreError) in
      _ = try transaction.palette(palette)?.act(edits)
    }
  }

  private func rename(
    _ author: AuthorID,
    _ record: RecordID,
    _ name: String,
    in other: ChangeStore? = nil
  ) throws {
    try act(author, .set(record, [.name: RegisterValue(text: name)]), in: other)
  }

  private func undo(_ author: AuthorID, in other: ChangeStore? = nil) throws -> UndoOutcome? {
    try (other ?? store).write(as: author) { transaction throws(StoreError) in
      try transaction.undo(in: palette)
    }
  }

  private func redo(_ author: AuthorID) throws -> UndoOutcome? {
    try store.write(as: author) { transaction throws(StoreError) in
      try transaction.redo(in: palette)
    }
  }

  private func name(_ record: RecordID, in other: ChangeStore? = nil) throws -> String? {
    try (other ?? store).record(record, in: palette)?.name
  }

  /// Who wrote the name that is shown.
  private func writer(of record: RecordID, in other: ChangeStore? = nil) throws -> NodeID {
    let values = try (other ?? store).liveValues(of: record, in: palette)
    return try #require(values.first { $0.value.register == .name }).value.dot.node
  }

  /// The same library, opened again from a copy of its files.
  private func copy(_ folder: TemporaryLibrary) throws -> ChangeStore {
    try FileManager.default.copyItem(atPath: library.folder.path, toPath: folder.folder.path)
    return try ChangeStore(writing: folder.folder)
  }

  @Test func eachAuthorHasANodeID() throws {
    #expect(store.identities == [store.node])
    try rename(ann, sea, "Ocean")
    let annNode = try writer(of: sea)
    try rename(bob, sea, "Lake")
    let bobNode = try writer(of: sea)
    try rename(ann, sea, "Pond")
    #expect(try writer(of: sea) == annNode)
    #expect(Set([annNode, bobNode, store.node]).count == 3)
    #expect(store.identities == [store.node, annNode, bobNode])
    for (node, author) in [(store.node, AuthorID.library), (annNode, ann), (bobNode, bob)] {
      #expect(store.isOwn(node) && store.isOwn(node, by: author))
      #expect(store.author(of: node) == author)
    }
    #expect(!store.isOwn(annNode, by: bob) && !store.isOwn(annNode, by: .library))
    #expect(store.author(of: NodeID(77)) == nil)
    #expect(try store.verify(palette) == [])
  }

  @Test func idsStayOverARestart() throws {
    let folder = try TemporaryLibrary()
    var first: ChangeStore? = try ChangeStore(writing: folder.folder)
    let palette = try #require(try first?.makePalette(named: "P"))
    func rename(_ store: ChangeStore?, _ name: String) throws {
      try store?.write(as: ann) { transaction throws(StoreError) in
        _ = try transaction.palette(palette)?.author(
          .set(palette.record, [.name: RegisterValue(text: name)])
        )
      }
    }
    try rename(first, "Q")
    let ids = first?.identities
    first = nil
    let second = try ChangeStore(writing: folder.folder)
    try rename(second, "R")
    #expect(second.identities == ids)
  }

  @Test func oneTakesBackOnlyOnesOwn() throws {
    let lake = RecordID(high: 1, low: 3)
    try act(ann, Self.adding(lake, "Lake"))
    try rename(bob, sea, "Ocean")
    try rename(.library, sea, "Deep")
    #expect(try undo(ann)?.changed == [lake])
    #expect(try store.record(lake, in: palette)?.isListed == false)
    #expect(try name(sea) == "Deep")
    // The library's rename stands where Bob's was.
    #expect(try undo(bob)?.skipped.map(\.register) == [.name])
    #expect(try undo(bob) == nil)
    #expect(try undo(.library)?.changed == [sea])
    #expect(try name(sea) == "Ocean")
    #expect(try redo(ann)?.changed == [lake])
    #expect(try redo(ann) == nil)
    #expect(try redo(.library)?.changed == [sea])
    #expect(try name(sea) == "Deep")
  }

  @Test func nobodyHidesAColorThatAnotherEdited() throws {
    let lake = RecordID(high: 1, low: 3)
    try act(ann, Self.adding(lake, "Lake"))
    try act(.library, .set(lake, [.note: RegisterValue(text: "cold")]))
    #expect(try undo(ann)?.skipped.map(\.record) == [lake])
    try act(bob, .set(sea, [.note: RegisterValue(text: "warm")]))
    #expect(try undo(.library)?.changed == [lake])
    #expect(try undo(.library)?.skipped.map(\.record) == [sea])
    #expect(try store.colors(of: palette).count == 2)
  }

  @Test(arguments: [false, true])
  func aNewEditForgetsOnlyWhatItsAuthorUndid(keepsState: Bool) throws {
    if keepsState { store.keepState() }
    try rename(ann, sea, "Ocean")
    _ = try undo(ann)
    try act(bob, .set(sea, [.note: RegisterValue(text: "warm")]))
    #expect(try redo(ann)?.changed == [sea])
    try act(ann, .set(sea, [.note: RegisterValue(text: "cold")]))
    #expect(try redo(ann) == nil)
    #expect(try undo(bob)?.skipped.count == 1)
  }

  @Test(arguments: [false, true])
  func aMembersStackEndsToo(keepsState: Bool) throws {
    if keepsState { store.keepState() }
    for number in 0..<1_100 { try rename(ann, sea, "name \(number)") }
    var undone = 0
    while try undo(ann) != nil { undone += 1 }
    #expect((1_000..<1_064).contains(undone))
    #expect(try undo(.library)?.skipped.count == 1)
  }

  @Test func aCopyGivesUpAllIDs() throws {
    try rename(ann, sea, "Ocean")
    let old = try writer(of: sea)
    let folder = try TemporaryLibrary()
    let clone = try copy(folder)
    #expect(clone.node != store.node && clone.isOwn(old, by: ann))
    // Still what Ann did, under the id that she had.
    #expect(try undo(ann, in: clone)?.changed == [sea])
    #expect(try name(sea, in: clone) == "Sea")
    let new = try writer(of: sea, in: clone)
    #expect(new != old && clone.isOwn(new, by: ann))
    #expect(!store.isOwn(new))
    // Both go on, and no dot is used twice.
    try rename(ann, sea, "Pond")
    #expect(try writer(of: sea) == old)
    let changes = try #require(
      try clone.changes(of: palette, after: store.frontier(of: palette))
    )
    for arrival in try store.merge(changes, into: palette) {
      guard case .merged = arrival else {
        Issue.record("\(arrival)")
        continue
      }
    }
    #expect(try store.record(sea, in: palette)?.conflicts == [.name])
  }

  @Test func aRecoveredLibraryGivesUpAllIDs() throws {
    try rename(ann, sea, "Ocean")
    let old = try writer(of: sea)
    let folder = try TemporaryLibrary()
    let backup = folder.folder.path + ".backup"
    _ = try store.backup(to: backup)
    _ = try ChangeStore.recover(folder.folder, from: backup, timestamp: "now")
    let recovered = try ChangeStore(writing: folder.folder)
    #expect(recovered.node != store.node)
    try rename(ann, sea, "Lake", in: recovered)
    let new = try writer(of: sea, in: recovered)
    #expect(new != old && recovered.isOwn(new, by: ann) && recovered.isOwn(old, by: ann))
  }

  @Test func aForgottenChangeOfAMemberGivesUpAllIDs() throws {
    try rename(ann, sea, "Ocean")
    let (node, old) = (store.node, try writer(of: sea))
    let folder = try TemporaryLibrary()
    let later = try copy(folder)
    // What the files forgot: a change of the same id, with the number after the last one.
    let head = try #require(try store.frontier(of: palette)[old])
    let forgotten = Change(
      dot: Dot(old, head.sequence + 1),
      stamp: Stamp(milliseconds: 5),
      previous: head.link,
      record: sea,
      kind: .set,
      writes: [.init(.note, value: RegisterValue(text: "forgotten"))]
    )
    try store.merge([forgotten.encoded], into: palette)
    #expect(store.rollbackCount == 1 && store.node != node)
    try rename(ann, sea, "Lake")
    #expect(try writer(of: sea) != old)
    // A copy has given the id up already.
    let copied = later.node
    try later.merge([forgotten.encoded], into: palette)
    #expect(later.rollbackCount == 0 && later.node == copied)
  }

  @Test func aMemberWritesWhatSomebodySaysToHaveSeen() throws {
    try rename(ann, sea, "Ocean")
    let old = try writer(of: sea)
    let lie = Change(
      dot: Dot(NodeID(77), 1),
      stamp: Stamp(milliseconds: 5),
      previous: 0,
      record: sea,
      kind: .delete,
      covers: (1...9).map { SeenDot(Dot(old, $0), proof: 5) }
    )
    try store.merge([lie.encoded], into: palette)
    try rename(ann, sea, "Lake")
    #expect(try writer(of: sea) == old)
    #expect(try store.colors(of: palette).map(\.color.name) == ["Lake"])
    #expect(try store.verify(palette) == [])
  }

  @Test func aTransactionThatFailsTakesNoID() throws {
    for isInGroup in [false, true] {
      let attempt = {
        _ = #expect(throws: StoreError.self) {
          try store.write(as: ann) { transaction throws(StoreError) in
            _ = try transaction.palette(palette)?.author(.delete(sea))
            throw StoreError(code: .failed, message: "no")
          }
        }
      }
      if isInGroup { try store.group(attempt) } else { attempt() }
      #expect(store.identities == [store.node])
    }
  }

  @Test func whatIsIssuedAgainStaysItsAuthors() throws {
    let lake = RecordID(high: 1, low: 3)
    try act(ann, Self.adding(lake, "Lake"))
    let old = try writer(of: lake)
    try rename(ann, sea, "Ocean")
    try rename(.library, lake, "Pond")
    let node = store.node
    let issued = try store.reissue([
      palette: Reissue(cuts: [old: .init(after: 0)])
    ])
    #expect(issued >= 2)
    #expect(store.node != node)
    let new = try writer(of: sea)
    #expect(new != old && store.isOwn(new, by: ann))
    #expect(store.isOwn(try writer(of: lake), by: .library))
    #expect(try undo(.library)?.changed == [lake])
    #expect(try undo(ann)?.changed == [sea])
    #expect(try name(sea) == "Sea")
    #expect(try undo(ann)?.skipped.map(\.record) == [lake])
    #expect(try store.verify(palette) == [])
  }

  /// What one author had compacted is not given up because another's stamps are put right.
  @Test func stampsArePutRightOnlyWhereNothingIsMissing() throws {
    let now = systemMilliseconds()
    let value = RegisterValue(text: "Ocean")
    try act(ann, .set(sea, [.name: value, .note: value]))
    try rename(.library, sea, "Lake")
    try act(.library, .delete(sea))
    _ = try store.compact(palette, beforeMilliseconds: now + 60_000)
    let before = (try store.frontier(of: palette), try store.digest())
    let shift = StampShift(milliseconds: 3_600_000, nowMilliseconds: now + 3_600_000)
    let reissues = try store.restamping(shift)
    #expect(reissues[palette] != nil)
    #expect(try store.reissue(reissues) == 0)
    #expect(try store.frontier(of: palette) == before.0)
    #expect(try store.digest() == before.1)
  }
}
