internal import PaletteMerge
internal import PaletteModel
internal import PaletteStore

/// Says what actions of a palette were.
///
/// Each sentence is made here, from what was counted: an author chooses no words but the names that it gave,
/// and those stand in quotation marks where they could be taken for a part of the sentence.
struct ActionWords {
  /// What an action was.
  struct Account {
    let kind: ActionKind
    let summary: String
  }

  private let store: ChangeStore
  private let palette: PaletteSummary
  /// The actions that others may speak of.
  private var subjects: [ActionID: ActionTally] = [:]

  init(_ store: ChangeStore, _ palette: PaletteSummary) {
    self.store = store
    self.palette = palette
  }

  /// Reads the actions that these speak of.
  mutating func read(subjectsOf tallies: [ActionTally]) throws {
    let wanted = Set(tallies.compactMap { $0.claim?.subject(by: $0.id.node) })
    subjects = try store.actions(wanted, of: palette.id)
  }

  /// What an action was: what its author says, where that fits, else what its changes say.
  func account(of tally: ActionTally) throws -> Account {
    let subject = tally.claim?.subject(by: tally.id.node).flatMap { subjects[$0] }
    let replaced = try tally.only.map { try store.replacedValues(by: $0, in: palette.id) } ?? []
    let counted = Counted(tally, replaced: replaced, named: try tally.onlyColor.flatMap(name))
    guard let claim = tally.claim, let kind = tally.claimedKind(about: subject) else {
      return Account(kind: counted.kind, summary: counted.sentence)
    }
    let beginning: String
    switch claim {
    case .sort(let key): beginning = "sorted by \(key)"
    case .import(let file, let others):
      let more = others == 0 ? "" : " and \(Counted.number(others, "other file"))"
      beginning = "imported \(Counted.quoted(file))\(more)"
    case .revertToTime(let time): beginning = "reverted to \(Self.text(time))"
    case .revertToAction(let stamp, _):
      beginning = "reverted to \(Self.text(stamp.milliseconds))"
    case .undo, .redo:
      let what = try subject.map { try accountOfSubject($0).summary } ?? "an action"
      let word = claim.isUndo ? "undid" : "made again"
      let isWhole = subject.map { $0.count == tally.count } ?? false
      return Account(
        kind: kind,
        summary: "\(word) “\(what)”" + (isWhole ? "" : ": \(counted.counts)")
      )
    }
    return Account(kind: kind, summary: "\(beginning): \(counted.counts)")
  }

  /// What an action was that another one speaks of; what it speaks of itself is not told.
  private func accountOfSubject(_ tally: ActionTally) throws -> Account {
    var tally = tally
    if tally.claim?.isAboutUndoing == true { tally.claim = nil }
    return try account(of: tally)
  }

  /// What a color, or the palette, is called now, or was called last.
  func name(of record: RecordID) throws -> String? {
    record == palette.id.record ? palette.name : try store.record(record, in: palette.id)?.name
  }

  /// A time as people read it, to the second.
  private static func text(_ milliseconds: Int64) -> String {
    let text = Moment(milliseconds: milliseconds).description.prefix(19)
    return text.map { $0 == "T" ? " " : String($0) }.joined() + " UTC"
  }
}

extension ActionClaim {
  fileprivate var isUndo: Bool { if case .undo = self { true } else { false } }

  fileprivate var isAboutUndoing: Bool {
    switch self {
    case .undo, .redo: true
    case .sort, .import, .revertToTime, .revertToAction: false
    }
  }
}

extension ActionTally {
  /// The color that the action changed, where it is one alone.
  fileprivate var onlyColor: RecordID? { colors.count == 1 ? colors.keys.first : nil }
}

/// What the changes of an action say by themselves.
private struct Counted {
  let kind: ActionKind
  private let tally: ActionTally
  private let replaced: [RegisterValue]
  private let name: String?

  init(_ tally: ActionTally, replaced: [RegisterValue], named name: String?) {
    kind = tally.countedKind(replaced: replaced)
    self.tally = tally
    self.replaced = replaced
    self.name = name
  }

  /// The whole of it as one sentence.
  var sentence: String {
    guard !tally.colors.isEmpty else { return sentenceAboutPalette }
    guard tally.colors.count == 1 else { return counts }
    guard let only = tally.only, let write = only.writes.first, only.writes.count == 1,
      only.kind == .set
    else { return wordsAboutOne }
    let known = name.map(Self.quoted) ?? "a color"
    if kind == .resolve { return "settled the \(write.register) of \(known): \(text(write))" }
    switch write.register {
    case .name:
      let old = replaced.compactMap(\.text).first { $0 != write.value.text }
      return "renamed \(old.map(Self.quoted) ?? "a color") to \(text(write))"
    case .color: return "recolored \(known) to \(text(write))"
    case .note:
      return write.value.text == "" ? "removed the note of \(known)" : "wrote a note to \(known)"
    default: return wordsAboutOne
    }
  }

  /// How many colors each effect had.
  var counts: String {
    var parts: [String] = []
    for (effect, word) in Self.words {
      let count = tally.count(of: effect)
      guard count > 0 else { continue }
      parts.append("\(word) " + (parts.isEmpty ? Self.number(count, "color") : "\(count)"))
    }
    if tally.palette.contains(.renamed) { parts.append("renamed the palette") }
    return parts.isEmpty ? sentenceAboutPalette : parts.joined(separator: ", ")
  }

  /// The effects in the order in which they are told.
  private static let words: [(ActionTally.Effects, String)] = [
    (.added, "added"), (.removed, "removed"), (.restored, "brought back"),
    (.recolored, "recolored"), (.renamed, "renamed"), (.noted, "wrote notes to"),
    (.moved, "moved"), (.other, "changed"),
  ]

  private var wordsAboutOne: String {
    let verbs = Self.words.filter { tally.count(of: $0.0) > 0 }.map { effect, word in
      effect == .noted ? "wrote a note to" : word
    }
    let added = tally.only?.writes.first { $0.register == .name }?.value.text
    let known = (added ?? name).map(Self.quoted) ?? "a color"
    return "\(verbs.joined(separator: ", ")) \(known)"
  }

  private var sentenceAboutPalette: String {
    if tally.palette.contains(.removed) { return "dropped the palette" }
    if tally.palette == .restored { return "brought the palette back" }
    let new = tally.only?.writes.first { $0.register == .name }?.value.text.map(Self.quoted)
    let ending = new.map { " \($0)" } ?? ""
    if tally.palette.contains(.added) { return "made the palette\(ending)" }
    if kind == .resolve { return "settled the name of the palette: \(new ?? "")" }
    let old = replaced.compactMap(\.text).first.map { " \(Self.quoted($0))" } ?? ""
    return "renamed the palette\(old)" + (new.map { " to \($0)" } ?? "")
  }

  private func text(_ write: Change.Write) -> String {
    switch write.register {
    case .color: write.value.color?.hex ?? "a color"
    case .note: "a note"
    default: write.value.text.map(Self.quoted) ?? "a value"
    }
  }

  /// A number of things.
  static func number(_ count: Int, _ noun: String) -> String {
    "\(count) \(noun)\(count == 1 ? "" : "s")"
  }

  /// The most characters of a name that are told.
  private static let nameLimit = 40

  /// A name: as it is where it is one plain word, else in quotation marks that it cannot close.
  static func quoted(_ name: String) -> String {
    let isPlain = name.utf8.count <= nameLimit && name.unicodeScalars.allSatisfy(\.isInWord)
    if isPlain, !name.isEmpty { return name }
    let safe = name.replacing("'", with: "’")
    return "'\(safe.count > nameLimit ? safe.prefix(nameLimit - 1) + "…" : safe[...])'"
  }
}

extension Unicode.Scalar {
  /// Whether it may stand in a name that is shown without quotation marks.
  fileprivate var isInWord: Bool {
    properties.isAlphabetic || properties.numericType != nil || "-_.#".unicodeScalars.contains(self)
  }
}
