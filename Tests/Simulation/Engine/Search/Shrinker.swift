/// Takes out of a failing script whatever it fails without.
///
/// Steps go in chunks, from halves down to single ones, then machines, then what is left of steps
/// once more; a shorter script counts only when it fails in the same way.
public struct Shrinker {
  /// The most runs that this may take.
  private static let runLimit = 1_500

  private var script: Script
  private var violation: Violation
  private let run: (Script) -> Violation?
  private var runs = 0

  /// Begins with a script that fails in some way.
  ///
  /// - Parameters:
  ///   - script: The script.
  ///   - violation: How it fails.
  ///   - run: Runs a script and tells how it fails.
  public init(
    _ script: Script,
    _ violation: Violation,
    run: @escaping (Script) -> Violation? = { $0.run().violation }
  ) {
    self.script = script
    self.violation = violation
    self.run = run
  }

  /// The shortest script found, and how it fails.
  public static func shrink(_ shrinker: Self) -> (script: Script, violation: Violation) {
    var shrinker = shrinker
    shrinker.removeSteps()
    shrinker.removeMachines()
    shrinker.removeSteps()
    return (shrinker.script, shrinker.violation)
  }

  private mutating func accepts(_ candidate: Script) -> Bool {
    guard runs < Self.runLimit else { return false }
    runs += 1
    guard let found = run(candidate), found.kind == violation.kind else { return false }
    script = candidate
    violation = found
    return true
  }

  private mutating func removeSteps() {
    var size = max(1, script.steps.count / 2)
    while true {
      var start = 0
      var hasTaken = false
      while start < script.steps.count {
        var rest = script.steps
        rest.removeSubrange(start..<min(start + size, rest.count))
        if accepts(script.keeping(rest)) { hasTaken = true } else { start += size }
      }
      guard size > 1 || hasTaken else { return }
      size = max(1, size / 2)
    }
  }

  private mutating func removeMachines() {
    for machine in (0..<Script.machineLimit).reversed() {
      let candidate = script.without(machine)
      guard candidate.edges != script.edges || candidate.steps != script.steps else { continue }
      _ = accepts(candidate)
    }
  }
}

extension Script.Event {
  /// The machines that it is about.
  var machines: [Int] {
    switch self {
    case .edit(let machine, _, _): return [machine]
    case .fault(let fault): return fault.machines
    }
  }
}

extension Fault {
  /// The machines that it is about.
  var machines: [Int] {
    switch self {
    case .cut(let one, let other, _), .distort(let one, let other, _, _),
      .revoke(let one, let other),
      .share(let one, let other), .leave(let one, let other, _):
      [one, other]
    case .move(let one, let other, let third): [one, other, third]
    case .partition(let some, _): some
    case .slowReader(let machine, _), .crash(let machine, _, _, _), .powerLoss(let machine, _),
      .restart(let machine, _), .diskFailure(let machine, _, _, _), .clockJump(let machine, _),
      .slowDisk(let machine, _), .look(let machine, _, _), .fetchHistory(let machine, _),
      .backup(let machine), .recover(let machine), .image(let machine), .rollBack(let machine, _),
      .versions(let machine, _), .syncNow(let machine), .file(let machine, _, _):
      [machine]
    case .clone(let machine, let new): [machine, new]
    case .revokeOne(let edge), .giveBack(let edge, _): [edge.dialer, edge.hub]
    }
  }
}
