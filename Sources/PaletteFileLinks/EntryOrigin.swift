internal import PaletteFormats
internal import PaletteMerge
internal import PaletteModel

/// The place where that comes from what a file says of a color which the palette got from elsewhere
/// meanwhile.
///
/// Such an entry has brought its id along, in a file of another machine or beside a copied library. What a
/// change has said before is older than the palette; what none has said is news.
struct EntryOrigin {
  /// The color.
  let record: RecordID
  /// Which line of the file the entry is.
  let line: Int
  /// What the entry says other than the palette, and no change that was read has said.
  private var news: [(register: Register, value: RegisterValue)]
  private let entry: FileEntry
  private var first: (stamp: Stamp, dot: Dot)?
  private var said: [Dot] = []

  /// Begins with an entry and the color as the palette shows it; nil where they say the same.
  init?(of entry: FileEntry, at line: Int, for color: NamedColor) {
    news = entry.writes(since: FileEntry(name: color.name, color: color.color, note: color.note))
    guard !news.isEmpty else { return nil }
    self.entry = entry
    self.line = line
    record = color.id
  }

  /// Takes a change of the color into account, in any order.
  ///
  /// Of those that somebody replaced since there may be any number, and whether they were seen does not matter.
  mutating func read(_ change: Change, isLive: Bool) {
    if first.map({ (change.stamp, change.dot) < $0 }) ?? true {
      first = (change.stamp, change.dot)
    }
    for write in change.writes where entry.says(write.value, in: write.register) {
      if isLive { said.append(change.dot) }
      news.removeAll { $0.register == write.register }
    }
  }

  /// What whoever wrote the entry knows of the color: how it was made, and what the entry says.
  var seen: SeenValues? { SeenValues((first.map { [$0.dot] } ?? []) + said) }

  /// What makes the news a part of the palette, beside what others have done since.
  var edits: [Edit] { news.map { .set(record, [$0.register: $0.value]).seeing(seen) } }
}

extension FileEntry {
  /// Returns whether a register with this value is what the entry says.
  fileprivate func says(_ value: RegisterValue, in register: Register) -> Bool {
    switch register {
    case .name: acceptedName.map(RegisterValue.init(text:)) == value
    case .color: value.color.map { color == $0 || color == $0.rounded } ?? false
    case .note: acceptedNote.map(RegisterValue.init(text:)) == value
    default: false
    }
  }
}
