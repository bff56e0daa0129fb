import PaletteStore

extension HuedBench {
  /// The workload between nodes that the words name, if they name one.
  static func network(_ words: ArraySlice<String>) throws -> (() throws -> Void)? {
    let rest = words.dropFirst()
    switch words.first {
    case "W2":
      let arguments = try BenchArguments(rest)
      let count = arguments.number("-n", 100_000)
      return CatchUpBench(
        count: count,
        edits: arguments.number("--edits", count),
        repetitions: arguments.number("--repetitions", 1)
      ).run
    case "prepare":
      return { print(try ColdStartBench.prepare(LibraryFolder(rest.joined()), 100_000, 100_000)) }
    case "hub": return { try CatchUpBench.serve(rest.joined()) }
    case "catch-up":
      return { try CatchUpBench.catchUp(rest.first ?? "", wanted: rest.last ?? "") }
    case "joiner": return { try JoinBench.join(rest.first ?? "") }
    case "server": return try BenchHub(WordArguments(rest)).run
    case "writer": return try BenchWriter(WordArguments(rest)).run
    case "watcher": return try BenchWatcher(WordArguments(rest)).run
    default: return nil
    }
  }
}
