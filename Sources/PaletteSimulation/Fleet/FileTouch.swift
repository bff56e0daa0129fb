import PaletteFormats
import PaletteModel

/// What somebody did in a file since the palette last said the same.
struct FileTouch {
  /// What was changed of colors whose lines are known.
  private(set) var registers: [RecordID: Set<Register>] = [:]
  private(set) var removed: Set<RecordID> = []
  /// Whether lines are gone of which nobody knew which colors they were.
  private(set) var removesUnknown = false
  private(set) var adds = false
  /// Whether lines are gone.
  var removes: Bool { removesUnknown || !removed.isEmpty }
  private(set) var isReordered = false
  private(set) var isRetitled = false
  /// Whether it comes from elsewhere, so that nobody here knows what was done.
  var isForeign = false
  /// Whether lines look so much alike that nobody can tell which is which.
  private(set) var isAmbiguous = false
  /// Whether all is again as its program had it: whether somebody put back what was there before, or did
  /// and undid something, nobody can tell.
  private(set) var isUndone = false
  private var first: [[String?]]?
  private var count = 0
  private var isNameless = false
  private var hasRenamed = false

  /// Looks at lines before they are edited.
  ///
  /// A name that stood for another color in an earlier version may be that one's.
  mutating func begin(
    _ lines: [SimulatedFile.Line],
    isNameless: Bool,
    isOld: Bool,
    inherited: Set<String>
  ) {
    if lines.contains(where: { $0.entry.name.map(inherited.contains) ?? false }) {
      isAmbiguous = true
    }
    // What was written meanwhile counts as one change more.
    count += isOld ? 2 : 1
    self.isNameless = self.isNameless || isNameless
    first = first ?? Self.words(of: lines)
    judge(lines)
  }

  mutating func end(_ lines: [SimulatedFile.Line]) {
    judge(lines)
    isUndone = count > 1 && !isRetitled && Self.words(of: lines) == first
    // Without names and with other colors, it may come from any version.
    let colors = Set(lines.map(\.entry.color.hex))
    if !areNamed(lines), first?.contains(where: { $0[1].map(colors.contains) ?? false }) == false {
      isAmbiguous = true
    }
    // What was renamed is known by its color, and the other way round.
    if hasRenamed, count > 1 || !Self.differ(lines.map(\.entry.color)) { isAmbiguous = true }
  }

  private func areNamed(_ lines: [SimulatedFile.Line]) -> Bool {
    !isNameless && lines.allSatisfy { $0.entry.name != nil }
  }

  private mutating func judge(_ lines: [SimulatedFile.Line]) {
    if areNamed(lines), Self.differ(lines.map(\.entry.name)) { return }
    // Without names, colors have to tell, and one change at a time.
    if count > 1 || !Self.differ(lines.map(\.entry.color)) { isAmbiguous = true }
  }

  private static func words(of lines: [SimulatedFile.Line]) -> [[String?]] {
    lines.map { [$0.entry.name, $0.entry.color.hex, $0.entry.note ?? ""] }
  }

  private static func differ(_ values: [some Hashable]) -> Bool {
    Set(values).count == values.count
  }

  /// Makes an edit in a list; false where it cannot be made.
  mutating func apply(
    _ edit: FileEdit,
    to lines: inout [SimulatedFile.Line],
    _ title: inout String,
    number: Int,
    wish: inout FileWish?
  ) -> Bool {
    // Each value is another one, so that it can be told from all others.
    let color = Color(red8: UInt8(number & 255), green8: UInt8(number >> 8 & 255), blue8: 9)
    let name = "x\(number)"
    switch edit {
    case .recolor(let line):
      guard !lines.isEmpty else { return false }
      let index = line % lines.count
      lines[index].entry.color = color
      touched(lines[index].id, .color)
      wish = .color(color)
    case .rename(let line):
      guard !lines.isEmpty, lines[line % lines.count].entry.name != nil else { return false }
      let index = line % lines.count
      lines[index].entry.name = name
      hasRenamed = true
      touched(lines[index].id, .name)
      wish = .name(name)
    case .add(let line):
      let id = RecordID(high: 0xF11E, low: UInt64(number))
      let entry = FileEntry(id: id, name: name, color: color)
      lines.insert(SimulatedFile.Line(entry: entry), at: line % (lines.count + 1))
      adds = true
      wish = .color(color)
    case .remove(let line):
      // A file without a color is no palette any more.
      guard lines.count > 1 else { return false }
      let gone = lines.remove(at: line % lines.count)
      if let id = gone.id {
        removed.insert(id)
        wish = .removal(id)
      } else {
        removesUnknown = true
      }
    case .move(let line, let end):
      guard !lines.isEmpty, line % lines.count != end % lines.count else { return false }
      let moved = lines.remove(at: line % lines.count)
      lines.insert(moved, at: end % (lines.count + 1))
      isReordered = true
    case .retitle:
      title = name
      isRetitled = true
    case .none: break
    }
    return true
  }

  private mutating func touched(_ id: RecordID?, _ register: Register) {
    if let id { registers[id, default: []].insert(register) }
  }
}

/// What a user of another program did and must find in the history of the palette.
enum FileWish: Hashable {
  case color(Color)
  case name(String)
  case removal(RecordID)

  var isRemoval: Bool { if case .removal = self { true } else { false } }

  /// Whether a later edit of the file took it back.
  func isOverridden(by lines: [SimulatedFile.Line]) -> Bool {
    switch self {
    case .color(let color): !lines.contains { $0.entry.color == color }
    case .name(let name): !lines.contains { $0.entry.name == name }
    case .removal(let id): lines.contains { $0.id == id }
    }
  }
}
