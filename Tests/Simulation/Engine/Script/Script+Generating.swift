import PaletteMerge
import PaletteModel
import PaletteSync
import PaletteTestSupport

extension Script {
  /// Makes up a script; a seed always gives the same one, with files linked in some or without.
  public init(seed: UInt64, linksFiles: Bool = false) {
    var generator = ScriptGenerator(seed: seed)
    self = generator.script()
    addGrants(seed: seed)
    if linksFiles { addFiles(seed: seed) }
    addLongPalette(seed: seed)
    addWaysBack(seed: seed)
    // Chosen apart, so that the rest of a life is the same with and without them.
    var random = SeededRandom(seed: seed ^ 0x11A5)
    guard random.chance(0.5) else { return }
    let count = Int(random.next() % 3) + 1
    liars = (0..<count).compactMap { _ in LiarPart.drawn.randomElement(using: &random) }
    if random.chance(0.6) { liars = liars.map { $0 == .guestEditor ? .guestOfTwo : $0 } }
  }
}

extension Script {
  /// The fewest bytes that a session counts for a change before it has looked at any.
  private static let changeBytes = 40

  /// Lets some of those who come late, as editors of everything, have a palette of their own by then that
  /// is longer than what may be sent at once.
  ///
  /// Its steps come behind all others in number, so that a life is the same without them.
  private mutating func addLongPalette(seed: UInt64) {
    var random = SeededRandom(seed: seed ^ 0x10A6)
    guard limits.creditBytes < 5_000, random.chance(0.5),
      let edge = edges.first(where: {
        $0.role == .editor && $0.palette == nil && $0.milliseconds ?? 0 > 4_000
      }), let end = edge.milliseconds, let palette = palettes.last.map({ $0 + 1 })
    else { return }
    let time = Int64.random(in: 1_000...end - 2_000, using: &random)
    let count = Int(limits.creditBytes) / Self.changeBytes + 8
    for edit in [UserEdit.new, .add(first: 5_000, count: count, at: nil)] {
      steps.append(
        Step(steps.count + 1, at: time, .edit(edge.dialer, palette: palette, edit))
      )
    }
    steps.sort { ($0.milliseconds, $0.number) < ($1.milliseconds, $1.number) }
  }
}

extension Script {
  /// Lets an author act, undo and redo several times in a row at the end of some lives.
  private mutating func addWaysBack(seed: UInt64) {
    var random = SeededRandom(seed: seed ^ 0xBAC4)
    guard random.chance(0.4), var time = steps.last?.milliseconds else { return }
    let (machine, first) = (Int(random.next() % UInt64(machines)), 6_000)
    var edits: [UserEdit] = [.add(first: first, count: 2, at: 0), .recolor(first, 7)]
    let further: [UserEdit] = [
      .rename(first, 3), .note(first, 2), .move(first, to: 1), .remove([first + 1]),
      .recolor(first + 1, 9), .tweak(first, isLighter: true), .undo, .undo, .undo, .redo, .redo,
    ]
    for _ in 0..<12 { edits += [further.randomElement(using: &random) ?? .undo] }
    told = steps.count + 1...steps.count + edits.count
    for edit in edits {
      time += Int64.random(in: 5...60, using: &random)
      steps.append(Step(steps.count + 1, at: time, .edit(machine, palette: 0, edit)))
    }
  }
}

/// Makes up scripts: first what kind of life a fleet has, then what happens in it.
struct ScriptGenerator {
  private var random: SeededRandom
  private let seed: UInt64
  private var mood: FleetMood
  private var time: Int64 = 0
  private var colors = 0
  /// Colors by palette that later steps may speak of; the last ones come up more often.
  private var known: [Int: [Int]] = [:]
  private var steps: [Script.Step] = []
  private var machines = 0
  private var edges: [Script.Edge] = []

  init(seed: UInt64) {
    self.seed = seed
    random = SeededRandom(seed: seed &* 0x2545_F491_4F6C_DD1D ^ 0xB5)
    mood = FleetMood(using: &random)
  }

  mutating func script() -> Script {
    machines = mood.machines
    edges = mood.edges(using: &random)
    for palette in 0..<mood.palettes {
      time += Int64.random(in: 200...900, using: &random)
      append(.edit(palette % machines, palette: palette, .new))
      append(.edit(palette % machines, palette: palette, add(palette, mood.firstColors)))
    }
    time += Int64.random(in: 0...3_000, using: &random)
    let last = steps.count + mood.steps
    while steps.count < last { step() }
    tellStory()
    return Script(
      key: seed,
      machines: mood.machines,
      edges: edges,
      limits: mood.limits,
      backlogBytes: mood.backlogBytes,
      clockMilliseconds: mood.clockMilliseconds,
      steps: steps
    )
  }

  /// In some scripts, what chance seldom puts in a row: somebody brings a color back, another moves it,
  /// and the first one undoes.
  ///
  /// It has numbers of its own, so that the rest of each script stays what it was.
  private mutating func tellStory() {
    var random = SeededRandom(seed: seed &* 0x9E37_79B9 ^ 0x5707)
    let palette = Int(random.next() % UInt64(min(mood.palettes, 3)))
    guard random.chance(0.3), let color = known[palette]?.randomElement(using: &random) else {
      return
    }
    let one = Int(random.next() % UInt64(mood.machines))
    let other = (one + 1 + Int(random.next() % UInt64(mood.machines - 1))) % mood.machines
    let story: [(machine: Int, edit: UserEdit)] = [
      (one, .remove([color])), (one, .restore(color)),
      (other, .move(color, to: Int(random.next() % 4))), (one, .undo),
    ]
    for (machine, edit) in story {
      time += Int64.random(in: 500...9_000, using: &random)
      append(.edit(machine, palette: palette, edit))
    }
  }

  private mutating func append(_ event: Script.Event) {
    steps.append(Script.Step(steps.count + 1, at: time, event))
  }

  private mutating func number(_ range: ClosedRange<Int64>) -> Int64 {
    Int64.random(in: range, using: &random)
  }

  private mutating func machine() -> Int { Int.random(in: 0..<machines, using: &random) }

  private mutating func step() {
    time += random.chance(0.3) ? number(0...30) : number(20...mood.pauseMilliseconds)
    if random.chance(mood.faults) {
      append(.fault(fault()))
    } else {
      // Where there are many, most are left alone.
      let count = random.chance(0.8) ? min(mood.palettes, 3) : mood.palettes
      let palette = Int.random(in: 0..<count, using: &random)
      append(.edit(machine(), palette: palette, edit(palette)))
    }
  }

  private mutating func color(_ palette: Int) -> Int {
    let all = known[palette] ?? []
    let recent = random.chance(mood.heat) ? all.suffix(2) : all.suffix(12)
    return recent.randomElement(using: &random) ?? 1
  }

  private mutating func add(_ palette: Int, _ least: Int = 1) -> UserEdit {
    let count = max(least, random.chance(0.15) ? Int.random(in: 2...6, using: &random) : 1)
    let first = colors + 1
    colors += count
    known[palette, default: []] += Array(first..<first + count)
    let index = random.chance(0.5) ? nil : Int.random(in: 0...4, using: &random)
    return .add(first: first, count: count, at: index)
  }

  private mutating func edit(_ palette: Int) -> UserEdit {
    let color = color(palette)
    let value = Int.random(in: 0..<25, using: &random)
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<mood.additions: return add(palette)
    case ..<34: return .recolor(color, value)
    case ..<44: return .rename(color, value % 6)
    case ..<49: return .note(color, value % 4)
    case ..<53: return .tweak(color, isLighter: random.chance(0.5))
    case ..<61: return .move(color, to: value % 6)
    case ..<70:
      return .remove(random.chance(0.8) ? [color] : Set([color, self.color(palette)]).sorted())
    case ..<75: return .restore(color)
    case ..<79:
      return .resolve(color, [.name, .color, .note].randomElement(using: &random) ?? .name, value)
    case ..<86: return .undo
    case ..<89: return .redo
    case ..<91: return .importList(entries(palette))
    case ..<93: return .title(value % 4)
    case ..<95: return random.chance(mood.drops) ? .drop : .recolor(color, value)
    case ..<97: return .restorePalette
    default:
      guard random.chance(mood.compaction) else { return .recolor(color, value) }
      return .compact(olderThan: random.chance(0.7) ? 0 : number(3_000...60_000))
    }
  }

  private mutating func entries(_ palette: Int) -> [UserEdit.Entry] {
    var entries: [UserEdit.Entry] = []
    for color in (known[palette] ?? []).suffix(5) where random.chance(0.7) {
      let value = Int.random(in: 0..<25, using: &random)
      entries.append(
        UserEdit.Entry(color: random.chance(0.5) ? color : nil, name: color, value: value)
      )
    }
    if random.chance(0.5) {
      entries.append(UserEdit.Entry(color: nil, name: 900 + steps.count, value: 3))
    }
    return entries.shuffled(using: &random)
  }

  private mutating func fault() -> Fault {
    let (one, other) = (machine(), machine())
    let back = number(50...15_000)
    var total = 0
    let kinds = mood.weights.map { entry -> (FleetMood.Kind, Int) in
      total += entry.value
      return (entry.key, total)
    }
    let pick = Int.random(in: 0..<max(1, total), using: &random)
    switch kinds.first(where: { pick < $0.1 })?.0 ?? .cut {
    case .cut: return .cut(one, other, laterMilliseconds: number(0...20_000))
    case .partition:
      let some = (0..<machines).filter { _ in random.chance(0.4) }
      return .partition(some, milliseconds: number(500...mood.partitionMilliseconds))
    case .distort:
      let how = Fault.Distortion.allCases.randomElement(using: &random) ?? .lost
      return .distort(from: one, to: other, how, milliseconds: number(2_000...40_000))
    case .slow: return .slowReader(one, milliseconds: number(1_000...30_000))
    case .crash:
      return .crash(
        one,
        afterSyncs: Int.random(in: 0...6, using: &random),
        isAfterSync: random.chance(0.5),
        backAfterMilliseconds: back
      )
    case .powerLoss: return .powerLoss(one, backAfterMilliseconds: back)
    case .restart: return .restart(one, backAfterMilliseconds: back)
    case .disk:
      let how = Fault.DiskFailure.allCases.randomElement(using: &random) ?? .write
      return .diskFailure(
        one,
        how,
        afterOperations: Int.random(in: 0...8, using: &random),
        count: Int.random(in: 1...6, using: &random)
      )
    case .slowDisk: return .slowDisk(one, milliseconds: number(2_000...20_000))
    case .look:
      let palette = Int.random(in: 0..<mood.palettes, using: &random)
      return .look(one, palette: palette, color: random.chance(0.7) ? color(palette) : nil)
    case .history:
      return .fetchHistory(one, palette: Int.random(in: 0..<mood.palettes, using: &random))
    case .clock:
      let year: Int64 = 365 * 86_400_000
      let jumps = [
        -56 * year, -86_400_000, -3_600_000, -5_000, -1, 1_000, 300_000, 86_400_000, 10 * year,
      ]
      return .clockJump(one, milliseconds: jumps.randomElement(using: &random) ?? 1)
    case .backup: return .backup(one)
    case .recover: return .recover(one)
    case .image: return .image(one)
    case .rollBack: return .rollBack(one, aloneMilliseconds: number(1...20_000))
    case .clone:
      guard machines < Script.machineLimit else { return .syncNow(one) }
      machines += 1
      return .clone(one, as: machines - 1)
    case .versions:
      return .versions(one, [[1, 99], [99], [1]].randomElement(using: &random) ?? [1])
    case .sharing:
      guard let edge = edges.randomElement(using: &random) else { return .syncNow(one) }
      switch Int.random(in: 0..<6, using: &random) {
      case 0, 1: return .revoke(hub: edge.hub, dialer: edge.dialer)
      case 2: return .share(hub: edge.hub, dialer: edge.dialer)
      case 3, 4: return .leave(hub: edge.hub, dialer: edge.dialer, backAfterMilliseconds: back)
      default: return .move(edge.dialer, from: edge.hub, to: one)
      }
    case .sync: return .syncNow(one)
    }
  }
}
