internal import PaletteMerge
internal import PaletteModel
internal import PaletteStore
internal import Synchronization

/// One call that carries out an edit plan.
final class LongEdit<Result: Answer>: StepwiseWork {
  /// The number of edits that are written at once.
  private static var partSize: Int { 250 }

  private enum Stage {
    case new
    /// It is no long edit: the command does it at once.
    case short
    /// It is being found out what is to be done.
    case planning(Swift.Result<PlannedEdit, any Error>?)
    case writing(PlannedEdit)
    /// All is written, and durable where `isDurable` says so.
    case answering(PlannedEdit, Swift.Result<[UInt8], any Error>?)
  }

  private struct State {
    var stage = Stage.new
    var palette: PaletteID?
    var failure: (any Error)?
    var isDurable = false

    /// True if something is written that has to be completed or taken back.
    var hasBegun: Bool {
      switch stage {
      case .writing(let planned): planned.action.map { !$0.isNew } ?? false
      case .answering: true
      case .new, .short, .planning: false
      }
    }
  }

  private let plan: EditPlan<Result>
  private let state = Mutex(State())

  init(_ plan: EditPlan<Result>) {
    self.plan = plan
  }

  var hasBegun: Bool { state.withLock(\.hasBegun) }

  var answer: [UInt8]? {
    state.withLock { state in
      if case .answering(_, .success(let bytes)) = state.stage { bytes } else { nil }
    }
  }

  func fail(_ error: APIError) -> Bool {
    state.withLock { state in
      guard state.hasBegun, !state.isDurable else { return false }
      state.failure = error
      return true
    }
  }

  func advance(_ call: LibraryCall) throws -> Unfinished? {
    try state.withLock { state in
      if let failure = state.failure {
        guard takeBack(&state, call) else { throw failure }
        return Unfinished(work: nil)
      }
      do {
        return try goOn(&state, call)
      } catch {
        if state.hasBegun, !state.isDurable {
          state.failure = error
          return Unfinished(work: nil)
        }
        throw error
      }
    }
  }

  private func goOn(_ state: inout State, _ call: LibraryCall) throws -> Unfinished? {
    switch state.stage {
    case .new:
      let (store, palette) = try call.editedPalette()
      let isLong = try plan.isLong(.init(call: call, store: store, palette: palette))
      state.palette = palette.id
      state.stage = isLong ? .planning(nil) : .short
      return isLong ? Unfinished(work: planning(call)) : nil
    case .short, .planning(nil): return nil
    case .planning(let result?):
      state.stage = .writing(try result.get())
      return try goOn(&state, call)
    case .writing(let planned): return try write(planned, &state, call)
    case .answering(_, let result):
      _ = try result?.get()
      return nil
    }
  }

  // MARK: Beside the loop

  private func planning(_ call: LibraryCall) -> @Sendable () -> Void {
    let beside = CallBeside(call)
    return { [self] in
      let palette = state.withLock(\.palette)
      let result = Swift.Result { try beside.read(palette) { try plan.plan($0) } }
      state.withLock { $0.stage = .planning(result) }
    }
  }

  private func answering(_ planned: PlannedEdit, _ call: LibraryCall) -> @Sendable () -> Void {
    let beside = CallBeside(call)
    return { [self] in
      // It began when what was written had become durable, or had not.
      let palette = state.withLock { state in
        state.isDurable = state.failure == nil
        return state.isDurable ? state.palette : nil
      }
      guard let palette else { return }
      let result = Swift.Result { try beside.read(palette) { try plan.answer($0, planned).bytes } }
      state.withLock { $0.stage = .answering(planned, result) }
    }
  }

  // MARK: Writing

  private func write(
    _ planned: PlannedEdit,
    _ state: inout State,
    _ call: LibraryCall
  ) throws -> Unfinished? {
    let (store, palette) = try call.editedPalette()
    guard var action = planned.action else {
      state.stage = .answering(planned, nil)
      return Unfinished(work: answering(planned, call))
    }
    try call.library.report(
      Progress("Editing", .colors, done: action.count - action.left, of: action.count)
    )
    let isLast = action.left <= Self.partSize
    let id = state.palette ?? palette.id
    var isNext = true
    let write = {
      try store.write(as: call.author) { transaction throws(StoreError) in
        guard let writer = try transaction.palette(id) else { return }
        if action.isNew { isNext = try action.isNext(in: writer) }
        if isNext { try action.write(in: writer, atMost: isLast ? nil : Self.partSize) }
      }
    }
    if isLast, let edit = try call.parameters.optionalID("edit") {
      try store.naming(edit, by: call.author, write)
    } else {
      try write()
    }
    guard isNext else {
      // The author undid or made something else meanwhile, so it is another action's turn.
      state.stage = .planning(nil)
      return Unfinished(work: planning(call))
    }
    var written = planned
    written.action = action
    state.stage = isLast ? .answering(written, nil) : .writing(written)
    return Unfinished(work: isLast ? answering(written, call) : nil)
  }

  /// Takes back the newest part of what was written.
  ///
  /// - Returns: Whether there is more.
  private func takeBack(_ state: inout State, _ call: LibraryCall) -> Bool {
    let planned: PlannedEdit
    switch state.stage {
    case .writing(let written), .answering(let written, _): planned = written
    case .new, .short, .planning: return false
    }
    guard let palette = state.palette, var action = planned.action,
      let store = try? call.library.editing()
    else { return false }
    var isLeft = false
    // Where that fails too, it is taken back when the library is next opened.
    try? store.write(as: call.author) { transaction throws(StoreError) in
      guard let writer = try transaction.palette(palette) else { return }
      isLeft = try action.revertPart(in: writer)
    }
    var rest = planned
    rest.action = isLeft ? action : nil
    state.stage = .writing(rest)
    return isLeft
  }
}

/// A call whose library is read beside the thread that carries it out.
private struct CallBeside: Sendable {
  private let parameters: Parameters
  private let author: AuthorID
  private let library: LibraryBeside

  init(_ call: LibraryCall) {
    parameters = call.parameters
    author = call.author
    library = LibraryBeside(call.library)
  }

  /// Reads from one state of a palette.
  func read<Result>(
    _ palette: PaletteID?,
    _ body: (EditSubject) throws -> Result
  ) throws -> Result {
    guard let palette, let store = try library.reading() else {
      throw APIError(code: "failed", message: "the library cannot be read")
    }
    let call = LibraryCall(parameters: parameters, library: library, author: author)
    return try store.read {
      guard let summary = try store.summary(of: palette), !summary.isDropped else {
        throw LibraryCall.missing(try parameters.text("palette"))
      }
      return try body(EditSubject(call: call, store: store, palette: summary))
    }
  }
}
