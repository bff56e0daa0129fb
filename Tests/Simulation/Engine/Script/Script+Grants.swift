import PaletteMerge
import PaletteTestSupport

extension Script {
  /// In some lives, gives one machine several grants at one hub, of which one ends and comes back while
  /// the others stay.
  ///
  /// It has numbers of its own, and its steps come behind all others in number, so that other lives are
  /// the same without them.
  mutating func addGrants(seed: UInt64) {
    var random = SeededRandom(seed: seed &* 0xA24B_AED4_963E_E407 ^ 0x6A47)
    guard random.chance(0.35), let end = steps.last?.milliseconds, end > 20_000,
      let index = edges.indices.randomElement(using: &random)
    else { return }
    let edge = edges[index]
    let kinds: [[(role: Role, palette: Int?)]] = [
      [(.editor, 0), (.viewer, 1)], [(.viewer, 0), (.editor, 1)], [(.viewer, nil), (.editor, 0)],
      [(.editor, 0), (.editor, 1)], [(.relay, 0), (.viewer, 1)],
      [(.editor, 0), (.viewer, 1), (.editor, 2)],
    ]
    var grants = (kinds.randomElement(using: &random) ?? []).map {
      Edge(edge.dialer, edge.hub, role: $0.role, palette: $0.palette, at: edge.milliseconds)
    }
    if random.chance(0.4) {
      let lasting = Int.random(in: 0..<grants.count, using: &random)
      grants[lasting].lastsMilliseconds = Int64.random(in: 4_000...40_000, using: &random)
    }
    edges.replaceSubrange(index...index, with: grants)
    tell(of: grants, until: end, using: &random)
    steps.sort { ($0.milliseconds, $0.number) < ($1.milliseconds, $1.number) }
  }

  /// Lets grants end and come back, and both sides edit what they are about meanwhile.
  private mutating func tell(
    of grants: [Edge],
    until end: Int64,
    using random: inout SeededRandom
  ) {
    let (dialer, hub) = (grants[0].dialer, grants[0].hub)
    let numbers = Set(grants.map { $0.palette ?? 1 }).sorted()
    var color = 8_000
    func add(_ event: Event, at time: Int64) {
      steps.append(Step(steps.count + 1, at: time, event))
    }
    for number in numbers where !palettes.contains(number) {
      add(.edit(hub, palette: number, .new), at: 1_000)
    }
    let first = max(6_000, grants[0].milliseconds ?? 0)
    for _ in 0..<Int.random(in: 3...8, using: &random) {
      var time = Int64.random(in: first...max(first + 1, end), using: &random)
      let grant = grants.randomElement(using: &random) ?? grants[0]
      switch Int.random(in: 0..<10, using: &random) {
      case ..<4: add(.fault(.revokeOne(grant)), at: time)
      case ..<7:
        let back = Int64.random(in: 50...20_000, using: &random)
        add(.fault(.giveBack(grant, backAfterMilliseconds: back)), at: time)
      case ..<9: add(.fault(.share(hub: hub, dialer: dialer)), at: time)
      default: add(.fault(.restart(dialer, backAfterMilliseconds: 1_000)), at: time)
      }
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        time += Int64.random(in: -500...3_000, using: &random)
        let number = numbers.randomElement(using: &random) ?? 0
        color += 1
        let machine = random.chance(0.5) ? hub : dialer
        let edit = UserEdit.add(first: color, count: 1, at: nil)
        add(.edit(machine, palette: number, edit), at: max(1_100, time))
      }
    }
  }
}
