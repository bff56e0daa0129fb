import PaletteSimulation

/// Runs every n-th seed, and says on stdout which it begins and how each ends.
///
/// The seeds of a worker are those of its share; a failure comes with its report, line by line.
struct Worker {
  private let arguments: Arguments

  init(_ arguments: Arguments) {
    self.arguments = arguments
  }

  func run() {
    let share = arguments.share ?? 0
    var failures = 0
    var offset = share
    while offset < arguments.seeds ?? 0, failures < arguments.stopAfter {
      let seed = arguments.seed + offset
      say("begin \(seed)")
      let script = Script(seed: seed, linksFiles: arguments.linksFiles)
      let verdict = script.run()
      if let violation = verdict.violation {
        failures += 1
        HuedSimulate.report(script, violation, seed: seed, arguments)
        say("fail \(seed)")
      } else {
        say(
          "pass \(seed) \(verdict.edits) \(verdict.changes) \(verdict.frames) \(verdict.crashes) "
            + "\(verdict.snapshots)"
        )
      }
      offset += UInt64(arguments.workers)
    }
  }
}
