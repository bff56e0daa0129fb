import PalettePlatform

/// Measures the library itself, beside peers that are given the same workloads.
///
///     hued-bench W1 [-n COLORS]                 import into an empty library
///     hued-bench W2 [-n COLORS] [--edits EDITS] a fresh node catches up with a long history
///     hued-bench W3 [-n COLORS] [--edits EDITS] two nodes merge what each edited offline
///     hued-bench W6 [-n COLORS] [-k CHANGES]    difference of two lists
///     hued-bench W7 [-n COLORS] [--edits EDITS] cold start in a fresh process
///     hued-bench GROWTH [PART [SIZE...]]        what an item costs as libraries grow
///
///     hued-bench server --port PORT --db PATH --colors COLORS   a node, and clients of it:
///     hued-bench writer PORT EDITS RATE COLORS
///     hued-bench watcher PORT EDITS TIMEOUT
///
/// Each metric is one JSON object on a line of its own. Libraries are made in HUED_BENCH_FOLDER, else
/// in TMPDIR, else in /tmp, and deleted again; that should be a disk, or durability costs nothing.
@main
struct HuedBench {
  static func main() {
    do {
      try run(CommandLine.arguments)
    } catch {
      let text = "hued-bench: \(error)\n"
      write(2, text, text.utf8.count)
      exit(1)
    }
  }

  private static func run(_ words: [String]) throws {
    if words.count == 4, words[1] == "read" {
      return try ColdStartBench.read(words[2], wanted: words[3])
    }
    if let networked = try network(words.dropFirst()) { return try networked() }
    if words.dropFirst().first == "GROWTH" {
      let sizes = words.dropFirst(3).compactMap { Int($0) }
      return try GrowthBench().run(words.dropFirst(2).first, sizes: sizes)
    }
    let arguments = try BenchArguments(words.dropFirst(2))
    let count = arguments.number("-n", 100_000)
    switch words.dropFirst().first {
    case "W1": try ImportBench(count: count).run()
    case "W3":
      let few = arguments.number("-n", 10_000)
      try MergeBench(count: few, edits: arguments.number("--edits", few)).run()
    case "W6":
      var bench = DiffBench(count: count, scattered: arguments.number("-k", max(1, count / 100)))
      bench.block = arguments.number("--block", 20_000)
      bench.shuffled = arguments.number("--shuffle", 5_000)
      try bench.run()
    case "W7": try ColdStartBench(count: count, edits: arguments.number("--edits", count)).run()
    default:
      throw BenchError("say which workload: W1, W2, W3, W6, W7, GROWTH, server, writer, watcher")
    }
  }
}
