internal import PaletteFormats
internal import PaletteModel
internal import PaletteStore
internal import Synchronization

/// The import of one palette, of which each turn of a node does a part: reading the palette, comparing it,
/// which is done beside the node's loop, and writing.
final class LongImport: StepwiseWork {
  /// The number of edits that are written at once; a turn of the node takes as many parts as it has
  /// time.
  private static let editLimit = 500
  /// The number of colors that are compared at once, where that takes no longer than to have it
  /// done elsewhere.
  private static let compareLimit = 2_000

  private let state: Mutex<State>
  private let name: String?

  private struct State {
    var files: [ImportFile]
    var isPlanned = false
    var planned: PaletteImport?
    var action: LongAction?
    var failure: (any Error)?

    /// True if parts were written, and others are missing.
    var hasBegun: Bool { action.map { !$0.isNew } ?? false }

    mutating func compare() {
      do {
        guard try planned?.compare(&files) != nil else { return }
        action = planned?.action
      } catch {
        failure = error
      }
    }
  }

  private init(_ files: [ImportFile], into name: String?) {
    state = Mutex(State(files: files))
    self.name = name
  }

  /// An import in pieces, one for each palette.
  ///
  /// A title that may be the id of a palette leads to one that may have another name, too: then all of
  /// it is one piece.
  static func pieces(of files: [ImportFile], into name: String?) -> [PreparedCall] {
    let titles = files.map { $0.title ?? "" }
    let sizes = files.map(\.contents.entries.count)
    if files.isEmpty || name == nil && titles.contains(where: { PaletteID($0) != nil }) {
      let size = sizes.reduce(0, +)
      return [PreparedCall(files, indexes: Array(files.indices), size: size)]
    }
    var groups: [[Int]] = []
    var numbers: [[UInt8]: Int] = [:]
    for (index, title) in titles.enumerated() {
      let key = name == nil ? Array(title.utf8) : []
      if let number = numbers[key] {
        groups[number].append(index)
      } else {
        numbers[key] = groups.count
        groups.append([index])
      }
    }
    return groups.map { group in
      PreparedCall(
        LongImport(group.map { files[$0] }, into: name),
        indexes: group,
        size: group.reduce(0) { $0 + sizes[$1] }
      )
    }
  }

  var hasBegun: Bool { state.withLock { $0.hasBegun } }

  func advance(_ call: LibraryCall) throws -> Unfinished? {
    let store = try call.library.creating()
    return try state.withLock { state in
      if state.hasBegun, let failure = state.failure {
        guard takeBack(&state, in: store, as: call.author) else { throw failure }
        return Unfinished(work: nil)
      }
      return try takingBack(&state, in: store, as: call.author) { state in
        if !state.isPlanned {
          state.isPlanned = true
          if let comparing = try plan(&state, in: store) { return comparing }
        }
        if let failure = state.failure { throw failure }
        guard let action = state.action else { return nil }
        let progress = Progress(
          "Importing",
          .colors,
          done: action.count - action.left,
          of: action.count
        )
        try call.library.report(progress)
        guard action.left > Self.editLimit else { return nil }
        try write(&state, in: store, as: call.author, atMost: Self.editLimit)
        return Unfinished(work: nil)
      }
    }
  }

  /// Finds the palette of the files, and compares it with them or gives that as work.
  private func plan(_ state: inout State, in store: ChangeStore) throws -> Unfinished? {
    guard var planned = try store.imports(of: &state.files, into: name).first,
      let count = try planned.load(&state.files, from: store)
    else { return nil }
    state.planned = planned
    guard count > Self.compareLimit else {
      state.compare()
      return nil
    }
    return Unfinished { [self] in
      // The node may ask meanwhile how far this is.
      var copy = self.state.withLock { $0 }
      copy.compare()
      self.state.withLock { [copy] in $0 = copy }
    }
  }

  /// Writes the last part, and gives the files.
  func finish(in store: ChangeStore, as author: AuthorID) throws -> [ImportFile] {
    try state.withLock { state in
      try takingBack(&state, in: store, as: author) { state in
        try write(&state, in: store, as: author, atMost: nil)
        return state.files
      }
    }
  }

  func fail(_ error: APIError) -> Bool {
    state.withLock { state in
      if state.hasBegun { state.failure = error }
      return state.hasBegun
    }
  }

  private func write(
    _ state: inout State,
    in store: ChangeStore,
    as author: AuthorID,
    atMost limit: Int?
  ) throws {
    guard let palette = state.planned, var action = state.action else { return }
    try store.write(as: author) { transaction throws(StoreError) in
      let writer = try transaction.palette(beginning: palette.palette)
      if action.isNew, let name = palette.name { try writer.begin(named: name) }
      try action.write(in: writer, atMost: limit)
    }
    state.action = action
  }

  /// Runs `body`; where it throws, what was written before is taken back.
  private func takingBack<Result>(
    _ state: inout State,
    in store: ChangeStore,
    as author: AuthorID,
    _ body: (inout State) throws -> Result
  ) throws -> Result {
    do {
      return try body(&state)
    } catch {
      if state.hasBegun { while takeBack(&state, in: store, as: author) {} }
      throw error
    }
  }

  /// Takes back the newest part of what was written.
  ///
  /// - Returns: Whether there is more.
  private func takeBack(_ state: inout State, in store: ChangeStore, as author: AuthorID) -> Bool {
    guard let palette = state.planned?.palette, var action = state.action else { return false }
    var isLeft = false
    // Where that fails too, it is taken back when the library is next opened.
    try? store.write(as: author) { transaction throws(StoreError) in
      guard let writer = try transaction.palette(palette) else { return }
      isLeft = try action.revertPart(in: writer)
    }
    state.action = isLeft ? action : nil
    return isLeft
  }
}
