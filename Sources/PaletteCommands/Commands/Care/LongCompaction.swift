internal import PaletteMerge
internal import PaletteModel
internal import PaletteStore
internal import Synchronization

/// The compaction of a library by a node: found beside its loop, and removed a little in each turn.
final class LongCompaction: StepwiseWork {
  /// The palettes that are planned at once, unless before those something is found.
  private static let planSize = 1_000
  /// The number of times that a palette is planned, where others alter its log meanwhile; the rest waits for
  /// the next compaction.
  private static let attempts = 3

  private enum Stage {
    case new
    /// It is being found out what is to be removed, of some of the palettes that wait.
    case planning(Swift.Result<[CompactionPlan], any Error>?)
    /// Plans are carried out, the last one first.
    case removing([CompactionPlan])
    /// It is being counted what members have written.
    case counting(Swift.Result<[Int64: Int], any Error>?)
    case answered([UInt8])
  }

  /// A palette that waits.
  private struct Waiting {
    let palette: PaletteSummary
    var attempts = 0
    /// The changes of it that were removed so far.
    var removed = CompactionSummary()
  }

  private struct State {
    var stage = Stage.new
    var answer: CompactionAnswer?
    var count = 0
    /// The palettes that are not compacted, the next one last.
    var waiting: [Waiting] = []
    var hasBegun = false

    /// Counts the next palette, whose plan is carried out.
    mutating func end(_ plan: CompactionPlan) {
      guard let next = waiting.popLast() else { return }
      var summary = plan.summary
      summary.add(next.removed)
      answer?.add(summary, of: next.palette)
    }

    /// Plans the next palette again after its plan ended early, for a limited number of attempts.
    mutating func giveUp(_ plan: CompactionPlan, after limit: Int) {
      guard var next = waiting.popLast() else { return }
      next.attempts += 1
      next.removed.add(plan.summary)
      if next.attempts == limit {
        answer?.add(next.removed, of: next.palette)
      } else {
        // What is left is looked at again.
        next.removed.changes -= plan.summary.changes - plan.summary.removed
        waiting.append(next)
      }
    }
  }

  private let state = Mutex(State())

  var hasBegun: Bool { state.withLock(\.hasBegun) }

  var answer: [UInt8]? {
    state.withLock { state in
      if case .answered(let bytes) = state.stage { bytes } else { nil }
    }
  }

  /// Each step is durable by itself, and right without the others.
  func fail(_ error: APIError) -> Bool { false }

  func advance(_ call: LibraryCall) throws -> Unfinished? {
    guard let store = try call.library.editing() else { return nil }
    if store.logNeedsCare {
      store.careForLog()
      return Unfinished(work: nil)
    }
    return try state.withLock { try advance(&$0, call, store) }
  }

  private func advance(
    _ state: inout State,
    _ call: LibraryCall,
    _ store: ChangeStore
  ) throws -> Unfinished? {
    switch state.stage {
    case .new:
      state.answer = CompactionAnswer(horizon: try CompactionAnswer.horizon(call))
      state.waiting = try store.palettes().reversed().map { Waiting(palette: $0) }
      state.count = state.waiting.count
      return try plan(&state, call, store)
    case .planning(let result):
      state.stage = .removing(try result?.get().reversed() ?? [])
      return Unfinished(work: nil)
    case .removing(var plans):
      while let done = plans.last, done.isDone {
        plans.removeLast()
        state.end(done)
      }
      state.stage = .removing(plans)
      guard var plan = plans.popLast() else { return try self.plan(&state, call, store) }
      guard try store.compact(&plan) else {
        state.giveUp(plan, after: Self.attempts)
        return try self.plan(&state, call, store)
      }
      state.hasBegun = true
      state.stage = .removing(plans + [plan])
      return Unfinished(work: nil)
    case .counting(let result):
      try store.members.written.add(try result?.get() ?? [:])
      try call.library.report(Progress("Giving space back"))
      // The node does the rest between what else it has to do.
      state.answer?.sizes = try store.tidy(within: 20)
      state.stage = .answered(state.answer?.bytes ?? [])
      return nil
    case .answered: return nil
    }
  }

  /// Finds out what is to be removed of the next palettes, or where there are none, what is left to members.
  private func plan(
    _ state: inout State,
    _ call: LibraryCall,
    _ store: ChangeStore
  ) throws -> Unfinished {
    guard let horizon = state.answer?.horizon, !state.waiting.isEmpty else {
      state.stage = .counting(nil)
      return beside(call) { [self] store in
        // What is counted has to be what is there.
        let result = Swift.Result { try store().members.written.corrections() }
        self.state.withLock { $0.stage = .counting(result) }
      }
    }
    let total = state.count
    let progress = Progress("Compacting", .palettes, done: total - state.waiting.count, of: total)
    try call.library.report(progress)
    let orders = try store.beginCompactions(
      of: state.waiting.suffix(Self.planSize).reversed().map(\.palette.id),
      beforeMilliseconds: horizon.milliseconds
    )
    state.stage = .planning(nil)
    return beside(call) { [self] store in
      let result = Swift.Result {
        let store = try store()
        var plans: [CompactionPlan] = []
        for order in orders where plans.last?.isDone ?? true {
          plans.append(try store.read { try store.planCompaction(order) })
        }
        return plans
      }
      self.state.withLock { $0.stage = .planning(result) }
    }
  }

  /// Work that reads the library beside the thread that writes it.
  private func beside(
    _ call: LibraryCall,
    _ body: @escaping @Sendable (() throws -> ChangeStore) -> Void
  ) -> Unfinished {
    let library = LibraryBeside(call.library)
    return Unfinished(
      work: {
        body {
          guard let store = try library.reading() else {
            throw APIError(code: "failed", message: "the library cannot be read")
          }
          return store
        }
      },
      isSlow: true
    )
  }
}
