import PalettePlatform
import PaletteSimulation

/// `hued-simulate`: runs seeds, and tells which fail and with what.
@main
enum HuedSimulate {
  static func main() {
    let words = Array(CommandLine.arguments.dropFirst())
    guard let arguments = Arguments(words) else {
      say(Arguments.help)
      exit(words == ["--help"] ? 0 : 2)
    }
    if arguments.share != nil {
      Worker(arguments).run()
    } else if let seeds = arguments.seeds {
      exit(Overseer(arguments, seeds: seeds).run() ? 0 : 1)
    } else {
      exit(replay(arguments) ? 0 : 1)
    }
  }

  /// Runs one seed, or a part of it; true when it passes.
  private static func replay(_ arguments: Arguments) -> Bool {
    let whole = Script(seed: arguments.seed, linksFiles: arguments.linksFiles)
    let steps = arguments.steps ?? whole.stepList
    guard let script = whole.keeping(steps: steps, without: arguments.absent) else {
      say("There are no such steps: \(steps)")
      exit(2)
    }
    let verdict = script.run(tracing: arguments.traces ? { say($0) } : nil)
    guard let violation = verdict.violation else {
      say("passed: \(verdict.summary)")
      return true
    }
    report(script, violation, seed: arguments.seed, arguments)
    return false
  }

  /// Tells how a script fails, in as few steps as it takes.
  static func report(
    _ script: Script,
    _ violation: Violation,
    seed: UInt64,
    _ arguments: Arguments
  ) {
    let shrinks = arguments.shrinks && !arguments.traces
    var (script, violation) = (script, violation)
    if shrinks {
      say("seed \(seed) fails (\(violation.kind)) and is being shortened ...", to: 2)
      (script, violation) = Shrinker.shrink(Shrinker(script, violation))
    }
    let absent = script.absentMachines
    say("seed \(seed) failed: \(violation)")
    if shrinks { say(script) }
    say(
      "replay: Scripts/simulate --seed \(seed)\(arguments.linksFiles ? " --files" : "") --steps \(script.stepList)"
        + (absent.isEmpty ? "" : " --without \(absent)")
    )
  }
}
