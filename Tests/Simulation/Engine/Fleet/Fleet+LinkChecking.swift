import PaletteFileLinks
import PaletteFormats
import PaletteMerge
import PaletteModel
import PaletteStore

/// The checks of linked files.
extension Fleet {
  /// The time that a link whose file is spoiled may take to say so.
  private static let pauseMilliseconds: Int64 = 4_000
  /// The time that nothing may happen in the end, once all has come together.
  private static let restMilliseconds: Int64 = 4_000

  // MARK: While it goes on

  /// Nothing is taken from a file that is not whole.
  func checkSight(_ sight: SimulatedLink.Sight, _ link: SimulatedLink, _ machine: Machine) throws {
    guard sight.condition != .whole else { return }
    // A library that went back knows the file as it was then, and none knows what was saved and cut while
    // it was away: what was cut may have come since.
    if machine.hasRecovered || link.file.isDamagedUnseen, sight.condition == .damaged,
      (link.file.damagedSince ?? .max) <= link.start
    {
      return
    }
    let what = sight.condition == .partial ? "half-written" : "spoiled"
    throw Violation("took-\(what)", "\(machine.name) takes an edit from \(link.file.file), \(what)")
  }

  /// Nothing that the palette had is removed unless the saved file, compared with the version from which it
  /// differs least, lacks it.
  func checkRemovals(
    _ changes: [Change],
    _ edit: LinkEdit,
    _ link: SimulatedLink,
    _ machine: Machine
  ) throws {
    let saved = edit.new.lines.map { SimulatedFile.Line(entry: $0.entry, id: $0.id) }
    guard let versions = link.file.versions else { return }
    let likenesses = versions.map { Likeness(of: $0, to: saved) }
    // What is as it was before the last write was put back, and what is near to none is from before all of them.
    guard let nearest = likenesses.max(), nearest.distance <= 3,
      !likenesses.dropLast().contains(where: \.isSame)
    else { return }
    let known = zip(versions, likenesses).filter { $1 >= nearest }.map(\.0)
    let kept = Set(saved.map(\.id))
    for change in changes where change.kind == .delete {
      guard
        kept.contains(change.record)
          || !known.contains(where: { $0.contains { $0.id == change.record } })
      else { continue }
      throw Violation(
        "took-away",
        "\(machine.name) removes \(change.record), which nobody removed from \(link.file.file)"
      )
    }
  }

  /// A link whose file has been spoiled for a while has said so.
  func checkPause(_ file: SimulatedFile, at machine: Machine) throws {
    guard let damaged = file.damagedSince, let link = machine.links[file.file],
      now > max(damaged, link.start) + Self.pauseMilliseconds, link.session.state == .live,
      try looking({ try machine.store?.linkedPalette(link.session.palette)?.colors.isEmpty })
        == false, file.whole.flatMap({ try? file.format.read($0).entries.isEmpty }) == false
    else { return }
    throw Violation(
      "not-paused",
      "\(machine.name)'s link of \(file.file) is live, and the file was spoiled"
    )
  }

  // MARK: In the end

  /// The reason why the links of the fleet are not at rest; nil when they are.
  func unsettledLink() -> String? {
    for machine in machines where machine.isPresent {
      for (name, link) in machine.links where !link.isAtRest || !isPausedRightly(link) {
        let state = link.session.error ?? link.session.state.rawValue
        return "\(machine.name)'s link of \(name) does not come to rest: \(state)"
      }
    }
    return nil
  }

  private func isPausedRightly(_ link: SimulatedLink) -> Bool {
    guard link.session.state != .live else { return true }
    let reason = link.session.error ?? ""
    // Somebody saved the list as it was when it was empty, or the library went back to a backup since.
    if reason == "the file holds no colors any more" { return link.file.entries?.isEmpty == true }
    return reason == "the palette was dropped" || reason.contains("not to edit")
  }

  /// Files say what palettes say, nobody writes any more, and nothing that was saved is lost.
  func checkLinks() throws {
    let (writes, edits) = (counts.fileWrites, counts.fileEdits)
    try pass(until: now + Self.restMilliseconds)
    guard (writes, edits) == (counts.fileWrites, counts.fileEdits) else {
      throw Violation("chased", "files and palettes still follow each other after all came to rest")
    }
    try looking {
      for machine in machines where machine.isPresent {
        for (name, link) in machine.links where link.session.state == .live {
          try checkFile(link, name, machine)
          try checkWishes(link, machine)
        }
      }
    }
    try checkTwins()
    try checkPulls()
  }

  /// A file, read back, says what its palette says, as far as the format keeps it.
  private func checkFile(_ link: SimulatedLink, _ name: PaletteFile, _ machine: Machine) throws {
    guard let colors = try machine.store?.colors(of: link.session.palette).map(\.color) else {
      return
    }
    let format = link.file.format
    let sheet = PaletteSheet(id: link.session.palette, name: "", digest: "", colors: colors)
    let wanted = try format.read(try format.write(sheet)).entries
    let found = try link.file.bytes.map { try format.read($0).entries } ?? []
    // A line may say the same color in the way in which it said another.
    guard found.map(\.color.hex) == wanted.map(\.color.hex) else {
      throw Violation("file-differs", "\(machine.name)'s \(name) has other colors than the palette")
    }
    for (index, entry) in found.enumerated() {
      let (name, other) = (entry.name ?? colors[index].color.hex, wanted[index].name)
      // A line without a name may stay one while its color is called by a value.
      let isUnnamed = entry.name == nil && colors[index].name.hasPrefix("#")
      guard other == nil || isUnnamed || name == other || entry.stands(for: colors[index].name)
      else {
        throw Violation(
          "file-differs",
          "\(machine.name)'s file names '\(name)' what the palette names '\(colors[index].name)'"
        )
      }
    }
  }

  /// Checks that what was saved in a file has become a part of the palette, even if it was changed
  /// later.
  private func checkWishes(_ link: SimulatedLink, _ machine: Machine) throws {
    let palette = link.session.palette
    guard !link.file.wishes.isEmpty, !witness.isRewritten(palette), !machine.hasRecovered else {
      return
    }
    var values: Set<RegisterValue> = []
    for fact in (witness.facts[palette] ?? [:]).values {
      values.formUnion(fact.change.writes.map(\.value))
    }
    for wish in link.file.wishes {
      let isGranted =
        switch wish {
        case .color(let color): values.contains(RegisterValue(color: color))
        case .name(let name): values.contains(RegisterValue(text: name))
        }
      guard isGranted else {
        throw Violation(
          "save-lost",
          "\(wish) was saved in \(machine.name)'s \(link.file.file) and is in no history"
        )
      }
    }
  }

  /// Checks that a color added once in one file is there once.
  ///
  /// What was renamed may be there twice: before others know that, who has the file may have added to it
  /// so much that it shows no more which line had which name. And what is copied with a library is changed
  /// in one of two files before its node has seen it.
  private func checkTwins() throws {
    var added: Set<String> = []
    for step in script.steps {
      switch step.event {
      case .fault(.file(_, _, .pull)): return
      case .fault(.file(let machine, _, .save(.add, _))) where !machines[machine].hasCopies:
        added.insert("x\(step.number)")
      default: break
      }
    }
    guard !hasRecovered else { return }
    for machine in machines where machine.isPresent && !machine.links.isEmpty {
      for number in script.palettes {
        var names: Set<String> = []
        for color in try machine.store?.colors(of: Script.palette(number)) ?? []
        where added.contains(color.color.name) && !names.insert(color.color.name).inserted {
          throw Violation(
            "twins",
            "\(machine.name) lists '\(color.color.name)' twice in palette#\(number)"
          )
        }
      }
    }
  }

  /// Two machines whose palettes are equal may have each other's files: nothing comes of it.
  private func checkPulls() throws {
    for (index, machine) in machines.enumerated() where machine.isPresent {
      for (name, link) in machine.links.sorted(by: { $0.key.path < $1.key.path })
      where link.session.state == .live {
        let others = machines[(index + 1)...].filter {
          $0.links[name]?.session.state == .live && $0.isPresent
        }
        guard let other = others.first, let theirs = other.links[name],
          link.file.title == theirs.file.title,
          try machine.store?.digest(of: link.session.palette)
            == other.store?.digest(of: link.session.palette)
        else { continue }
        let edits = counts.fileEdits
        for round in 0..<2 {
          let writes = counts.fileWrites
          for (file, from, at) in [
            (link.file, theirs.file, machine), (theirs.file, link.file, other),
          ] {
            guard file.pull(from) else { continue }
            tell(.fileChanged, name, at: at)
            try pass(until: now + Self.restMilliseconds)
          }
          guard counts.fileEdits == edits, round == 0 || counts.fileWrites == writes else {
            throw Violation(
              "chased",
              "\(machine.name) and \(other.name) take each other's \(name) for an edit"
            )
          }
        }
      }
    }
  }
}

/// How much a saved file has in common with a version.
private struct Likeness: Comparable {
  /// The number of lines with a name or a color of the version.
  private let common: Int
  /// True if lines that both have are in the same order.
  private let isInOrder: Bool
  /// How many lines are not in both.
  private let lines: Int

  /// The number of differences.
  var distance: Int { lines + (isInOrder ? 0 : 1) }
  /// True if both say the same.
  var isSame: Bool { distance == 0 }

  init(of version: [SimulatedFile.Line], to saved: [SimulatedFile.Line]) {
    let isNamed = saved.allSatisfy { $0.entry.name != nil }
    func name(_ line: SimulatedFile.Line) -> String { isNamed ? line.entry.name ?? "" : "" }
    var counts: [String: Int] = [:]
    for (lines, sign) in [(version, 1), (saved, -1)] {
      for line in lines { counts["\(line.entry.color.hex) \(name(line))", default: 0] += sign }
    }
    lines = counts.values.reduce(0) { $0 + abs($1) }
    // A line with another color is at its place, where it has a name.
    func words(_ lines: [SimulatedFile.Line]) -> [String] {
      lines.map { isNamed ? name($0) : $0.entry.color.hex }
    }
    let (left, right) = (words(version), words(saved))
    let both = Set(left).intersection(right)
    isInOrder = left.filter(both.contains) == right.filter(both.contains)
    common = saved.count { line in
      version.contains {
        $0.entry.color.hex == line.entry.color.hex
          || isNamed && $0.entry.name == line.entry.name
      }
    }
  }

  /// More in common counts first, and that others moved the very lines that somebody moved is less likely than
  /// that somebody removed a few.
  static func < (left: Self, right: Self) -> Bool {
    (left.common, left.isInOrder ? 1 : 0, -left.lines)
      < (right.common, right.isInOrder ? 1 : 0, -right.lines)
  }
}
