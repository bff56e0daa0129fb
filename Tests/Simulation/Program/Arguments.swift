/// The arguments of the command line.
struct Arguments {
  static let help = """
    Usage: hued-simulate --seeds N [--seed S] [--files] [--workers N] [--no-shrink] [--stop-after N]
           hued-simulate --seed S [--files] [--steps LIST] [--without MACHINES] [--trace]

    Runs fleets of nodes on simulated machines: N seeds from S on (1 by default), or one seed alone.
    A seed is a whole life of a fleet, and always the same one. A seed that fails is shortened to the
    steps that it fails with.

      --seeds N        run N seeds
      --seed S         the first seed; alone, the only one
      --files          link files in many of the lives
      --workers N      processes to share the seeds (2 by default)
      --no-shrink      tell failing seeds without shortening them
      --stop-after N   end after N failing seeds
      --steps LIST     only these steps, such as 1-4,9
      --without M      without these machines, such as BD
      --trace          tell every message of the run
    """

  var seeds: UInt64?
  var seed: UInt64 = 1
  var workers = 2
  var shrinks = true
  /// True if lives may have linked files.
  var linksFiles = false
  var stopAfter = Int.max
  var steps: String?
  var absent = ""
  var traces = false
  /// For a worker: which seeds are its own.
  var share: UInt64?

  init?(_ words: [String]) {
    var words = words[...]
    func number<Value: FixedWidthInteger>(_ words: inout ArraySlice<String>) -> Value? {
      words.popFirst().flatMap { Value($0) }
    }
    while let word = words.popFirst() {
      switch word {
      case "--seeds":
        guard let number: UInt64 = number(&words), number > 0 else { return nil }
        seeds = number
      case "--seed":
        guard let number: UInt64 = number(&words) else { return nil }
        seed = number
      case "--workers":
        guard let number: Int = number(&words), (1...64).contains(number) else { return nil }
        workers = number
      case "--stop-after":
        guard let number: Int = number(&words), number > 0 else { return nil }
        stopAfter = number
      case "--share":
        guard let number: UInt64 = number(&words) else { return nil }
        share = number
      case "--steps":
        guard let list = words.popFirst() else { return nil }
        steps = list
      case "--without":
        guard let machines = words.popFirst() else { return nil }
        absent = machines
      case "--no-shrink": shrinks = false
      case "--files": linksFiles = true
      case "--trace": traces = true
      default: return nil
      }
    }
  }
}
