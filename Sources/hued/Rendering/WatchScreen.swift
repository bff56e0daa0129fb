import PaletteCommands
import PaletteJSON
import PaletteMerge
import PaletteModel

/// A palette on the whole screen that follows its diffs: what is shown, decided without a terminal.
struct WatchScreen {
  /// The meaning of a key.
  enum Key: Equatable {
    case up
    case down
    case pageUp
    case pageDown
    case first
    case last
    case quit
  }

  /// The latest event of a color, shown beside it for a while.
  private struct Flash {
    let text: String
    let until: Int64
  }

  /// The time that what changed is pointed at.
  private static let flashMilliseconds: Int64 = 5_000

  private let renderer: TextRenderer
  private(set) var rows: Int
  private(set) var columns: Int
  private var palette = Received<PaletteAnswer>(nil)
  private var colors: [Received<RecordAnswer>] = []
  /// The people who look at the palette, the one at this view included.
  private var present: [Received<RPCEvents.View>] = []
  private var peers: [Received<PeerAnswer>] = []
  /// That nothing comes from elsewhere; empty where a node runs.
  private var warning = ""
  private var newest: (text: String, moment: Moment)?
  private var flashes: [String: Flash] = [:]
  /// The first color that is shown.
  private var top = 0

  /// Begins with an empty screen.
  init(renderer: TextRenderer, rows: Int, columns: Int) {
    self.renderer = renderer
    self.rows = rows
    self.columns = columns
  }

  /// Takes in that the window has another size.
  mutating func resize(rows: Int, columns: Int) {
    self.rows = rows
    self.columns = columns
    scroll(to: top)
  }

  /// Takes in that no node runs.
  mutating func warn(_ text: String) { warning = text }

  /// Takes in an event of `watch`.
  mutating func apply(_ event: [UInt8], at now: Moment) throws(APIError) {
    let event = Received<RPCEvents.Event>(try JSON(answer: event))
    switch event.event {
    case .snapshot:
      (palette, colors) = (event.list.palette, event.list.colors)
      scroll(to: top)
    case .diff: apply(diff: event.diff, at: now)
    case .title:
      palette = event.palette
      newest = ("renamed the palette", now)
    case .peers: peers = event.peers
    case .presence: present = event.present
    case nil: break
    }
  }

  /// Takes in a key; false when it ends the program.
  mutating func press(_ key: Key) -> Bool {
    let page = max(1, colorRows - 1)
    switch key {
    case .up: scroll(to: top - 1)
    case .down: scroll(to: top + 1)
    case .pageUp: scroll(to: top - page)
    case .pageDown: scroll(to: top + page)
    case .first: scroll(to: 0)
    case .last: scroll(to: colors.count)
    case .quit: return false
    }
    return true
  }

  /// The time that what is shown stays as it is while nothing happens.
  func millisecondsToNextChange(at now: Moment) -> Int {
    let next = flashes.values.map { $0.until - now.milliseconds }.min() ?? .max
    // How long ago the newest edit was is told in seconds at first.
    let ticks = newest.map { now.milliseconds - $0.moment.milliseconds < 60_000 } ?? false
    return Int(max(50, min(next, ticks ? 1_000 : 20_000)))
  }

  /// The lines of the screen, none wider than it and not more than it has rows.
  mutating func lines(at now: Moment) -> [String] {
    flashes = flashes.filter { $0.value.until > now.milliseconds }
    let footer = footer(at: now)
    var lines = [title] + table(count: colorRows(above: footer))
    lines += Array(repeating: "", count: max(0, rows - lines.count - footer.count - 1))
    return Array((lines + footer + [help]).prefix(max(1, rows)))
  }

  /// The lines left on the normal screen at the end.
  mutating func lastState(at now: Moment) -> String {
    flashes = [:]
    let footer = footer(at: now)
    let count = colorRows(above: footer)
    var lines = [title] + table(count: count)
    let hidden = colors.count - min(colors.count, count)
    if hidden > 0 {
      lines.append("and \(renderer.count(hidden, "more color")): hued list \(name)")
    }
    return (lines + footer).map { $0 + "\n" }.joined()
  }

  private var name: String { SafeText.line(renderer.plain(palette.name)) }

  private var title: String {
    let count = "  " + renderer.count(colors.count, "color")
    let room = columns - DisplayWidth.of(count)
    return renderer.bold(DisplayWidth.cut(name, to: min(columns, max(4, room))))
      + DisplayWidth.cut(count, to: max(0, columns - 4))
  }

  /// The keys, and which part of the colors is shown.
  private var help: String {
    let shown = min(colors.count, top + colorRows) - top
    let part =
      shown < colors.count ? "\(top)-\(top + max(0, shown - 1)) of \(colors.count)  " : ""
    let keys = shown < colors.count ? "j k space b g G scroll, q ends" : "q ends"
    let text = DisplayWidth.cut(part + keys, to: columns)
    return renderer.presentation.depth == .none ? text : "\u{1B}[2m\(text)\(Swatch.reset)"
  }

  /// The lines of warnings; none if all is as it should be.
  private func footer(at now: Moment) -> [String] {
    var lines: [String] = []
    if let newest {
      lines.append("Last edit: \(newest.text), \(Ago.text(newest.moment.description, now: now))")
    }
    if present.count > 1 { lines.append("Here: " + present.map(words).joined(separator: ", ")) }
    if !peers.isEmpty {
      lines.append(
        "Peers: "
          + peers.map { peer in
            let name = peer.name ?? renderer.plain(peer.url)
            let pending = peer.pending ?? 0
            return "\(name) \(renderer.plain(peer.state.text))"
              + (pending > 0 ? " (\(pending) waiting)" : "")
          }.joined(separator: ", ")
      )
    }
    if !warning.isEmpty { lines.append(warning) }
    // Where there is little room, the colors come first.
    return lines.prefix(max(0, rows - 5)).map { line in
      DisplayWidth.cut(SafeText.line(line), to: columns)
    }
  }

  /// Somebody who looks at the palette, and what is selected there.
  private func words(_ view: Received<RPCEvents.View>) -> String {
    let name = view.author ?? renderer.plain(view.name)
    guard let selection = view.selection, let color = colors.first(where: { $0.id == selection })
    else { return name }
    return "\(name) (\(renderer.plain(color.name)))"
  }

  /// The number of colors that fit on the screen.
  private var colorRows: Int { colorRows(above: footer(at: newest?.moment ?? renderer.now)) }

  /// The number of colors that fit: what is left by the title, the head of the table, the footer
  /// and the keys.
  private func colorRows(above footer: [String]) -> Int { max(1, rows - 3 - footer.count) }

  private mutating func scroll(to index: Int) {
    top = max(0, min(index, colors.count - colorRows))
  }

  private mutating func show(_ index: Int) {
    guard index < top || index >= top + colorRows else { return }
    scroll(to: index - colorRows / 2)
  }

  /// The head and the rows of the colors that are shown.
  private func table(count: Int) -> [String] {
    guard !colors.isEmpty else { return ["No colors yet"] }
    let window = colors[top..<min(colors.count, top + count)]
    var table = TextTable(header: ["", "#", "COLOR", "NAME", "CHANGED", "VALUE", "CONFLICTS"])
    for (index, color) in zip(top..., window) {
      let flash = flashes[color.id]
      table.append([
        // Kept free where nothing changed, so that the rows stay where they are.
        Cell(styled: flash == nil ? " " : "▶", width: 1), Cell(String(index), alignsRight: true),
        renderer.swatch(color.hex), Cell(renderer.plain(color.name)), Cell(flash?.text ?? ""),
        Cell(columns < 70 ? "" : renderer.authoredValue(color)),
        Cell(renderer.registersInConflict(color)),
      ])
    }
    var presentation = renderer.presentation
    presentation.columns = columns
    presentation.isWide = false
    let lines = table.text(presentation).split(separator: "\n").map(String.init)
    let changed = Set(
      zip(1..., window).filter { flashes[$0.1.id] != nil }.map(\.0)
    )
    return lines.enumerated().map {
      changed.contains($0.offset) ? emphasized($0.element) : $0.element
    }
  }

  /// A line in bold, also behind its swatch.
  private func emphasized(_ line: String) -> String {
    guard renderer.presentation.depth != .none else { return line }
    let bold = "\u{1B}[1m"
    return bold
      + line.split(separator: Swatch.reset, omittingEmptySubsequences: false)
      .joined(separator: Swatch.reset + bold) + Swatch.reset
  }

  /// Takes in a diff, and points at what it changed.
  private mutating func apply(diff: Received<RPCEvents.Diff>, at now: Moment) {
    let author = renderer.plain(diff.author)
    let changes = changes(of: diff)
    let removed = removedName(in: diff)
    colors.change(by: diff)
    let until = now.milliseconds + Self.flashMilliseconds
    for (id, word) in changes {
      flashes[id] = Flash(text: author.isEmpty ? word : "\(word) by \(author)", until: until)
    }
    let first = colors.firstIndex { changes[$0.id] != nil }
    let count = changes.count + diff.deletions.count
    var text = author.isEmpty ? "" : author + " "
    if count > 1 {
      text += "changed \(count) colors"
    } else if let removed {
      text += "removed \(removed)"
    } else if let first {
      text += "\(changes[colors[first].id] ?? "") \(renderer.plain(colors[first].name))"
    }
    if count > 0 { newest = (text, now) }
    // What is told below takes a line from the colors, so that is first.
    scroll(to: top)
    if let first { show(first) }
  }

  /// The effect of a diff on the colors that are there afterwards, in a word.
  private func changes(of diff: Received<RPCEvents.Diff>) -> [String: String] {
    var words: [String: String] = [:]
    for move in diff.moves { words[move.id] = "moved" }
    for update in diff.updates {
      let (color, was) = (update.color, update.was)
      words[color.id] =
        color.color != was.color
        ? "recolored"
        : color.name != was.name ? "renamed" : color.note != was.note ? "noted" : "changed"
    }
    for insertion in diff.insertions { words[insertion.id] = "added" }
    return words
  }

  /// The name of the color that a diff removes.
  private func removedName(in diff: Received<RPCEvents.Diff>) -> String? {
    guard let index = diff.deletions.first?.index, colors.indices.contains(index) else {
      return nil
    }
    return renderer.plain(colors[index].name)
  }
}

extension WatchScreen.Key {
  /// The keys that some bytes from a terminal stand for.
  static func keys(_ bytes: [UInt8]) -> [Self] {
    var keys: [Self] = []
    var rest = bytes[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "q"), UInt8(ascii: "Q"), 4: keys.append(.quit)
      case UInt8(ascii: "j"), UInt8(ascii: "\n"), UInt8(ascii: "\r"): keys.append(.down)
      case UInt8(ascii: "k"): keys.append(.up)
      case UInt8(ascii: " "), UInt8(ascii: "f"): keys.append(.pageDown)
      case UInt8(ascii: "b"): keys.append(.pageUp)
      case UInt8(ascii: "g"): keys.append(.first)
      case UInt8(ascii: "G"): keys.append(.last)
      case 0x1B:
        guard rest.first == UInt8(ascii: "[") || rest.first == UInt8(ascii: "O") else { continue }
        rest.removeFirst()
        let parameters = rest.prefix { (0x20..<0x40).contains($0) }
        rest = rest[parameters.endIndex...]
        let code = String(decoding: parameters, as: UTF8.self)
        guard let last = rest.popFirst(), let key = named[code + String(UnicodeScalar(last))] else {
          continue
        }
        keys.append(key)
      default: continue
      }
    }
    return keys
  }

  /// The sequences that terminals send after the escape for keys without a letter.
  private static let named: [String: Self] = [
    "A": .up, "B": .down, "H": .first, "F": .last, "1~": .first, "4~": .last, "7~": .first,
    "8~": .last, "5~": .pageUp, "6~": .pageDown,
  ]
}
