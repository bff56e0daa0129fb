import PaletteCommands
import PaletteMerge
import PaletteModel

/// Draws an editor: the same state on the same size is always the same screen.
struct EditorScreen {
  private let state: EditorState
  private let layout: GridLayout
  private let now: Moment
  private var canvas: ScreenCanvas

  /// The screen of a state.
  static func canvas(of state: EditorState, at now: Moment) -> ScreenCanvas {
    var screen = EditorScreen(state, now)
    screen.draw()
    return screen.canvas
  }

  private init(_ state: EditorState, _ now: Moment) {
    self.state = state
    self.now = now
    layout = GridLayout(state)
    canvas = ScreenCanvas(rows: state.rows, columns: state.columns)
  }

  private mutating func draw() {
    if case .help = state.mode { return help() }
    title()
    if state.colors.isEmpty { canvas.put("No colors yet; a adds one", row: 1, column: 0) }
    for row in 0..<layout.rows {
      for column in 0..<layout.perRow {
        let index = (state.top + row) * layout.perRow + column
        guard state.colors.indices.contains(index) else { continue }
        color(state.colors[index], row: 1 + row * GridLayout.height, column: column * layout.width)
      }
    }
    panel()
  }

  private mutating func title() {
    let name = state.palette.name
    let selected = state.selection.isEmpty ? "" : ", \(state.selection.count) selected"
    let others = state.present.compactMap(\.shownName)
    let here =
      state.isUnsynced
      ? "  no node runs" : others.count > 1 ? "  here: " + others.joined(separator: ", ") : ""
    let count =
      "  \(state.colors.isEmpty ? 0 : state.index + 1)/\(state.colors.count)\(selected)\(here)"
    let room = max(8, state.columns - DisplayWidth.of(count))
    let shown = DisplayWidth.cut(SafeText.line(name), to: room)
    canvas.put(shown, row: 0, column: 0, style: CellStyle(isBold: true))
    canvas.put(count, row: 0, column: DisplayWidth.of(shown))
  }

  /// A color: its patch with the hex, its name, and what became of it or who is there.
  private mutating func color(_ color: Received<RecordAnswer>, row: Int, column: Int) {
    let id = color.id
    let isCurrent = id == state.cursor
    let width = layout.width - 3
    var hex = color.hex
    if case .recoloring(let gesture) = state.mode, gesture.id == id { hex = gesture.color.hex }
    canvas.put(isCurrent ? "▶" : " ", row: row, column: column, style: CellStyle(isBold: true))
    canvas.put(state.selection.contains(id) ? "✓" : " ", row: row + 1, column: column)
    patch(hex, row: row, column: column + 1, width: width)
    canvas.put(
      (color.conflicts.isEmpty ? "" : "! ") + color.name,
      row: row + 1,
      column: column + 1,
      width: width,
      style: CellStyle(isBold: isCurrent, isReversed: isCurrent)
    )
    let others = state.present.filter { $0.selection == id }.compactMap(\.shownName)
    let below =
      state.flash(of: id, at: now)
      ?? (others.isEmpty ? color.note : "@" + others.joined(separator: ", "))
    if row + 2 < layout.panel {
      canvas.put(
        below,
        row: row + 2,
        column: column + 1,
        width: width,
        style: CellStyle(isDim: true)
      )
    }
  }

  private mutating func patch(_ hex: String, row: Int, column: Int, width: Int) {
    guard let color = ScreenColor(hex: hex)?.over(grey: 255) else { return }
    let black = ScreenColor(red: 0, green: 0, blue: 0)
    let white = ScreenColor(red: 255, green: 255, blue: 255)
    let style = CellStyle(foreground: color.isLight ? black : white, background: color)
    canvas.put(
      " " + hex + String(repeating: " ", count: max(0, width - hex.count - 1)),
      row: row,
      column: column,
      width: width,
      style: style
    )
  }

  private mutating func panel() {
    let row = layout.panel
    let dim = CellStyle(isDim: true)
    switch state.mode {
    case .browsing, .help:
      canvas.put(
        state.message.isEmpty && state.pending > 0 ? "Saving…" : state.message,
        row: row,
        column: 0
      )
      canvas.put(
        "? keys  q quit  Enter recolor  n name  a add  d delete  u undo",
        row: row + 1,
        column: 0,
        style: dim
      )
    case .typing(let field):
      canvas.put(field.purpose.rawValue + ":", row: row, column: 0, style: CellStyle(isBold: true))
      // The end is what is being typed.
      var shown = SafeText.line(field.text)
      while DisplayWidth.of(shown) > max(1, state.columns - 2) { shown.removeFirst() }
      canvas.put(shown, row: row + 1, column: 0)
      canvas.put(
        " ",
        row: row + 1,
        column: DisplayWidth.of(shown),
        style: CellStyle(isReversed: true)
      )
    case .removing(let ids):
      canvas.put(
        "Delete \(ids.count == 1 ? "this color" : "\(ids.count) colors")?",
        row: row,
        column: 0,
        style: CellStyle(isBold: true)
      )
      canvas.put("y deletes, any other key leaves it", row: row + 1, column: 0, style: dim)
    case .recoloring(let gesture): sliders(gesture, row: row)
    case .conflict(let conflict): values(of: conflict.conflict, row: row)
    }
  }

  private mutating func sliders(_ gesture: SliderGesture, row: Int) {
    canvas.put(
      "\(gesture.model.rawValue)  \(gesture.color.hex)  \(gesture.color.css)",
      row: row,
      column: 0,
      style: CellStyle(isBold: true)
    )
    for (index, slider) in gesture.model.sliders.enumerated() {
      let isActive = index == gesture.active
      let style = CellStyle(isBold: isActive)
      canvas.put(
        (isActive ? "▶" : " ") + slider.letter,
        row: row + 1 + index,
        column: 0,
        style: style
      )
      let length = layout.sliderLength
      let place = Int((gesture.values[index] / slider.top * Double(length - 1)).rounded())
      let line = String(repeating: "=", count: max(0, min(place, length - 1))) + "|"
      canvas.put(
        line + String(repeating: "-", count: max(0, length - line.count)),
        row: row + 1 + index,
        column: GridLayout.beforeSlider,
        style: style
      )
      let number =
        isActive && !gesture.typed.isEmpty
        ? gesture.typed + "_" : Self.number(gesture.values[index], slider.top)
      canvas.put(
        number,
        row: row + 1 + index,
        column: GridLayout.beforeSlider + length + 1,
        style: style
      )
    }
    canvas.put(
      "Enter keep Esc leave Tab space 0-9 type",
      row: row + 4,
      column: 0,
      style: CellStyle(isDim: true)
    )
  }

  /// A number with as many digits behind the point as its slider has steps.
  private static func number(_ value: Double, _ top: Double) -> String {
    let scale = top < 1 ? 1000.0 : 10.0
    return String((value * scale).rounded() / scale)
  }

  private mutating func values(of conflict: Received<ConflictAnswer>, row: Int) {
    canvas.put(
      "The \(conflict.register) has \(conflict.values.count) values",
      row: row,
      column: 0,
      style: CellStyle(isBold: true)
    )
    let room = max(0, state.rows - row - 2)
    for (index, value) in conflict.values.prefix(room).enumerated() {
      let text = value.value
      canvas.put("\(index + 1)", row: row + 1 + index, column: 0)
      var column = 2
      if conflict.isOfColor, let color = try? Color(text) {
        patch(color.hex, row: row + 1 + index, column: column, width: 11)
        column += 12
      }
      let shown = value.isShown ? ", shown" : ""
      canvas.put(
        "\(value.author ?? "unknown")\(shown): \(text)",
        row: row + 1 + index,
        column: column
      )
    }
    canvas.put(
      "a number keeps that value, Esc leaves them",
      row: state.rows - 1,
      column: 0,
      style: CellStyle(isDim: true)
    )
  }

  /// Every key, in as many columns as fit.
  private mutating func help() {
    let rows = max(1, state.rows - 1)
    let width = max(1, state.columns / max(1, (Self.keys.count + rows - 1) / rows))
    for (index, key) in Self.keys.enumerated() {
      canvas.put(key, row: index % rows, column: index / rows * width, width: width - 1)
    }
    canvas.put("any key goes back", row: state.rows - 1, column: 0, style: CellStyle(isDim: true))
  }

  private static let keys = [
    "hjkl arrows go", "g G first, last", "PgUp PgDn page", "Enter s sliders", "v type value",
    "n rename", "t note", "a add", "d Del delete", "< > move", "u undo", "U ^R redo",
    "c conflict", "/ search", "Space select", "Esc unselect", "y copy hex", "q quit",
    "sliders: Tab space", "H L ten steps",
  ]
}
