import PaletteFileLinks
import PaletteFormats
import PaletteModel

/// A palette file of a machine, and what the program that edits it has in its memory.
final class SimulatedFile {
  /// The condition of the file.
  enum Condition {
    /// A file that was saved to its end.
    case whole
    /// Somebody is not done saving.
    case partial
    /// A file with damage that nobody intended.
    case damaged
  }

  /// A line, and which color of the palette it is.
  struct Line {
    let entry: FileEntry
    let id: RecordID
  }

  /// The content of a program's memory.
  private struct Open {
    var title: String?
    var lines: [FileEntry]
  }

  let file: PaletteFile
  let format: any FileFormat
  private(set) var bytes: [UInt8]? {
    didSet { if condition == .whole { whole = bytes } }
  }
  private(set) var condition = Condition.whole
  private(set) var stamp: FileStamp?
  /// The time of the last write.
  private(set) var lastWritten: Int64 = 0
  /// Counts what was made of the file.
  private(set) var version: Int64 = 0
  /// The content that was saved last to its end, and the time since when that is spoiled.
  private(set) var whole: [UInt8]?
  private(set) var damagedSince: Int64?
  /// The version that a node saw last, and whether the damaged one is one that no node has seen.
  private var seenVersion: Int64 = 0
  private(set) var isDamagedUnseen = false
  private var open: Open?
  /// The edits that must become part of the palette.
  private(set) var wishes: [FileWish] = []
  /// The last versions that the link knew, the newest last: the one that was linked or saved, and those written
  /// over it; nil after an edit of which nobody knows whether it is part of the palette.
  private(set) var versions: [[Line]]? = []
  /// True if a program writes piece by piece and has not closed the file.
  var isBeingSaved = false
  /// Whether what is in it may be from elsewhere, and need not come to be part of the palette.
  private var isForeign = false

  private let clock: () -> Int64

  init(_ file: PaletteFile, _ format: any FileFormat, clock: @escaping () -> Int64) {
    self.file = file
    self.format = format
    self.clock = clock
  }

  /// A copy on another machine, of which nobody knows what was done there.
  func copy() -> SimulatedFile {
    let copy = SimulatedFile(file, format, clock: clock)
    copy.put(whole)
    copy.forget()
    return copy
  }

  private func put(_ bytes: [UInt8]?, _ condition: Condition = .whole) {
    if condition != .damaged { damagedSince = nil }
    version += 1
    lastWritten = clock()
    self.condition = condition
    self.bytes = bytes
    stamp = bytes.map {
      FileStamp(
        device: 1,
        inode: UInt64(version),
        size: Int64($0.count),
        changedSeconds: version,
        changedNanoseconds: 0
      )
    }
  }

  /// The file is not what anybody here knows of it: after a backup was restored, or from elsewhere.
  func forget() {
    isForeign = true
    // Whoever links it from now on has it as it is.
    if condition == .damaged { isDamagedUnseen = true }
    wishes = []
    open = nil
    versions = []
  }

  // MARK: By the node

  /// The node looks at it.
  func look() { seenVersion = version }

  /// The node put a file with the palette in place.
  func replace(_ bytes: [UInt8], _ ids: [RecordID]) {
    // What was saved before it was spoiled is gone, where nobody puts it back.
    if condition == .damaged { wishes = [] }
    put(bytes)
    isForeign = false
    guard var known = versions else { return }
    known.append(lines(ids))
    if known.count > 33 { known.remove(at: 1) }
    versions = known
  }

  /// The palette says what a version of the file says.
  func says(_ version: Int64, _ ids: [RecordID]) {
    guard version == self.version else { return }
    // What is put back then is news.
    guard condition == .whole else { return forget() }
    isForeign = false
    versions = versions.map { $0.dropLast() + [lines(ids)] }
  }

  /// An edit is part of the palette, after which the file says this.
  func carriedOut(_ edit: LinkEdit) {
    versions = [edit.new.lines.map { Line(entry: $0.entry, id: $0.id) }]
  }

  /// The power went before it was known whether an edit is part of the palette.
  func mayHaveCarriedOut() { versions = nil }

  private func lines(_ ids: [RecordID]) -> [Line] {
    zip(entries ?? [], ids).map { Line(entry: $0, id: $1) }
  }

  /// The title, where there is one.
  var title: String? { bytes.flatMap { try? format.read($0).title } ?? nil }

  /// The lines, where they can be read.
  var entries: [FileEntry]? { bytes.flatMap { try? format.read($0).entries } }

  // MARK: By other programs

  /// The program reads the file, if there is something to read.
  func read() -> Bool {
    guard condition == .whole, let entries else { return false }
    open = Open(title: title, lines: entries)
    return true
  }

  /// Whether the program has something in its memory.
  var isOpen: Bool { open != nil }

  /// Its user edits what the program has; what is to be in the file comes back.
  func edit(_ edit: FileEdit, isLossy: Bool, number: Int, isKnown: Bool) -> [UInt8]? {
    guard let open else { return nil }
    var (title, lines) = (open.title ?? "palette", open.lines)
    var wish: FileWish?
    if edit == .retitle, file.format == .css || file.format == .hex { return nil }
    guard edit.apply(to: &lines, &title, number: number, wish: &wish),
      let bytes = try? bytes(lines, title, isLossy: isLossy),
      let written = try? format.read(bytes).entries, written.count == lines.count
    else { return nil }
    // What it loses it has no more.
    self.open = Open(title: title, lines: isLossy || isNameless(lines) ? written : lines)
    wishes.removeAll { $0.isOverridden(by: written) }
    // What is not in the file, such as a name where lines have none, nobody can take from it.
    if isKnown, let wish, !wish.isOverridden(by: written), !isForeign { wishes.append(wish) }
    return bytes
  }

  /// Returns whether the program writes no names, because some lines have none.
  private func isNameless(_ lines: [FileEntry]) -> Bool {
    file.format == .gpl && lines.contains { $0.name == nil }
  }

  /// As the program writes the file: its own way, without what was there besides.
  private func bytes(_ lines: [FileEntry], _ title: String, isLossy: Bool) throws -> [UInt8] {
    if file.format == .gpl, isLossy || isNameless(lines) {
      let rows = lines.compactMap(\.color.bytes8).map { "\($0.red) \($0.green) \($0.blue)\n" }
      return Array("GIMP Palette\nName: \(title)\n#\n\(rows.joined())".utf8)
    }
    let colors = lines.enumerated().map { index, line in
      var color = line.color
      if isLossy { color = Color(hex: color.hex.dropFirst()) ?? color }
      return NamedColor(
        id: line.id ?? RecordID(high: 0xF11F, low: UInt64(index)),
        name: line.name ?? color.hex,
        color: color,
        note: line.note ?? ""
      )
    }
    let id = Script.palette(file.palette)
    return try format.write(PaletteSheet(id: id, name: title, digest: "", colors: colors))
  }

  /// The program put this into the file, to its end or only a part of it.
  func save(_ bytes: [UInt8], count: Int? = nil) {
    if let count { put(Array(bytes.prefix(count)), .partial) } else { put(bytes) }
  }

  /// Something spoils the file; false where what is left is a palette file like others.
  func spoil(_ how: FileDamage, at time: Int64) -> Bool {
    guard condition == .whole, let bytes, entries?.isEmpty == false else { return false }
    let spoiled: [UInt8]?
    switch how {
    case .emptied: spoiled = []
    case .deleted: spoiled = nil
    case .garbage: spoiled = [0, 1, 2, 0xFF, 0xFE]
    case .markers:
      spoiled = Array("<<<<<<< ours\n".utf8) + bytes + Array("\n=======\n>>>>>>> theirs\n".utf8)
    case .cut:
      let cut = Array(bytes.prefix(bytes.count - 3 - Int(version) % max(1, bytes.count / 2)))
      // What a palette file with fewer colors looks like is one.
      if let contents = try? format.read(cut), contents.skipped.isEmpty { return false }
      spoiled = cut
    }
    isDamagedUnseen = seenVersion < version
    put(spoiled, .damaged)
    damagedSince = time
    return true
  }

  /// Restores the content before the damage; false if there was none.
  func repair() -> Bool {
    guard condition == .damaged else { return false }
    put(whole)
    open = nil
    return true
  }

  /// The file of another machine takes its place.
  func pull(_ other: SimulatedFile) -> Bool {
    guard condition != .partial, other.condition == .whole, other.bytes != nil else { return false }
    put(other.bytes)
    forget()
    return true
  }
}

/// An edit by the user of another program that must be found in the history of the palette.
enum FileWish: Hashable {
  case color(Color)
  case name(String)

  /// Returns whether a later edit of the file took it back.
  func isOverridden(by lines: [FileEntry]) -> Bool {
    switch self {
    case .color(let color): !lines.contains { $0.color == color }
    case .name(let name): !lines.contains { $0.name == name }
    }
  }
}

extension FileEdit {
  /// Makes the edit in a list; false where it cannot be made.
  fileprivate func apply(
    to lines: inout [FileEntry],
    _ title: inout String,
    number: Int,
    wish: inout FileWish?
  ) -> Bool {
    // Each value is another one, so that it can be told from all others.
    let color = Color(red8: UInt8(number & 255), green8: UInt8(number >> 8 & 255), blue8: 9)
    let name = "x\(number)"
    switch self {
    case .recolor(let line):
      guard !lines.isEmpty else { return false }
      lines[line % lines.count].color = color
      wish = .color(color)
    case .rename(let line):
      guard !lines.isEmpty, lines[line % lines.count].name != nil else { return false }
      lines[line % lines.count].name = name
      wish = .name(name)
    case .add(let line):
      let id = RecordID(high: 0xF11E, low: UInt64(number))
      let entry = FileEntry(id: id, name: name, color: color)
      lines.insert(entry, at: line % (lines.count + 1))
      wish = .color(color)
    case .remove(let line):
      // A file without a color is no palette any more.
      guard lines.count > 1 else { return false }
      lines.remove(at: line % lines.count)
    case .move(let line, let end):
      guard !lines.isEmpty, line % lines.count != end % lines.count else { return false }
      let moved = lines.remove(at: line % lines.count)
      lines.insert(moved, at: end % (lines.count + 1))
    case .retitle: title = name
    case .none: break
    }
    return true
  }
}
