import PaletteMerge
import PaletteModel
import PalettePeers
import PaletteStore
import PaletteSync
import PaletteTestSupport

/// Connections between nodes, and what arrives on them.
extension Fleet {
  func carryOut(_ effects: [NodeEffect], of machine: Machine) throws {
    for effect in effects {
      if let trace { tell(effect, machine, trace) }
      switch effect {
      case .send(let link, let frame): try send(frame, on: link, from: machine)
      case .sendShared(let link, let frames):
        for frame in frames.frames { try send(frame, on: link, from: machine) }
      case .close(let link, let code, let reason): close(link, machine, code, reason)
      case .dial(let url, let address, _, _): dial(url, address, from: machine)
      case .log(_, _, let text, _): try read(text, of: machine)
      // An attempt that was given up comes through all the same, and has to be turned down.
      case .greeted, .named, .peersChanged, .cancelDials, .doubt: break
      }
    }
  }

  /// Some lines of the log tell of what must not happen, ever.
  private func read(_ text: String, of machine: Machine) throws {
    if text.contains("changes are stamped with theirs"), hearsLiarsAlone(machine) {
      isTimeLiedAbout = true
    }
    // What a liar says of itself may differ from anything.
    if text.contains("\(Liar.palette)") || text.contains("(\(Liar.name))")
      || liars.contains(where: { text.contains($0.url) })
    {
      return
    }
    let isRewritten = witness.rewrittenPalettes.contains { text.contains("\($0)") }
    if text.contains("the digests of"), !isRewritten || !compacts {
      throw Violation("diverged", "\(machine.name): \(text)")
    }
    // Who held what was taken back keeps it and says so.
    if text.contains("differ from"), !isRewritten {
      throw Violation("forked", "\(machine.name): \(text)")
    }
  }

  /// Returns whether a machine hears a hub that lies, and nobody else.
  private func hearsLiarsAlone(_ machine: Machine) -> Bool {
    let others = wires.values.compactMap { wire in
      wire.machines.firstIndex(of: machine.index).flatMap {
        wire.isOpen[$0] ? wire.machines[1 - $0] : nil
      }
    }
    return others.contains { liar($0)?.dials == false }
      && others.allSatisfy { other in
        guard liar(other) == nil else { return true }
        // A hub that has not greeted it has not said what time it is.
        guard let dialer = machine.core?.dialers[machines[other].url] else { return false }
        return dialer.state != .live
      }
  }

  private func dial(_ url: String, _ address: String, from machine: Machine) {
    guard let hub = Machine.index(ofURL: url) else { return }
    var random = choice(5, UInt64(machine.index), UInt64(hub), UInt64(now))
    let isReachable = isUp(hub) && !isSeparated(machine.index, hub)
    let delay = Int64(random.next() % 40) + (isReachable ? 2 : 200)
    let event: FleetEvents.Event =
      isReachable
      ? .dialed(machine.index, start: machine.starts, url: url, address: address)
      : .dialFailed(machine.index, start: machine.starts, url: url, address: address)
    queue.schedule(event, at: now + delay)
  }

  func dialed(_ index: Int, _ start: Int, _ url: String, _ address: String) throws {
    guard let machine = running(index, start), let other = Machine.index(ofURL: url) else { return }
    let hub = machines[other]
    guard isUp(other), !isSeparated(index, other) else {
      let event = NodeEvent.dialFailed(url: url, address: address, error: "unreachable")
      return try handle(event, at: machine)
    }
    lastWire += 1
    counts.connections += 1
    let pair = index * 64 + other
    pairCounts[pair, default: 0] += 1
    var random = choice(6, UInt64(pair), pairCounts[pair] ?? 0)
    let wire = Wire(
      lastWire,
      [index, other],
      key: random.next()
    )
    wires[wire.number] = wire
    let link = PeerConnectionID(rawValue: wire.number)
    if liar(other) == nil { try handle(.accepted(link), at: hub) }
    if let machine = running(index, start) {
      try handle(.dialed(link, url: url, address: address), at: machine)
    } else {
      wire.isOpen[0] = false
    }
  }

  func isSeparated(_ one: Int, _ other: Int) -> Bool {
    partitions.contains { partition in
      partition.until > now
        && partition.machines.contains(one) != partition.machines.contains(other)
    }
  }

  private func send(_ frame: [UInt8], on link: PeerConnectionID, from machine: Machine) throws {
    guard let wire = wires[link.rawValue],
      let end = (0..<2).first(where: { wire.machines[$0] == machine.index }), wire.isOpen[end]
    else { return }
    guard frame.count <= SyncProtocol.frameBytes else {
      throw Violation("too-long", "\(machine.name) sends a frame of \(frame.count) bytes")
    }
    try looking { try checkPromise(frame, of: machine) }
    if end == 0 {
      try checkPush(frame, on: wire)
    } else {
      try checkScope(frame, on: wire)
      try looking { try checkRefusal(frame, on: wire) }
      try looking { try checkClaimable(frame, on: wire) }
    }
    counts.frames += 1
    let other = 1 - end
    wire.frameCounts[other] += 1
    guard !wire.isBroken else { return }
    guard wire.queuedBytes[other] + frame.count <= script.backlogBytes.upperBound else {
      close(link, machine, 1013, "try again later")
      return queue.schedule(.lost(wire: wire.number, end: end), at: now)
    }
    wire.queuedBytes[other] += frame.count
    try checkVersion(frame, on: wire)
    let frame = translated(frame, on: wire, from: machine, to: machines[wire.machines[other]])
    post(frame, on: wire, to: other)
    if wire.queuedBytes[other] > script.backlogBytes.lowerBound, machine.isRunning {
      wire.isCongested[end] = true
      try drive(machine) { try $0.handle(.congested(link)) }
    }
  }

  /// The frame as a node of other versions would send it, or understand it.
  private func translated(
    _ frame: [UInt8],
    on wire: Wire,
    from: Machine,
    to: Machine
  ) -> [UInt8] {
    guard frame.count > 1, frame[1] == 0, case .hello(var hello)? = try? Frame(decoding: frame)
    else { return frame }
    // Some have to do with a node that can nothing beyond the version.
    if wire.key % 4 == 0 { hello.features = [] }
    guard from.versions != [1] || to.versions != [1] else { return Frame.hello(hello).encoded }
    // A node that does not speak version 1 takes one that does as this node takes version 98.
    wire.versions = from.versions.filter(to.versions.contains)
    hello.versions = to.versions.contains(1) ? from.versions : [98]
    return Frame.hello(hello).encoded
  }

  /// A welcome is for those alone who speak a version in common, and names that.
  private func checkVersion(_ frame: [UInt8], on wire: Wire) throws {
    guard frame.count > 1, frame[1] == 1, case .welcome(let welcome)? = try? Frame(decoding: frame),
      welcome.version != 1 || !wire.versions.contains(1)
    else { return }
    throw Violation("wrong-version", "version \(welcome.version) was chosen of \(wire.versions)")
  }

  func post(_ frame: [UInt8], on wire: Wire, to end: Int) {
    var random = choice(7, wire.key, UInt64(end), wire.frameCounts[end])
    var ready = now + 1 + Int64(random.next() % 30)
    let distortion = distortions.last {
      $0.from == wire.machines[1 - end] && $0.to == wire.machines[end] && $0.until > now
    }
    if let distortion, distortion.how == .stalled { ready = max(ready, distortion.until) }
    let how = distortion?.how
    var items = [frame]
    if let how, how != .stalled, random.chance(0.2) {
      if how != .delayed { wire.isHarmed = true }
      switch how {
      case .lost: items = []
      case .duplicated: items = [frame, frame]
      case .stalled: break
      case .delayed: ready += Int64(random.next() % 4_000)
      case .truncated: items = [Array(frame.dropLast(Int(random.next() % UInt64(frame.count)) + 1))]
      case .reordered:
        if let last = wire.inboxes[end].last, let moved = last.frame {
          wire.inboxes[end].removeLast()
          items = [frame, moved]
        }
      }
    }
    ready = max(ready, wire.inboxes[end].last?.ready ?? 0)
    for item in items {
      wire.inboxes[end].append(Wire.Item(ready: ready, frame: item))
      queue.schedule(.look(wire: wire.number, end: end), at: ready)
    }
  }

  /// An end reads what arrived first, if it is there already.
  func look(_ number: UInt64, _ end: Int) throws {
    guard let wire = wires[number], wire.isOpen[end], let item = wire.inboxes[end].first else {
      return
    }
    if liar(wire.machines[end]) != nil { return try listen(wire, end) }
    let machine = machines[wire.machines[end]]
    var earliest = max(item.ready, wire.stalledUntil)
    if machine.slowUntil > now, !isHealing { earliest = max(earliest, wire.nextRead[end]) }
    guard earliest <= now else {
      return queue.schedule(.look(wire: number, end: end), at: earliest)
    }
    wire.inboxes[end].removeFirst()
    wire.nextRead[end] = now + 400
    let link = PeerConnectionID(rawValue: number)
    guard let frame = item.frame else {
      wire.isOpen[end] = false
      return try handle(.closed(link, code: item.code, reason: item.reason), at: machine)
    }
    wire.queuedBytes[end] = max(0, wire.queuedBytes[end] - frame.count)
    try handle(.received(link, frame), at: machine)
    if end == 0, hasRecovered { try looking { try checkPending(machine, wire) } }
    try drained(wire, readBy: end)
  }

  private func drained(_ wire: Wire, readBy end: Int) throws {
    let sender = 1 - end
    guard wire.isCongested[sender], wire.isOpen[sender], liar(wire.machines[sender]) == nil,
      wire.queuedBytes[end] <= script.backlogBytes.lowerBound / 2
    else { return }
    wire.isCongested[sender] = false
    try handle(
      .drained(PeerConnectionID(rawValue: wire.number)),
      at: machines[wire.machines[sender]]
    )
  }

  private func close(_ link: PeerConnectionID, _ machine: Machine, _ code: UInt16, _ reason: String)
  {
    guard let wire = wires[link.rawValue],
      let end = (0..<2).first(where: { wire.machines[$0] == machine.index }), wire.isOpen[end]
    else { return }
    checkEnd(code, reason, of: wire, by: machine)
    wire.isOpen[end] = false
    wire.inboxes[end] = []
    let other = 1 - end
    guard wire.isOpen[other], !wire.isBroken else { return }
    let ready = max(now + 1, wire.inboxes[other].last?.ready ?? 0)
    wire.inboxes[other].append(Wire.Item(ready: ready, frame: nil, code: code, reason: reason))
    queue.schedule(.look(wire: link.rawValue, end: other), at: ready)
  }

  /// An end notices that its connection is gone.
  func lose(_ number: UInt64, _ end: Int) throws {
    guard let wire = wires[number] else { return }
    wire.isOpen[end] = false
    wire.inboxes[end] = []
    if wire.isOpen == [false, false] { wires[number] = nil }
    if let liar = liar(wire.machines[end]) { return liar.lost(number) }
    try handle(
      .closed(PeerConnectionID(rawValue: number), code: 1006, reason: ""),
      at: machines[wire.machines[end]]
    )
  }

  /// Breaks a connection; one end learns of it at once, the other later.
  func cut(_ wire: Wire, first: Int, laterMilliseconds: Int64) {
    guard !wire.isBroken else { return }
    wire.isBroken = true
    wire.inboxes = [[], []]
    queue.schedule(.lost(wire: wire.number, end: first), at: now)
    queue.schedule(.lost(wire: wire.number, end: 1 - first), at: now + laterMilliseconds)
  }

  func wires(between one: Int, and other: Int) -> [Wire] {
    wires.values.filter { Set($0.machines) == [one, other] }.sorted { $0.number < $1.number }
  }

  /// Nothing may be said to be held that is not.
  private func checkPromise(_ frame: [UInt8], of machine: Machine) throws {
    guard frame.count > 1, frame[1] == 9 || frame[1] == 6 else { return }
    let stated: (PaletteID, Frontier)?
    switch try? Frame(decoding: frame) {
    case .ack(let palette, let frontier): stated = (palette, frontier)
    case .frontier(let palette, let frontier, _, _, _): stated = (palette, frontier)
    default: stated = nil
    }
    guard let (palette, frontier) = stated, let store = machine.store else { return }
    func isHeld(_ entry: Frontier.Element) -> Bool {
      machine.held[palette]?[entry.key] ?? 0 >= entry.value.sequence
    }
    if frontier.allSatisfy(isHeld) { return }
    // A snapshot may have raised the frontier and nothing else, of which the store tells nobody.
    machine.held[palette] = try store.frontier(of: palette).mapValues(\.sequence)
    for (node, head) in frontier where !isHeld((node, head)) {
      throw Violation(
        "false-ack",
        "\(machine.name) states to hold \(Dot(node, head.sequence)) and has not committed it"
      )
    }
  }
}
