import PaletteMerge
import PaletteModel
import PaletteSync
import PaletteTestSupport

@testable import PaletteStore

extension FuzzTarget {
  static let store = FuzzTarget(
    name: "store",
    summary: "changes and snapshots from strangers, into a library on disk",
    lengthLimit: 4096,
    seeds: {
      try snapshots().map { [0] + $0 } + [[1] + .joining(try Examples.state().changes)]
    },
    check: { bytes in
      guard let kind = bytes.first else { return }
      let rest = Array(bytes.dropFirst())
      if kind.isMultiple(of: 2) {
        guard let snapshot = try? Snapshot(decoding: rest) else { return }
        try StoreUnderTest.shared.check(snapshot)
      } else {
        try StoreUnderTest.shared.check(rest.chunks)
      }
    }
  )
}

/// One library whose every transaction is rolled back.
private final class StoreUnderTest {
  nonisolated(unsafe) static let shared = StoreUnderTest()

  private let folder: TemporaryLibrary
  private let store: ChangeStore
  /// What the library holds before each check.
  private let state: PaletteState

  private init() {
    do {
      folder = try TemporaryLibrary()
      let store = try ChangeStore(writing: folder.folder)
      let (state, changes) = try Examples.state()
      try store.write { transaction throws(StoreError) in
        let writer = try transaction.palette(beginning: Examples.palette)
        for change in changes { _ = try writer.merge(change) }
      }
      (self.store, self.state) = (store, state)
    } catch {
      fatalError("no library: \(error)")
    }
  }

  /// The store takes the snapshot if the value does, and comes to the same.
  func check(_ snapshot: Snapshot) throws {
    var state = self.state
    let expected = Self.refusal { () throws(Refusal) in try state.merge(snapshot) }
    try rollingBack { writer in
      let refusal = try SnapshotMerge(into: writer).merge(snapshot).refusal.map { "\($0)" }
      try ensure(refusal == expected, "store: \(refusal ?? "taken"), value: \(expected ?? "taken")")
      return expected == nil ? state : nil
    }
  }

  /// The store takes the changes that the value takes, and comes to the same.
  func check(_ changes: [[UInt8]]) throws {
    try rollingBack { writer in
      var state = self.state
      for bytes in changes {
        var isNew = false
        let expected = Self.refusal { () throws(Refusal) in isNew = try state.merge(bytes) }
        switch try writer.merge(bytes) {
        case .merged: try ensure(expected == nil && isNew, "the store alone takes it")
        case .held: try ensure(expected == nil && !isNew, "the store alone knows it")
        case .refused(let refusal): try ensure("\(refusal)" == expected, "refused: \(refusal)")
        }
      }
      return state
    }
  }

  private static func refusal(_ body: () throws(Refusal) -> Void) -> String? {
    do throws(Refusal) {
      try body()
      return nil
    } catch {
      return "\(error)"
    }
  }

  /// Writes, compares what the store came to with what was expected, and takes it back.
  private func rollingBack(_ body: (PaletteWriter) throws -> PaletteState?) throws {
    var outcome: Result<Void, any Error> = .success(())
    let undone = StoreError(code: .interrupted, message: "rolled back")
    do throws(StoreError) {
      try store.write { transaction throws(StoreError) in
        let writer = try transaction.palette(beginning: Examples.palette)
        outcome = Result {
          guard let expected = try body(writer) else { return }
          try transaction.flush()
          try self.compare(expected)
        }
        throw undone
      }
    } catch {
      try ensure(error.message == undone.message, "\(error)")
    }
    try outcome.get()
  }

  private func compare(_ expected: PaletteState) throws {
    let palette = Examples.palette
    try ensure(try store.digest(of: palette) == expected.digest, "the digests differ")
    try ensure(try store.frontier(of: palette) == expected.frontier, "the frontiers differ")
    let listed = try store.colors(of: palette).map(\.color.id)
    try ensure(listed == expected.listed, "other colors are listed")
    let problems = try store.verify(palette)
    try ensure(problems.isEmpty, "\(problems)")
  }
}
