import PaletteCommands
import PaletteJSON
import PaletteMerge
import PaletteModel

/// A palette in the hands of one person: a value that events change, without a terminal.
struct EditorState {
  private(set) var rows: Int
  private(set) var columns: Int
  private(set) var palette = Received<PaletteAnswer>(nil)
  private(set) var colors: [Received<RecordAnswer>] = []
  /// The people who look at the palette, the one at this editor included.
  private(set) var present: [Received<RPCEvents.View>] = []
  private(set) var mode = EditorMode.browsing
  /// The color at the cursor, which stays whatever others move.
  private(set) var cursor: String?
  private(set) var selection: Set<String> = []
  /// The message in the last line but one.
  private(set) var message = ""
  private(set) var isUnsynced = false
  /// The commands that have not been answered.
  private(set) var pending = 0
  /// The first row of the grid that is shown.
  private(set) var top = 0
  private var flashes: [String: (text: String, until: Int64)] = [:]
  private var sought = ""
  private var lastIndex = 0

  /// The time that what others changed is pointed at.
  private static let flashMilliseconds: Int64 = 5_000

  init(rows: Int, columns: Int) {
    self.rows = rows
    self.columns = columns
  }

  /// The index of the color at the cursor; 0 in an empty palette.
  var index: Int { index(of: cursor) ?? 0 }

  /// The color at the cursor.
  var current: Received<RecordAnswer>? { colors.indices.contains(index) ? colors[index] : nil }

  /// The latest event of a color, and its author.
  func flash(of id: String, at now: Moment) -> String? {
    flashes[id].flatMap { $0.until > now.milliseconds ? $0.text : nil }
  }

  /// Returns whether something is pointed at that will not be for long.
  func hasFlashes(at now: Moment) -> Bool {
    flashes.values.contains { $0.until + 500 > now.milliseconds }
  }

  /// Takes in what happens.
  ///
  /// - Returns: What is to be done about it.
  mutating func handle(_ event: EditorEvent, at now: Moment) -> [EditorAction] {
    var actions: [EditorAction] = []
    switch event {
    case .input(let input): actions = press(input)
    case .resize(let rows, let columns): (self.rows, self.columns) = (rows, columns)
    case .palette(let event): apply(Received(event), at: now)
    case .unsynced: isUnsynced = true
    case .answered(let command, let answer):
      pending = max(0, pending - 1)
      take(answer, of: command)
    case .failed(let error):
      pending = max(0, pending - 1)
      message = error.message + (error.hint.map { "; \($0)" } ?? "")
      actions = [.beep]
    }
    pending += actions.count { if case .call = $0 { true } else { false } }
    scroll()
    return actions
  }

  // MARK: What comes from elsewhere

  private mutating func apply(_ event: Received<RPCEvents.Event>, at now: Moment) {
    switch event.event {
    case .snapshot:
      (palette, colors) = (event.list.palette, event.list.colors)
      isUnsynced = false
    case .title: palette = event.palette
    case .presence: present = event.present
    case .diff:
      let diff = event.diff
      colors.change(by: diff)
      let author = diff.author.map { " by \($0)" } ?? ""
      let until = now.milliseconds + Self.flashMilliseconds
      flashes = flashes.filter { $0.value.until > now.milliseconds }
      for insertion in diff.insertions { flashes[insertion.id] = ("added" + author, until) }
      for move in diff.moves {
        flashes[move.id] = ("moved" + author, until)
        guard let index = index(of: move.id), let seen = move.seen else { continue }
        colors[index] = colors[index].seeing(seen)
      }
      for update in diff.updates { flashes[update.id] = ("changed" + author, until) }
    case .peers, nil: break
    }
    if let index = index(of: cursor) {
      lastIndex = index
    } else {
      // The color is gone: the one that took its place.
      lastIndex = max(0, min(lastIndex, colors.count - 1))
      cursor = colors.isEmpty ? nil : id(lastIndex)
    }
    selection.formIntersection(colors.map(\.id))
  }

  private mutating func take(_ answer: JSON, of command: Command) {
    switch command {
    case .conflicts:
      let all = Received<ConflictsAnswer>(answer).conflicts
      guard case .browsing = mode, let cursor,
        let conflict = all.first(where: { $0.id == cursor })
      else {
        message = all.isEmpty ? "No conflicts" : "\(all.count) in conflict, none of this color"
        return
      }
      mode = .conflict(EditorConflict(seen: current?.seen, conflict: conflict))
    case .undo, .redo:
      let isNothing = Received<UndoAnswer>(answer).changed.isEmpty
      message = isNothing ? "Nothing to \(command.name)" : command == .undo ? "Undone" : "Redone"
    case .add:
      let id = Received<RecordAnswer>(answer).id
      if index(of: id) != nil { cursor = id }
      message = "Added"
    default: message = "Saved"
    }
  }

  // MARK: Keys

  private mutating func press(_ input: TerminalInput) -> [EditorAction] {
    switch mode {
    case .browsing: return browse(input)
    case .help:
      mode = .browsing
      return []
    case .recoloring(let gesture): return recolor(gesture, input)
    case .typing(let field): return type(field, input)
    case .conflict(let conflict): return settle(conflict, input)
    case .removing(let ids):
      mode = .browsing
      guard input == .character("y") else {
        message = "Nothing was deleted"
        return []
      }
      return [call(.remove, [("colors", JSON(ids.map { JSON($0) })), ("seen", seen(of: ids))])]
    }
  }

  private mutating func browse(_ input: TerminalInput) -> [EditorAction] {
    message = ""
    let layout = GridLayout(self)
    switch input {
    case .left, .character("h"): go(to: index - 1)
    case .right, .character("l"): go(to: index + 1)
    case .up, .character("k"), .wheelUp: go(to: index - layout.perRow)
    case .down, .character("j"), .wheelDown: go(to: index + layout.perRow)
    case .pageUp: go(to: index - layout.perRow * layout.rows)
    case .pageDown: go(to: index + layout.perRow * layout.rows)
    case .home, .character("g"): go(to: 0)
    case .end, .character("G"): go(to: colors.count - 1)
    case .press(let row, let column):
      if let index = layout.index(row: row, column: column, top: top) { go(to: index) }
    case .escape: selection = []
    case .character("q"): return [.quit]
    case .character("?"): mode = .help
    case .character("u"): return [call(.undo, [])]
    case .character("U"), .control("r"): return [call(.redo, [])]
    case .character("a"): mode = .typing(EditorField(purpose: .new))
    case .character("/"): mode = .typing(EditorField(purpose: .search))
    default: return work(input)
    }
    return []
  }

  /// The keys that are about the color at the cursor.
  private mutating func work(_ input: TerminalInput) -> [EditorAction] {
    guard let color = current else { return [.beep] }
    let (id, seen) = (color.id, color.seen)
    func field(_ purpose: EditorField.Purpose, _ text: String) -> EditorMode {
      .typing(EditorField(purpose: purpose, id: id, seen: seen, text: text))
    }
    switch input {
    case .character(" "):
      if selection.remove(id) == nil { selection.insert(id) }
    case .enter, .character("s"):
      guard let value = try? Color(color.color) else { return [.beep] }
      mode = .recoloring(SliderGesture(value, id: id, seen: seen))
    case .character("v"): mode = field(.value, color.color)
    case .character("n"): mode = field(.name, color.name)
    case .character("t"): mode = field(.note, color.note)
    case .character("d"), .delete:
      mode = .removing(selection.isEmpty ? [id] : colors.map(\.id).filter(selection.contains))
    case .character("<"), .character(">"):
      let target = index + (input == .character("<") ? -1 : 1)
      guard colors.indices.contains(target) else { return [.beep] }
      return [call(.move, [("color", JSON(id)), ("at", JSON(target)), ("seen", Self.json(seen))])]
    case .character("c"): return [call(.conflicts, [])]
    case .character("y"):
      let hexes = colors.filter { selection.isEmpty ? $0.id == id : selection.contains($0.id) }
        .map(\.hex)
      message = "Copied \(hexes.count == 1 ? hexes[0] : "\(hexes.count) colors")"
      return [.copy(hexes.joined(separator: "\n"))]
    default: return [.beep]
    }
    return []
  }

  private mutating func recolor(_ gesture: SliderGesture, _ input: TerminalInput) -> [EditorAction]
  {
    var gesture = gesture
    switch input {
    case .escape:
      mode = .browsing
      message = "Left as it was"
      return []
    case .enter where gesture.typed.isEmpty:
      mode = .browsing
      guard gesture.isChanged else { return [] }
      return [
        call(
          .set,
          [
            ("color", JSON(gesture.id)), ("value", JSON(gesture.color.css)),
            ("seen", Self.json(gesture.seen)),
          ]
        )
      ]
    case .enter: gesture.enter()
    case .up, .character("k"): gesture.choose(gesture.active - 1)
    case .down, .character("j"): gesture.choose(gesture.active + 1)
    case .left, .character("h"): gesture.move(by: -1)
    case .right, .character("l"): gesture.move(by: 1)
    case .character("H"), .pageDown: gesture.move(by: -10)
    case .character("L"), .pageUp: gesture.move(by: 10)
    case .tab: gesture.turn()
    case .backspace: gesture.erase()
    case .character(let character): gesture.type(character)
    case .press(let row, let column):
      let layout = GridLayout(self)
      guard let (slider, part) = layout.slider(row: row, column: column) else { break }
      gesture.choose(slider)
      gesture.set(part: part)
    default: return [.beep]
    }
    mode = .recoloring(gesture)
    return []
  }

  private mutating func type(_ field: EditorField, _ input: TerminalInput) -> [EditorAction] {
    var field = field
    switch input {
    case .escape:
      mode = .browsing
      return []
    case .enter:
      mode = .browsing
      return finish(field)
    case .backspace: field.text = String(field.text.dropLast())
    case .control("u"): field.text = ""
    case .character(let character): field.text.append(character)
    case .paste(let text): field.text += text
    default: return [.beep]
    }
    mode = .typing(field)
    return []
  }

  private mutating func finish(_ field: EditorField) -> [EditorAction] {
    let about: [(key: String, value: JSON)] = [
      ("color", Self.json(field.id)), ("seen", Self.json(field.seen)),
    ]
    switch field.purpose {
    case .name: return [call(.rename, about + [("name", JSON(field.text))])]
    case .note: return [call(.note, about + [("text", JSON(field.text))])]
    case .value: return [call(.set, about + [("value", JSON(field.text))])]
    case .new: return add(field.text)
    case .search:
      sought = field.text.isEmpty ? sought : field.text.lowercased()
      let order =
        Array(colors.indices.dropFirst(index + 1)) + Array(colors.indices.prefix(index + 1))
      let found = order.first { place in
        let color = colors[place]
        return [color.name, color.hex, color.note].contains { $0.lowercased().contains(sought) }
      }
      guard let found else {
        message = "No color has '\(sought)'"
        return [.beep]
      }
      go(to: found)
      return []
    }
  }

  /// Adds behind the cursor: the value is as long as it can be read as a color, the rest is the name.
  private mutating func add(_ text: String) -> [EditorAction] {
    let words = text.split(separator: " ")
    let count = (0...words.count).reversed().first {
      (try? Color(words.prefix($0).joined(separator: " "))) != nil
    }
    guard let count else {
      message = "'\(text)' is no color; try '#ff8800 Orange'"
      return [.beep]
    }
    let name = words.dropFirst(count).joined(separator: " ")
    return [
      call(
        .add,
        [
          ("value", JSON(words.prefix(count).joined(separator: " "))),
          ("name", name.isEmpty ? .null : JSON(name)), ("after", Self.json(cursor)),
        ]
      )
    ]
  }

  private mutating func settle(_ settling: EditorConflict, _ input: TerminalInput) -> [EditorAction]
  {
    let conflict = settling.conflict
    let values = conflict.values
    guard case .character(let character) = input, let number = character.wholeNumberValue,
      values.indices.contains(number - 1)
    else {
      if input == .escape || input == .character("q") { mode = .browsing }
      return []
    }
    mode = .browsing
    return [
      call(
        .resolve,
        [
          ("color", JSON(conflict.id)), ("register", JSON(conflict.register)),
          ("value", JSON(values[number - 1].value)), ("seen", Self.json(settling.seen)),
        ]
      )
    ]
  }

  // MARK: Places

  private func call(_ command: Command, _ parameters: [(key: String, value: JSON)]) -> EditorAction
  {
    // What is not said is left out, as a caller of the API does it.
    .call(
      command,
      JSON([("palette", JSON(palette.id))] + parameters.filter { !$0.value.isNull })
    )
  }

  private static func json(_ text: String?) -> JSON { text.map { JSON($0) } ?? .null }

  private func seen(of ids: [String]) -> JSON {
    let all = ids.compactMap { id in index(of: id).flatMap { colors[$0].seen } }
    return all.count == ids.count ? JSON(all.map { JSON($0) }) : .null
  }

  private func id(_ index: Int) -> String { colors[index].id }

  private func index(of id: String?) -> Int? {
    id.flatMap { id in colors.firstIndex { $0.id == id } }
  }

  private mutating func go(to index: Int) {
    guard !colors.isEmpty else { return }
    lastIndex = max(0, min(index, colors.count - 1))
    cursor = id(lastIndex)
  }

  private mutating func scroll() {
    let layout = GridLayout(self)
    let row = index / layout.perRow
    top = max(0, min(max(top, row - layout.rows + 1), row))
  }
}
