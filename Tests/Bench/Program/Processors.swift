import CProcessors

/// The processors on which the threads of a workload run.
enum Processors {
  /// Runs `body`, and for good each thread that it starts, on one of the processors of this process.
  ///
  /// Nodes of two machines have a processor each. In one process the kernel wakes the second one
  /// where the first one works, and moves it elsewhere only milliseconds later.
  static func onOne<Result>(_ number: Int32, _ body: () throws -> Result) rethrows -> Result {
    var all = cpu_set_t()
    let count = cprocessors_allowed(&all)
    guard count > 1 else { return try body() }
    var one = cprocessors_one(&all, number % count)
    cprocessors_use(&one)
    defer { cprocessors_use(&all) }
    return try body()
  }
}
