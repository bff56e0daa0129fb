import PaletteFormats
import PaletteLinks
import PaletteModel

/// A palette file of a machine, and what the program that edits it has in its memory.
final class SimulatedFile {
  /// What is in the file.
  enum Condition {
    /// What somebody saved, to its end.
    case whole
    /// Somebody is not done saving.
    case partial
    /// What nobody wanted to save.
    case damaged
  }

  /// A line, and which color of the palette it is where the program could know.
  struct Line {
    var entry: FileEntry
    var id: RecordID?
  }

  /// What a file says, and how far whoever has it knows the changes of the palette.
  struct Content {
    var bytes: [UInt8]?
    var ids: [RecordID?] = []
    var frontier: [NodeID: UInt32] = [:]
  }

  /// What a program has in its memory.
  struct Open {
    /// Which version it read, and which it read or saved last.
    let readVersion: Int64
    var version: Int64
    var title: String?
    var lines: [Line]
    var frontier: [NodeID: UInt32]
  }

  let file: PaletteFile
  let format: any FileFormat
  private(set) var content = Content() {
    didSet { if condition == .whole { whole = content } }
  }
  private(set) var condition = Condition.whole
  private(set) var stamp: FileStamp?
  /// When something was written to it.
  private(set) var lastWritten: Int64 = 0
  /// Counts what was made of the file.
  private(set) var version: Int64 = 0
  /// What somebody saved last to its end, and since when that is spoiled.
  private(set) var whole = Content()
  private(set) var damagedSince: Int64?
  /// Which version a node saw last, and whether what was spoiled is one that no node has seen.
  private var seenVersion: Int64 = 0
  private(set) var isDamagedUnseen = false
  /// What the program read or saved last; nil where it has to read anew.
  private(set) var open: Open?
  /// What was done in the file since the palette last said the same.
  private(set) var touch = FileTouch()
  /// Colors that have lines, though the palette was not written since.
  private(set) var fresh: Set<RecordID> = []
  /// What must come to be part of the palette.
  private(set) var wishes: [FileWish] = []
  /// Whether a program writes piece by piece and has not closed the file.
  var isBeingSaved = false
  /// Whether it was put back, and nobody has looked at it since.
  private var isPutBack = false
  /// Whether it is linked, and has not met its palette.
  private var isNew = false

  /// Which color each name stood for last, and those that stood for another one before.
  private var owners: [String: RecordID] = [:]
  private var inherited: Set<String> = []

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

  private func put(_ content: Content, _ condition: Condition = .whole) {
    if condition != .damaged { damagedSince = nil }
    version += 1
    lastWritten = clock()
    self.condition = condition
    self.content = content
    stamp = content.bytes.map {
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
    touch.isForeign = true
    wishes = []
    open = nil
  }

  // MARK: By the node

  /// The node looks at it.
  func look() { seenVersion = version }

  /// The file is linked to its palette: whoever has it counts as one who knows the palette that it meets.
  func begin() {
    forget()
    isNew = true
  }

  private func meets(_ frontier: [NodeID: UInt32]) {
    guard isNew else { return }
    isNew = false
    content.frontier = frontier
    if open?.version == version { open?.frontier = frontier }
  }

  /// The node put a file with the palette in place.
  func replace(_ content: Content) {
    meets(content.frontier)
    // What was saved before it was spoiled is gone, where nobody puts it back.
    if condition == .damaged { wishes = [] }
    put(content)
    for line in lines ?? [] {
      guard let name = line.entry.name, let id = line.id else { continue }
      if let owner = owners.updateValue(id, forKey: name), owner != id { inherited.insert(name) }
    }
    touch = FileTouch()
    fresh = []
    isPutBack = false
  }

  /// The palette says what a version of the file says.
  func says(_ version: Int64, _ ids: [RecordID], _ frontier: [NodeID: UInt32]) {
    if open?.version == version {
      open?.frontier = frontier
      for index in ids.indices where open?.lines.count == ids.count {
        open?.lines[index].id = ids[index]
      }
    }
    // What it read says what the palette says, though it has saved something else meanwhile.
    if let known = open, known.readVersion == version, known.version != version {
      open?.frontier = frontier
      if known.version == self.version { content.frontier = frontier }
    }
    guard version == self.version else { return }
    // What is put back then is news.
    if condition == .damaged { forget() }
    guard condition == .whole else { return }
    content.ids = ids
    content.frontier = frontier
    touch = FileTouch()
    fresh = []
    isPutBack = false
  }

  /// An edit that a version of the file makes is part of the palette.
  func carriedOut(_ version: Int64, _ ids: [RecordID], _ frontier: [NodeID: UInt32]) {
    // Where nobody could tell which line is which, the node has decided.
    let isDecided = touch.isAmbiguous || touch.isForeign
    func adopt(_ known: inout [RecordID?]) {
      guard known.count == ids.count else { return }
      for (index, id) in ids.enumerated() where known[index] == nil || isDecided {
        known[index] = id
        fresh.insert(id)
      }
    }
    if var known = open?.lines.map(\.id), open?.version == version {
      adopt(&known)
      for (index, id) in known.enumerated() { open?.lines[index].id = id }
    }
    guard version == self.version else { return }
    meets(frontier)
    adopt(&content.ids)
    touch = FileTouch()
  }

  /// The title, where there is one.
  var title: String? { content.bytes.flatMap { try? format.read($0).title } ?? nil }

  /// The lines, where they can be read.
  var lines: [Line]? {
    guard let contents = content.bytes.flatMap({ try? format.read($0) }),
      contents.entries.count == content.ids.count
    else { return nil }
    return zip(contents.entries, content.ids).map { Line(entry: $0, id: $1) }
  }

  // MARK: By other programs

  /// The program reads the file, if there is something to read.
  func read() -> Bool {
    guard condition == .whole, let lines else { return false }
    open = Open(
      readVersion: version,
      version: version,
      title: title,
      lines: lines,
      frontier: content.frontier
    )
    return true
  }

  /// Its user edits what the program has; what is to be in the file comes back.
  func edit(_ edit: FileEdit, isLossy: Bool, number: Int, isKnown: Bool) -> Content? {
    guard let open else { return nil }
    var (title, lines) = (open.title ?? "palette", open.lines)
    var wish: FileWish?
    if edit == .retitle, file.format == .css || file.format == .hex { return nil }
    touch.begin(
      lines,
      isNameless: isLossy && file.format == .gpl,
      isOld: open.version != version,
      inherited: inherited
    )
    guard touch.apply(edit, to: &lines, &title, number: number, wish: &wish) else { return nil }
    touch.end(lines)
    guard let bytes = try? bytes(lines, title, isLossy: isLossy),
      let contents = try? format.read(bytes), contents.entries.count == lines.count
    else { return nil }
    // What it loses it has no more.
    let written = zip(contents.entries, lines).map { Line(entry: $0, id: $1.id) }
    self.open?.lines = isLossy || isNameless(lines) ? written : lines
    self.open?.title = title
    // What is gone and what came between two looks may be one line that was given other content.
    // And without a line of what was put back meanwhile, a file may be one from before that line.
    let hidesRemovals = touch.isAmbiguous || (touch.adds && touch.removes) || isPutBack
    wishes.removeAll { $0.isOverridden(by: written) || (hidesRemovals && $0.isRemoval) }
    // What is not in the file, such as a name where lines have none, nobody can take from it.
    if isKnown, let wish, !wish.isOverridden(by: written), !touch.isForeign,
      !(hidesRemovals && wish.isRemoval)
    {
      wishes.append(wish)
    }
    return Content(bytes: bytes, ids: lines.map(\.id), frontier: open.frontier)
  }

  /// Whether the program writes no names, because some lines have none.
  private func isNameless(_ lines: [Line]) -> Bool {
    file.format == .gpl && lines.contains { $0.entry.name == nil }
  }

  /// As the program writes the file: its own way, without what was there besides.
  private func bytes(_ lines: [Line], _ title: String, isLossy: Bool) throws -> [UInt8] {
    if file.format == .gpl, isLossy || isNameless(lines) {
      let rows = lines.compactMap { $0.entry.color.bytes8 }.map {
        "\($0.red) \($0.green) \($0.blue)\n"
      }
      return Array("GIMP Palette\nName: \(title)\n#\n\(rows.joined())".utf8)
    }
    let colors = lines.enumerated().map { index, line in
      var color = line.entry.color
      if isLossy { color = Color(hex: color.hex.dropFirst()) ?? color }
      return NamedColor(
        id: line.entry.id ?? RecordID(high: 0xF11F, low: UInt64(index)),
        name: line.entry.name ?? color.hex,
        color: color,
        note: line.entry.note ?? ""
      )
    }
    let id = Script.palette(file.palette)
    return try format.write(PaletteSheet(id: id, name: title, digest: "", colors: colors))
  }

  /// The program put this into the file, to its end or only a part of it.
  func save(_ content: Content, bytes: Int? = nil) {
    guard let bytes else {
      put(content)
      open?.version = version
      return
    }
    put(Content(bytes: content.bytes.map { Array($0.prefix(bytes)) }), .partial)
  }

  /// Something spoils the file; false where what is left is a palette file like others.
  func spoil(_ how: FileDamage, at time: Int64) -> Bool {
    guard condition == .whole, let bytes = content.bytes, lines?.isEmpty == false else {
      return false
    }
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
    put(Content(bytes: spoiled), .damaged)
    damagedSince = time
    return true
  }

  /// What was there before comes back; false where nothing was spoiled.
  func repair() -> Bool {
    guard condition == .damaged else { return false }
    put(whole)
    open = nil
    isPutBack = true
    return true
  }

  /// The file of another machine takes its place.
  func pull(_ other: SimulatedFile) -> Bool {
    guard condition != .partial, other.condition == .whole, other.content.bytes != nil else {
      return false
    }
    put(other.content)
    forget()
    return true
  }
}
