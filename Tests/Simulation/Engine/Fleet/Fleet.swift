import PaletteModel
import PalettePeers
import PaletteStore
import PaletteSync
import PaletteTestSupport

/// A fleet of real nodes on simulated machines, as a script has it.
///
/// Store, sessions and node cores are the real ones. Time, disks, clocks, connections and users are
/// not, and nothing but the script decides about them.
final class Fleet {
  let script: Script
  let root: TemporaryLibrary
  var witness = Witness()
  var machines: [Machine] = []
  var edges: [Script.Edge]
  var wires: [UInt64: Wire] = [:]
  var queue = FleetEvents()
  /// Milliseconds since the start.
  var now: Int64 = 0
  /// The machines that cannot be reached by the others, and the end of that.
  var partitions: [(machines: Set<Int>, until: Int64)] = []
  var distortions: [(from: Int, to: Int, how: Fault.Distortion, until: Int64)] = []
  /// True if a library was replaced by its backup: then a peer may hold less than it has said.
  var hasRecovered = false
  /// True if a machine took the time from a hub that lies while it heard nobody else.
  var isTimeLiedAbout = false
  /// From here on everything works.
  var isHealing = false
  var lastWire: UInt64 = 0
  var pairCounts: [Int: UInt64] = [:]
  var counts = Counts()
  /// Members and hubs that say what is not so; machines behind the honest ones stand for them.
  var liars: [Liar] = []
  /// The members that were sent away: by whom, and the ids under which they wrote.
  var revocations: [Script.Edge: Set<NodeID>] = [:]
  /// The codes with which libraries joined others last.
  var codes: [Script.Edge: [UInt8]] = [:]
  /// The time at which a machine was last seen to have a grant at a hub for a palette, or for all,
  /// if it has several.
  var rightsSeen: [Int: [PaletteID?: Int64]] = [:]
  /// Is told what happens, line by line.
  var trace: ((String) -> Void)?
  /// The step that is being taken, for messages.
  var step = 0

  /// The number of events.
  struct Counts {
    var edits = 0
    var changes = 0
    var frames = 0
    var crashes = 0
    var snapshots = 0
    var connections = 0
    var lies = 0
    var links = 0
    var fileWrites = 0
    var fileEdits = 0
  }

  static let start: Int64 = 1_700_000_000_000
  static let liarLimit = 4

  init(_ script: Script) throws {
    self.script = script
    edges = script.edges
    root = try TemporaryLibrary(inMemory: ())
    try root.folder.create()
    for index in 0..<Script.machineLimit + Self.liarLimit {
      machines.append(try Machine(index, in: root.folder.path))
    }
  }

  /// Runs the script and sees what is left after healing.
  func run() throws {
    let absent = script.absentMachines
    for machine in machines.prefix(script.machines) where !absent.contains(machine.name) {
      machine.isPresent = true
      queue.schedule(.start(machine.index), at: 0)
    }
    for (index, edge) in edges.enumerated() {
      queue.schedule(.share(edge), at: edge.milliseconds ?? 50 + Int64(index) * 70)
    }
    for (index, step) in script.steps.enumerated() {
      queue.schedule(.step(index), at: step.milliseconds)
    }
    inviteLiars()
    try pass(until: (script.steps.last?.milliseconds ?? 0) + 500)
    try heal()
    try checkLinks()
    try checkEnds()
    try check()
    try epilogue()
  }

  /// Lets everything happen up to a time.
  func pass(until limit: Int64) throws {
    while let (time, event) = queue.next(until: limit) {
      now = max(now, time)
      try handle(event)
      if let violation = machines.lazy.compactMap(\.violation).first { throw violation }
    }
    now = limit
  }

  private func handle(_ event: FleetEvents.Event) throws {
    switch event {
    case .step(let index): try perform(script.steps[index])
    case .look(let wire, let end): try look(wire, end)
    case .tick(let machine, let start): try tick(machine, start)
    case .flush(let machine, let start):
      guard let running = running(machine, start) else { return }
      running.isFlushScheduled = false
      try drive(running) { $0.flush() }
      if let delay = running.core?.nextFlushMilliseconds { scheduleFlush(running, after: delay) }
    case .start(let machine): try start(machines[machine])
    case .dialed(let machine, let start, let url, let address):
      try dialed(machine, start, url, address)
    case .dialFailed(let machine, let start, let url, let address):
      guard let running = running(machine, start) else { return }
      let event = NodeEvent.dialFailed(url: url, address: address, error: "unreachable")
      try handle(event, at: running)
    case .lost(let wire, let end): try lose(wire, end)
    case .share(let edge):
      // Who was to join late may have joined when all was made well.
      if !isHealing || !mayLeadOn(edge) { try share(edge) }
    case .lie(let number): try lie(number)
    case .sendAway(let number, let isBegun): try sendAway(number, isBegun: isBegun)
    case .file(let event): try handle(event)
    case .compaction(let compaction): try goOn(compaction)
    }
  }

  private func perform(_ step: Script.Step) throws {
    self.step = step.number
    trace?(step.description)
    switch step.event {
    case .edit(let machine, let palette, let edit):
      try act(machines[machine], palette, edit)
    case .fault(let fault): try cause(fault)
    }
  }

  /// The machine, if the same start of its node still runs.
  func running(_ machine: Int, _ start: Int) -> Machine? {
    machines[machine].isRunning && machines[machine].starts == start ? machines[machine] : nil
  }

  private func tick(_ machine: Int, _ start: Int) throws {
    guard let running = running(machine, start) else { return }
    queue.schedule(.tick(machine, start: start), at: now + 1_000)
    try handle(.tick, at: running)
    if now % 5_000 < 1_000 {
      try looking {
        try checkStatements(running)
        try checkTally(running)
      }
    }
    try checkWithheld(running)
    try noteRights(at: running)
    pollLinks(of: running)
  }

  /// Numbers for a choice that depends on nothing but the script's key and what it is about.
  func choice(_ about: UInt64...) -> SeededRandom {
    var key = script.key
    for part in about {
      var random = SeededRandom(seed: key ^ part &* 0xD6E8_FEB8_6659_FD93)
      key = random.next()
    }
    return SeededRandom(seed: key)
  }
}
