extension Script {
  /// The script with only those steps whose numbers are in a list such as `1-4,9`, and without the
  /// machines whose names are in another; nil when a list is none.
  ///
  /// So a shortened script has a line that brings it back, whatever it was shortened from.
  public func keeping(steps list: String, without absent: String = "") -> Script? {
    var numbers: Set<Int> = []
    for part in list.split(separator: ",") {
      let ends = part.split(separator: "-").map { Int($0) }
      guard ends.count <= 2, let first = ends.first ?? nil, let last = ends.last ?? nil,
        first <= last, last <= steps.count
      else { return nil }
      numbers.formUnion(first...last)
    }
    var script = keeping(steps.filter { numbers.contains($0.number) })
    for machine in (0..<Script.machineLimit).reversed() where absent.contains(Self.name(machine)) {
      script = script.without(machine)
    }
    return script
  }

  /// The numbers of the steps, as `keeping` takes them.
  public var stepList: String {
    var runs: [ClosedRange<Int>] = []
    for number in steps.map(\.number).sorted() {
      if let last = runs.last, last.upperBound + 1 == number {
        runs[runs.count - 1] = last.lowerBound...number
      } else {
        runs.append(number...number)
      }
    }
    return runs.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }
      .joined(separator: ",")
  }

  /// The names of the machines that are without a connection or a step.
  public var absentMachines: String {
    (0..<machines).filter { machine in
      !edges.contains { $0.dialer == machine || $0.hub == machine }
        && !steps.contains { $0.event.machines.contains(machine) }
    }.map(Self.name).joined()
  }

  /// The script without a machine: nobody is connected with it, and nothing happens to it.
  func without(_ machine: Int) -> Script {
    var script = self
    script.edges.removeAll { $0.dialer == machine || $0.hub == machine }
    script.steps.removeAll { $0.event.machines.contains(machine) }
    return script
  }
}
