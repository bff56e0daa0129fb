import PaletteModel
import PalettePeers
import PalettePlatform
import PaletteStore
import PaletteSync
import PaletteTestSupport

/// The faults of machines, disks, clocks and connections.
extension Fleet {
  func cause(_ fault: Fault) throws {
    switch fault {
    case .cut(let one, let other, let later):
      for wire in wires(between: one, and: other) {
        cut(wire, first: wire.machines[0] == one ? 0 : 1, laterMilliseconds: later)
      }
    case .partition(let some, let time): separate(Set(some), time)
    case .distort(let from, let to, let how, let time):
      distortions.removeAll { $0.until <= now }
      distortions.append((from, to, how, now + time))
    case .slowReader(let machine, let time): exists(machine)?.slowUntil = now + time
    case .crash(let machine, let syncs, let isAfter, let back):
      guard let machine = exists(machine), machine.isRunning else { return }
      machine.disk.crash = SimulatedDisk.Crash(syncsLeft: syncs, isAfterSync: isAfter)
      machine.backAfterMilliseconds = back
    case .powerLoss(let machine, let back):
      guard let machine = exists(machine), machine.isRunning else { return }
      machine.backAfterMilliseconds = back
      try losePower(machine)
    case .restart(let machine, let back): try restart(machine, back)
    case .diskFailure(let machine, let kind, let skip, let count):
      let kinds: [Fault.DiskFailure: SimulatedDisk.Failure.Kind] = [
        .read: .read, .write: .write, .full: .full, .sync: .sync, .lostSync: .lostSync,
      ]
      exists(machine)?.disk.failure = SimulatedDisk.Failure(
        kind: kinds[kind] ?? .write,
        skipping: skip,
        count: count
      )
    case .slowDisk(let machine, let time): exists(machine)?.slowDiskUntil = now + time
    case .look(let machine, let palette, let color): try look(machine, palette, color)
    case .fetchHistory(let machine, let palette):
      guard let machine = exists(machine), machine.isRunning else { return }
      try drive(machine) { core in
        core.flush(with: { _ = try? core.fetchHistory(of: Script.palette(palette)) }).effects
      }
    case .clockJump(let machine, let time): exists(machine)?.skewMilliseconds += time
    case .backup(let machine): try backUp(machine)
    case .recover(let machine): try recover(machine)
    case .image(let machine): saveImage(machine)
    case .rollBack(let machine, let time):
      // Who is connected at once learns of it before it can write anything twice.
      separate([machine], time)
      try rollBack(machine)
    case .clone(let machine, let new): try clone(machine, as: new)
    case .versions(let machine, let versions): exists(machine)?.versions = versions
    case .revoke(let hub, let dialer):
      try revoke(edges.filter { $0.hub == hub && $0.dialer == dialer }, hub, dialer)
    case .revokeOne(let edge):
      guard edges.contains(edge) else { return }
      try revoke([edge], edge.hub, edge.dialer)
    case .giveBack(let edge, let back): try giveBack(edge, back)
    case .share(let hub, let dialer):
      for edge in edges where edge.hub == hub && edge.dialer == dialer { try share(edge) }
    case .leave(let hub, let dialer, let back):
      guard let machine = exists(dialer), machine.isRunning,
        edges.contains(where: { $0.hub == hub && $0.dialer == dialer })
      else { return }
      try leave(hub, machine)
      for edge in edges where edge.hub == hub && edge.dialer == dialer {
        queue.schedule(.share(edge), at: now + back)
      }
    case .move(let dialer, let hub, let other): try move(dialer, from: hub, to: other)
    case .file(let machine, let file, let action): try cause(action, file, at: machine)
    case .syncNow(let machine):
      guard let machine = exists(machine), machine.isRunning else { return }
      try handle(.syncNow, at: machine)
    }
  }

  private func look(_ machine: Int, _ palette: Int, _ color: Int?) throws {
    guard let machine = exists(machine), machine.isRunning else { return }
    machine.core?.state(
      1,
      name: machine.name,
      at: color.map { _ in Script.palette(palette) },
      selection: color.map(Script.color)
    )
    machine.looksAt = color.map { _ in Script.palette(palette) }
    try handle(.tick, at: machine)
    try looking { try checkShown(Script.palette(palette), machine) }
  }

  private func leave(_ hub: Int, _ machine: Machine) throws {
    try handle(.left(url: Machine.url(hub), palette: nil), at: machine)
  }

  private func move(_ dialer: Int, from hub: Int, to other: Int) throws {
    let moved = edges.indices.filter { edges[$0].hub == hub && edges[$0].dialer == dialer }
    guard let machine = exists(dialer), machine.isRunning, exists(other) != nil, dialer != other,
      !edges.contains(where: { Set([$0.dialer, $0.hub]) == [dialer, other] }), !moved.isEmpty
    else { return }
    try leave(hub, machine)
    // A disk that failed, or the power that went, has kept the membership.
    guard machine.isRunning,
      try !hasJoined(machine, Machine.url(hub))
    else { return }
    // Each may come again through the other one.
    revocations = revocations.filter { ![dialer, other].contains($0.key.dialer) }
    for index in moved { edges[index].hub = other }
    for index in moved { try share(edges[index]) }
  }

  func hasJoined(_ machine: Machine, _ url: String) throws -> Bool {
    try look(at: machine) { try machine.store?.peers.all().contains { $0.url == url } ?? false }
  }

  /// Reads what a machine keeps, also where its disk fails.
  func look<Result>(at machine: Machine, _ body: () throws -> Result) throws -> Result {
    let before = machine.disk.isLookedAt
    machine.disk.isLookedAt = true
    defer { machine.disk.isLookedAt = before }
    return try body()
  }

  func exists(_ machine: Int) -> Machine? {
    machines[machine].isPresent ? machines[machine] : nil
  }

  private func separate(_ some: Set<Int>, _ milliseconds: Int64) {
    partitions.removeAll { $0.until <= now }
    partitions.append((some, now + milliseconds))
    for wire in wires.values.sorted(by: { $0.number < $1.number })
    where some.contains(wire.machines[0]) != some.contains(wire.machines[1]) {
      var random = choice(8, wire.key, UInt64(now))
      if milliseconds > 60_000 || random.chance(0.5) {
        let later = Int64(random.next() % 60_000)
        cut(wire, first: Int(random.next() % 2), laterMilliseconds: later)
      } else {
        wire.stalledUntil = max(wire.stalledUntil, now + milliseconds)
      }
    }
  }

  private func restart(_ index: Int, _ back: Int64) throws {
    guard let machine = exists(index), machine.isRunning else { return }
    try handle(.draining, at: machine)
    guard machine.isRunning else { return }
    try stop(machine)
    if machine.disk.isDown { return try losePower(machine) }
    machine.isIdle = true
    queue.schedule(.start(index), at: now + back)
  }
}
