import PaletteModel
import PaletteTestSupport

extension Script {
  /// Links files in nearly all lives, and lets other programs use them.
  ///
  /// It has numbers of its own, and its steps come behind all others in number, so that a life is the
  /// same without them.
  mutating func addFiles(seed: UInt64) {
    var random = SeededRandom(seed: seed &* 0xD134_2543_DE82_EF95 ^ 0xF11E)
    guard random.chance(0.9), let end = steps.last?.milliseconds, !hasLargePalette else { return }
    var added: [(Int64, Event)] = []
    let files = Int.random(in: 1...3, using: &random)
    // Most often the files of one palette: so they meet.
    let first = Int.random(in: 0..<min(palettes.count, 3), using: &random)
    let ends = steps.compactMap { step -> (Int, Int64)? in
      switch step.event {
      case .fault(.powerLoss(let machine, _)), .fault(.restart(let machine, _)):
        (machine, step.milliseconds)
      default: nil
      }
    }
    var format = PaletteFile.Format.allCases.randomElement(using: &random) ?? .gpl
    for _ in 0..<files {
      let palette =
        random.chance(0.8) ? first : Int.random(in: 0..<min(palettes.count, 3), using: &random)
      if random.chance(0.6) {
        format = PaletteFile.Format.allCases.randomElement(using: &random) ?? .gpl
      }
      let file = PaletteFile(palette, format)
      let machine = Int.random(in: 0..<machines, using: &random)
      var time = Int64.random(in: 1_500...max(1_600, end / 3), using: &random)
      added.append((time, .fault(.file(machine, file, .link))))
      for _ in 0..<Int.random(in: 6...20, using: &random) {
        time = Self.next(after: time, end, ends.filter { $0.0 == machine }, &random)
        let action = FileAction(machines: machines, using: &random)
        added.append((time, .fault(.file(machine, file, action))))
        // A node that is killed amid what follows.
        if random.chance(0.12) {
          let back = Int64.random(in: 50...6_000, using: &random)
          let kill = Fault.powerLoss(machine, backAfterMilliseconds: back)
          added.append((time + Int64.random(in: 20...260, using: &random), .fault(kill)))
        }
      }
    }
    if random.chance(0.8), case .fault(.file(let machine, let file, _)) = added[0].1 {
      added += meeting(over: file, at: machine, after: end, &random)
    }
    for (time, event) in added { steps.append(Step(steps.count + 1, at: time, event)) }
    steps.sort { ($0.milliseconds, $0.number) < ($1.milliseconds, $1.number) }
  }

  /// Makes a meeting that chance seldom makes: a program and others change the same colors.
  ///
  /// The program reads a file or saves it in its own way, others change what it shows, and the program
  /// saves what it has, twice. The node may end in between.
  private func meeting(
    over file: PaletteFile,
    at machine: Int,
    after end: Int64,
    _ random: inout SeededRandom
  ) -> [(Int64, Event)] {
    var time = end
    var met: [(Int64, Event)] = []
    func add(_ event: Event, after milliseconds: ClosedRange<Int64>) {
      time += Int64.random(in: milliseconds, using: &random)
      met.append((time, event))
    }
    func make(_ action: FileAction, after milliseconds: ClosedRange<Int64>) {
      add(.fault(.file(machine, file, action)), after: milliseconds)
    }
    func endNode(after milliseconds: ClosedRange<Int64>, forMilliseconds back: Int64) {
      let loss = Fault.powerLoss(machine, backAfterMilliseconds: back)
      add(.fault(loss), after: milliseconds)
    }
    let (other, first) = (Int.random(in: 0..<machines, using: &random), 7_000)
    make(.repair, after: 500...2_000)
    make(.link, after: 0...100)
    add(.edit(other, palette: file.palette, .add(first: first, count: 3, at: 0)), after: 0...100)
    // Read by a program while nobody listens, or while the node does.
    let isDown = random.chance(0.5)
    if isDown { endNode(after: 500...1_500, forMilliseconds: 1_500) }
    make(
      random.chance(0.5) ? .open : .save(.none, SaveStyle(readsBefore: true, isLossy: true)),
      after: isDown ? 100...1_200 : 500...3_000
    )
    if isDown { time += 2_000 }
    let moves = random.chance(0.5)
    for color in first..<first + 3 {
      let value = Int.random(in: 0..<25, using: &random)
      let edit: UserEdit = moves ? .move(color, to: value % 4) : .recolor(color, value)
      add(.edit(other, palette: file.palette, edit), after: 10...200)
    }
    if random.chance(0.25) {
      endNode(after: 20...900, forMilliseconds: 400)
      time += 500
    }
    let lines = (Int.random(in: 0..<3, using: &random), Int.random(in: 0..<3, using: &random))
    let edit: FileEdit = moves ? .move(lines.0, to: lines.1) : .recolor(lines.0)
    make(.save(edit, SaveStyle(readsBefore: false)), after: 20...2_000)
    let further: [FileEdit] = [
      .remove(lines.1), .remove(lines.0), .recolor(lines.0), .add(at: lines.0),
    ]
    make(
      .save(further.randomElement(using: &random) ?? .none, SaveStyle(readsBefore: false)),
      after: 200...2_000
    )
    return met
  }

  private var hasLargePalette: Bool {
    steps.contains { step in
      if case .edit(_, _, .add(_, let count, _)) = step.event { count > 50 } else { false }
    }
  }

  /// The time of the next event: soon, or long after, or shortly before the node ends.
  private static func next(
    after time: Int64,
    _ end: Int64,
    _ ends: [(Int, Int64)],
    _ random: inout SeededRandom
  ) -> Int64 {
    if random.chance(0.3), let stop = ends.first(where: { $0.1 > time + 300 }) {
      return stop.1 - Int64.random(in: 0...250, using: &random)
    }
    if random.chance(0.35) { return time + Int64.random(in: 5...250, using: &random) }
    return min(time + Int64.random(in: 300...max(400, end / 8), using: &random), max(time, end))
  }
}

extension FileAction {
  fileprivate init(machines: Int, using random: inout SeededRandom) {
    let style = SaveStyle(
      readsBefore: random.chance(0.7),
      pieces: random.chance(0.6) ? 0 : Int.random(in: 1...4, using: &random),
      pauseMilliseconds: Int64.random(in: 1...300, using: &random),
      isLossy: random.chance(0.3)
    )
    let line = Int.random(in: 0..<50, using: &random)
    switch Int.random(in: 0..<100, using: &random) {
    case ..<22: self = .save(.recolor(line), style)
    case ..<32: self = .save(.rename(line), style)
    case ..<46: self = .save(.add(at: line), style)
    case ..<56: self = .save(.remove(line), style)
    case ..<62: self = .save(.move(line, to: Int.random(in: 0..<50, using: &random)), style)
    case ..<64: self = .save(.retitle, style)
    case ..<70: self = .save(.none, style)
    case ..<77: self = .open
    case ..<87: self = .damage(FileDamage.allCases.randomElement(using: &random) ?? .emptied)
    case ..<92: self = .repair
    case ..<97: self = .pull(from: Int.random(in: 0..<machines, using: &random))
    case ..<98: self = .unlink
    default: self = .link
    }
  }
}

extension FileAction {
  /// The action in words.
  var words: String {
    switch self {
    case .link: "is linked"
    case .unlink: "is linked no more"
    case .open: "is opened"
    case .save(let edit, let style):
      "is saved after \(edit)" + (style.readsBefore ? "" : ", as it was read before")
        + (style.pieces > 0 ? ", in \(style.pieces) pieces" : "")
        + (style.isLossy ? ", with a loss" : "")
    case .damage(let how): "is \(how.rawValue)"
    case .repair: "is put back"
    case .pull(let machine): "comes from \(Script.name(machine))"
    }
  }
}
