import PalettePlatform
import PaletteSimulation

/// Shares seeds among worker processes, and tells in order of seeds what they found.
///
/// Processes, because a seed that crashes the program is a failure to be told like any other.
struct Overseer {
  private let arguments: Arguments
  private let seeds: UInt64
  private var reports: [UInt64: [String]] = [:]
  private var passed: UInt64 = 0
  private var totals = [0, 0, 0, 0, 0]

  init(_ arguments: Arguments, seeds: UInt64) {
    self.arguments = arguments
    self.seeds = seeds
  }

  /// Runs all seeds; true when all pass.
  func run() -> Bool {
    var overseer = self
    return overseer.runAll()
  }

  private mutating func runAll() -> Bool {
    let count = min(UInt64(arguments.workers), seeds)
    var workers = (0..<count).map {
      WorkerProcess(arguments, seeds: seeds, share: $0, stride: count)
    }
    while let index = WorkerProcess.ready(workers) {
      while let line = workers[index].nextLine() { take(line, from: &workers[index]) }
      guard workers[index].hasEnded else { continue }
      workers[index].reap()
      if let seed = workers[index].current { crashed(seed, &workers[index]) }
    }
    for line in reports.keys.sorted().flatMap({ reports[$0] ?? [] }) { say(line) }
    let names = ["edits", "changes", "frames", "power losses", "snapshots"]
    let sums = zip(totals, names).map { "\($0) \($1)" }.joined(separator: ", ")
    if reports.isEmpty {
      say(sums)
      say("\(passed) seeds passed (first seed \(arguments.seed))")
    } else {
      say("\(reports.count) seeds failed, \(passed) passed (first seed \(arguments.seed))")
    }
    return reports.isEmpty
  }

  private mutating func take(_ line: String, from worker: inout WorkerProcess) {
    let words = line.split(separator: " ")
    switch words.first {
    case "begin": worker.current = words.last.flatMap { UInt64($0) }
    case "pass":
      passed += 1
      for (index, word) in words.dropFirst(2).enumerated() { totals[index] += Int(word) ?? 0 }
      worker.current = nil
      tellProgress()
    case "fail":
      if let seed = worker.current { reports[seed] = worker.report }
      worker.report = []
      worker.current = nil
    default: worker.report.append(line)
    }
  }

  /// A worker is gone in the middle of a seed; another one goes on behind it.
  private mutating func crashed(_ seed: UInt64, _ worker: inout WorkerProcess) {
    reports[seed] = [
      "seed \(seed) failed: crashed: the program ended by signal \(worker.signal)",
      "replay: Scripts/simulate --seed \(seed)\(arguments.linksFiles ? " --files" : "")",
    ]
    worker.current = nil
    worker.report = []
    if reports.count < arguments.stopAfter { worker.restart(behind: seed) }
  }

  private func tellProgress() {
    guard passed % 1_000 == 0, isatty(2) == 1 else { return }
    say("\(passed) passed ...", to: 2)
  }
}
