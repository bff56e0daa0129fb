import PaletteFormats
import PaletteMerge
import PaletteModel
import PaletteStore
import PaletteTestSupport

/// Carries out one edit as the command of that name does, in one transaction.
final class UserAction {
  let edit: UserEdit
  let palette: PaletteID
  let store: ChangeStore
  let observation: Observation
  /// Looks at what is shown before anything is done.
  var lookFirst: () throws -> Void = {}
  /// The violation in what was shown.
  private(set) var violation: Violation?
  private var random: SeededRandom
  /// The result that the user expects to be shown, if it is that simple.
  private var wish: (record: RecordID, value: Wish)?

  /// A user's expectation of a record.
  enum Wish {
    case color(Color)
    case name(String)
    case note(String)
    case value(Register, RegisterValue)
    case removed
    case index(Int)
  }

  init(
    _ edit: UserEdit,
    in palette: PaletteID,
    _ store: ChangeStore,
    _ observation: Observation,
    _ random: SeededRandom
  ) {
    self.edit = edit
    self.palette = palette
    self.store = store
    self.observation = observation
    self.random = random
  }

  func perform(in transaction: WriteTransaction) throws(StoreError) {
    do {
      try lookFirst()
    } catch let error as StoreError {
      throw error
    } catch {
      violation = error as? Violation ?? Violation("error", "\(error)")
    }
    if edit == .new { return try begin(transaction.palette(beginning: palette)) }
    guard let writer = try transaction.palette(palette),
      let summary = try store.summary(of: palette)
    else { return }
    if edit == .restorePalette {
      guard summary.isDropped else { return }
      try observation.look(atNamesIn: store, writer)
      try observation.look(at: palette.record, writer)
      let name = RegisterValue(text: summary.name)
      try writer.author(.restore(palette.record, [.name: name]))
      return
    }
    guard !summary.isDropped else { return }
    try observation.look(atNamesIn: store, writer)
    switch edit {
    case .title(let name): try title("t\(name)", writer)
    case .drop:
      try observation.look(at: palette.record, writer)
      observation.frontier = try store.frontier(of: palette).mapValues(\.sequence)
      try writer.author(.drop(palette))
    case .undo, .redo:
      // What is written back may be the title, or of a color of which there is not enough to be listed.
      try observation.look(at: palette.record, writer)
      for record in observation.view.map({ Array($0.live.keys) }) ?? [] {
        try observation.look(at: record, writer)
      }
      for record in try store.names(of: palette) { try observation.look(at: record.id, writer) }
      for record in try store.names(of: palette, removed: true) {
        try observation.look(at: record.id, writer)
      }
      _ = edit == .undo ? try ActionUndo(in: writer).undo() : try ActionUndo(in: writer).redo()
    default:
      let edits = try edits(writer)
      guard !edits.isEmpty else { return }
      try observation.look(at: edits, writer)
      try writer.act(edits)
    }
  }

  private func begin(_ writer: PaletteWriter) throws(StoreError) {
    guard try writer.state(of: palette.record).values.isEmpty else { return }
    try observation.look(atNamesIn: store, writer)
    try observation.look(at: palette.record, writer)
    try writer.author(.add(palette.record, [.name: RegisterValue(text: "palette")]))
  }

  private func title(_ name: String, _ writer: PaletteWriter) throws(StoreError) {
    let value = RegisterValue(text: name)
    let live = try writer.state(of: palette.record).values(of: .name)
    guard live.contains(where: { $0.value != value }) else { return }
    try observation.look(at: palette.record, writer)
    try writer.author(.set(palette.record, [.name: value]))
  }

  private func edits(_ writer: PaletteWriter) throws(StoreError) -> [Edit] {
    switch edit {
    case .add(let first, let count, let index): return try adding(first, count, index, writer)
    case .recolor(let color, let value):
      return try setting(color, .color(Self.value(value)))
    case .rename(let color, let name): return try setting(color, .name("n\(name)"))
    case .note(let color, let text):
      return try setting(color, .note(text == 0 ? "" : "note \(text)"))
    case .tweak(let color, let isLighter):
      guard let shown = try listed(color)?.color else { return [] }
      return try setting(color, .color(isLighter ? shown.lighter(by: 10) : shown.darker(by: 10)))
    case .move(let color, let index):
      let list = try store.colors(of: palette)
      let record = Script.color(color)
      guard let start = list.firstIndex(where: { $0.color.id == record }) else { return [] }
      let end = min(index, list.count - 1)
      wish = (record, .index(end))
      return try writer.moving(from: start, to: end, in: list)
    case .remove(let colors):
      for color in colors { guard try listed(color) != nil else { return [] } }
      if let color = colors.first { wish = (Script.color(color), .removed) }
      return colors.map { .delete(Script.color($0)) }
    case .restore(let color):
      let record = Script.color(color)
      guard let shown = try store.record(record, in: palette), shown.isDeleted,
        let place = shown.place
      else { return [] }
      return [.restore(record, [.place: RegisterValue(placeBytes: place.bytes)])]
    case .resolve(let color, let register, let choice):
      return try resolving(Script.color(color), register, choice)
    case .importList(let entries): return try importing(entries, writer)
    case .new, .title, .drop, .restorePalette, .undo, .redo, .compact: return []
    }
  }

  private func listed(_ color: Int) throws(StoreError) -> ShownRecord? {
    let shown = try store.record(Script.color(color), in: palette)
    return shown?.isListed == true ? shown : nil
  }

  private func adding(
    _ first: Int,
    _ count: Int,
    _ index: Int?,
    _ writer: PaletteWriter
  ) throws(StoreError) -> [Edit] {
    let colors = (first..<first + count).map { number in
      NamedColor(
        id: Script.color(number),
        name: "c\(number)",
        color: Self.value(number),
        note: number % 5 == 0 ? "made" : ""
      )
    }
    for color in colors {
      guard try writer.state(of: color.id).values.isEmpty else { return [] }
    }
    guard let index else {
      wish = (colors[0].id, .index(try store.colors(of: palette).count))
      return try writer.appending(colors)
    }
    let list = try store.colors(of: palette)
    wish = (colors[0].id, .index(min(index, list.count)))
    return try writer.inserting(colors, into: list, at: min(index, list.count))
  }

  private func setting(_ color: Int, _ value: Wish) throws(StoreError) -> [Edit] {
    let record = Script.color(color)
    guard let shown = try listed(color) else { return [] }
    wish = (record, value)
    switch value {
    case .color(let color): return [.set(record, [.color: RegisterValue(color: color)])]
    case .name(let name): return [.set(record, [.name: RegisterValue(text: name)])]
    case .note(let note):
      // A note that was never written is empty already.
      if note.isEmpty, shown.text(of: .note).isEmpty, !shown.conflicts.contains(.note) { return [] }
      return [.set(record, [.note: RegisterValue(text: note)])]
    case .value, .removed, .index: return []
    }
  }

  private func resolving(
    _ record: RecordID,
    _ register: Register,
    _ choice: Int
  ) throws(StoreError) -> [Edit] {
    var values: [RegisterValue] = []
    for (value, _) in try store.liveValues(of: record, in: palette)
    where value.register == register && !values.contains(value.value) {
      values.append(value.value)
    }
    guard values.count > 1, try store.record(record, in: palette)?.isListed == true else {
      return []
    }
    let value = values[choice % values.count]
    wish = (record, .value(register, value))
    return [.set(record, [register: value])]
  }

  private func importing(
    _ entries: [UserEdit.Entry],
    _ writer: PaletteWriter
  ) throws(StoreError) -> [Edit] {
    let list = try store.colors(of: palette)
    let colors = list.map(\.color)
    let files = entries.map { entry in
      FileEntry(
        id: entry.color.map(Script.color),
        name: entry.color == nil ? "n\(entry.name)" : "c\(entry.name)",
        color: Self.value(entry.value)
      )
    }
    let new = colors.importing(files, using: &random)
    do {
      return try writer.applying(try PaletteDiff(from: colors, to: new), to: list)
    } catch let error as StoreError {
      throw error
    } catch {
      throw StoreError(code: .failed, message: "the import is no list: \(error)")
    }
  }

  /// One of a few values, so that equal ones meet now and then.
  static func value(_ number: Int) -> Color {
    Color(.srgb, Double(number % 5) / 4, Double(number / 5 % 5) / 4, 0.5)
  }

  /// Checks that the library shows what the user wanted.
  func checkWish(_ machine: String) throws {
    guard let (record, value) = wish else { return }
    let shown = try store.record(record, in: palette)
    let isGranted =
      switch value {
      case .color(let color): shown?.color == color && shown?.conflicts.contains(.color) == false
      case .name(let name): shown?.name == name && shown?.conflicts.contains(.name) == false
      case .note(let note):
        shown?.text(of: .note) ?? "" == note && shown?.conflicts.contains(.note) == false
      case .value(let register, let value):
        try store.liveValues(of: record, in: palette).map(\.value).filter {
          $0.register == register
        }.map(\.value) == [value]
      case .removed: shown?.isListed == false
      case .index(let index): try store.index(of: record, in: palette) == index
      }
    guard isGranted else {
      throw Violation("unseen-edit", "\(machine) does not show what was done: \(edit.words(0))")
    }
  }
}
