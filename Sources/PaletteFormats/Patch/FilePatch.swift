public import PaletteModel

extension FileFormat {
  /// The file with the colors of a sheet in place of its own, and everything else as it is.
  ///
  /// Comments, header lines, unknown keys, line ends and notations survive where the format is text. Only
  /// a format that is not, and a text that is as the format writes it, are written whole: nothing is lost
  /// then. `ids` says which colors the entries of the file are, in their order; where it says nothing, they
  /// are paired as an import pairs them. A file that says already what the format can say of the sheet stays
  /// as it is. A stylesheet that has no color yet gets a block of them at its end.
  ///
  /// An entry that stands for another one goes on doing so where the palette has the color of `following`, and
  /// then has another color when that one has.
  ///
  /// - Parameters:
  ///   - bytes: The file.
  ///   - ids: The color that each of its entries is.
  ///   - following: What the entries said that may follow others.
  ///   - title: The new title; nil to leave the title as it is.
  ///   - sheet: The palette.
  /// - Returns: The file with the palette in it.
  /// - Throws: `FormatError` with the code `bad-patch` where the text cannot be changed without losing what
  ///   else is in it.
  public func patch(
    _ bytes: [UInt8],
    ids: [RecordID?] = [],
    following: [RecordID: FileEntry] = [:],
    title: String? = nil,
    to sheet: PaletteSheet
  ) throws(FormatError) -> PatchedFile {
    let whole = PatchedFile(bytes: try write(sheet), ids: sheet.colors.map(\.id))
    guard reads, let wanted = try? read(whole.bytes).entries, wanted.count == sheet.colors.count
    else { return whole }
    guard let contents = try? read(bytes) else {
      guard isText else { return whole }
      throw FormatError(
        code: "bad-patch",
        message: "the file cannot be read as it is",
        hint: PatchProblem.hint
      )
    }
    let goal = PatchGoal(
      colors: sheet.colors,
      wanted: zip(wanted, sheet.colors).map { contents.limit.applied(to: $0, of: $1) },
      following: following,
      title: contents.titlePlace == nil && contents.title == nil
        ? nil : title.flatMap(TextRule.name.cleaned)
    ).fitting(contents, ids: ids)
    let patcher = FilePatcher(format: self, goal: goal, sheet: sheet)
    if contents.isGenerated {
      guard patcher.isSaid(by: contents.entries, ids: ids) else { return whole }
      return PatchedFile(bytes: bytes, ids: goal.colors.map(\.id))
    }
    do throws(PatchProblem) {
      return try patcher.result(bytes, contents, ids: ids)
    } catch {
      // Nothing is lost of a file without an entry that is no text.
      let isBare = !isText && contents.entries.isEmpty && contents.skipped.isEmpty
      guard !isBare, !patcher.isPlain(bytes, contents) else { return whole }
      throw FormatError(code: "bad-patch", message: error.message, hint: PatchProblem.hint)
    }
  }

  /// The bytes of a patched file.
  public func patched(
    _ bytes: [UInt8],
    ids: [RecordID?] = [],
    following: [RecordID: FileEntry] = [:],
    title: String? = nil,
    to sheet: PaletteSheet
  ) throws(FormatError) -> [UInt8] {
    try patch(bytes, ids: ids, following: following, title: title, to: sheet).bytes
  }
}

/// A file with a palette in it.
public struct PatchedFile: Sendable {
  /// The bytes.
  public let bytes: [UInt8]
  /// The color that each of its entries is, which may be one that the palette has no more where a program knows
  /// the entries by their keys.
  public let ids: [RecordID]

  /// Creates a file of which it is known what its entries are.
  public init(bytes: [UInt8], ids: [RecordID]) {
    self.bytes = bytes
    self.ids = ids
  }
}

/// Changes a text file until it says what is wanted.
private struct FilePatcher {
  let format: any FileFormat
  let goal: PatchGoal
  let sheet: PaletteSheet

  /// One round changes what differs, the next ones what stands for another color and is to be
  /// different from it.
  private static let rounds = 4

  /// The file with the colors in the order of the palette; where that is not possible under their names, each new
  /// one, and each that moved, is beside those of its group.
  func result(
    _ bytes: [UInt8],
    _ contents: FileContents,
    ids: [RecordID?]
  ) throws(PatchProblem) -> PatchedFile {
    let first = Result { () throws(PatchProblem) in try patched(bytes, contents, ids: ids) }
    let groups = GroupPrefixes(contents.entries.compactMap { $0.place?.prefix })
    if !groups.isEmpty {
      let count = (try? first.get()).map { misplaced($0, groups) } ?? .max - 1
      let pairs = goal.pairs(of: contents.entries, ids: ids)
      let own = goal.inOrder(of: pairs)
      let goals = [
        own.grouped(like: contents, own.pairs(of: contents.entries, ids: ids)) ?? own,
        goal.grouped(like: contents, pairs),
      ]
      for other in goals where count > 0 {
        guard let other else { continue }
        let patcher = FilePatcher(format: format, goal: other, sheet: sheet)
        guard let result = try? patcher.patched(bytes, contents, ids: ids),
          patcher.misplaced(result, groups) < count
        else { continue }
        return PatchedFile(bytes: result, ids: other.colors.map(\.id))
      }
    }
    return PatchedFile(bytes: try first.get(), ids: goal.colors.map(\.id))
  }

  private func misplaced(_ file: [UInt8], _ groups: GroupPrefixes) -> Int {
    goal.misplaced(in: (try? format.read(file).entries) ?? [], groups)
  }

  private func patched(
    _ bytes: [UInt8],
    _ contents: FileContents,
    ids: [RecordID?]
  ) throws(PatchProblem) -> [UInt8] {
    if isSaid(by: contents.entries, ids: ids) { return bytes }
    if contents.entries.isEmpty {
      if let result = arranged(bytes, contents, pairs: goal.colors.map { _ in nil }) {
        return result
      }
      guard let result = withBlock(bytes, contents) ?? withEntries(bytes, contents) else {
        throw .form
      }
      return result
    }
    let pairs = goal.pairs(of: contents.entries, ids: ids)
    if let other = GroupRenames(goal, contents, pairs).applied(to: bytes, as: format),
      let read = try? format.read(other), read.entries.count == contents.entries.count,
      let result = try? patched(other, read, pairs, isLiteral: false)
    {
      return result
    }
    do throws(PatchProblem) {
      return try patched(bytes, contents, pairs, isLiteral: false)
    } catch {
      return try patched(bytes, contents, pairs, isLiteral: true)
    }
  }

  /// Returns whether entries say of the palette whatever they can, and so nothing has to change.
  func isSaid(by entries: [FileEntry], ids: [RecordID?]) -> Bool {
    guard entries.count == goal.colors.count, goal.title == nil else { return false }
    let isKnown = ids.count == entries.count
    return entries.indices.allSatisfy { index in
      let entry = entries[index]
      return (!isKnown || ids[index] == goal.colors[index].id) && goal.holdsColor(entry, at: index)
        && goal.holdsName(entry, at: index) && goal.holdsNote(entry, at: index)
        && (entry.id == nil || entry.id == goal.colors[index].id)
    }
  }

  /// A file without a color, with those of the palette in a block of their own: where an empty one was
  /// left, else at the end.
  private func withBlock(_ bytes: [UInt8], _ contents: FileContents) -> [UInt8]? {
    guard let encoding = TextEncoding(of: bytes), !isPlain(bytes, contents) else { return nil }
    let text = encoding.text
    var none = sheet
    none.colors = []
    guard text.contains(where: { $0 > 0x20 }), let block = block(of: sheet, contents, encoding),
      let empty = self.block(of: none, contents, encoding)
    else { return nil }
    let changed: [UInt8]
    if let start = text.indices.last(where: { text[$0...].starts(with: empty) }) {
      changed = text[..<start] + block + text[(start + empty.count)...]
    } else {
      let endsLine = text.last == 0x0A || text.last == 0x0D
      changed = text + (endsLine ? [] : encoding.lineEnd) + encoding.lineEnd + block
    }
    let result = encoding.encoded(changed)
    guard let entries = try? format.read(result).entries, goal.isShown(by: entries) else {
      return nil
    }
    return result
  }

  /// A file without a color with the entries of one that is written whole: at its end, or before the mark that
  /// ends its list.
  private func withEntries(_ bytes: [UInt8], _ contents: FileContents) -> [UInt8]? {
    guard format.isText, !isPlain(bytes, contents), let encoding = TextEncoding(of: bytes),
      let whole = (try? format.write(sheet)).flatMap(TextEncoding.init(of:)),
      let places = (try? format.read(whole.text).entries)?.compactMap(\.place),
      places.count == sheet.colors.count, let first = places.first, let last = places.last
    else { return nil }
    let end = last.lineEnd?.upperBound ?? last.range.upperBound
    let units = whole.text[first.range.lowerBound..<end].flatMap {
      $0 == 0x0A ? encoding.lineEnd : $0 == 0x0D ? [] : [$0]
    }
    var text = encoding.text
    for count in contents.counts.reversed() {
      text.replaceSubrange(count, with: Array(String(sheet.colors.count).utf8))
    }
    let marks = ["</", "]", "}"].map { Array($0.utf8) }
    let ends = marks.compactMap { mark in
      text.indices.last { text[$0] == mark[0] && text[$0...].starts(with: mark) }
    }
    let comma = [UInt8(ascii: ",")]
    for (end, comma) in [(text.count, [])] + ends.map({ ($0, []) }) + ends.map({ ($0, comma) }) {
      let endsLine = text[..<end].last == 0x0A || text[..<end].last == 0x0D || end == 0
      let before = text[..<end] + comma + (endsLine ? [] : encoding.lineEnd)
      let result = encoding.encoded(format.tidied(Array(before + units + text[end...])))
      guard let entries = try? format.read(result).entries, goal.problem(with: entries) == nil
      else { continue }
      return result
    }
    return nil
  }

  /// The block of a palette with the line ends of the file.
  private func block(
    of sheet: PaletteSheet,
    _ contents: FileContents,
    _ encoding: TextEncoding
  ) -> [UInt8]? {
    format.block(of: sheet, besides: contents.taken)?
      .flatMap { $0 == 0x0A ? encoding.lineEnd : [$0] }
  }

  /// Returns whether a file is as the format writes it, so that nothing is lost when it is written
  /// again.
  func isPlain(_ bytes: [UInt8], _ contents: FileContents) -> Bool {
    guard bytes.contains(where: { $0 > 0x20 }) else { return true }
    let colors = contents.entries.enumerated().map { index, entry in
      NamedColor(
        id: entry.id ?? RecordID(high: 0, low: UInt64(index)),
        name: entry.name ?? "",
        color: entry.color,
        note: entry.note ?? ""
      )
    }
    let sheet = PaletteSheet(
      id: PaletteID(RecordID(high: 0, low: 0)),
      name: contents.title ?? self.sheet.name,
      digest: "",
      colors: colors
    )
    return (try? format.write(sheet)) == bytes
  }

  /// The file with its colors in their places, in formats that have such.
  private func arranged(
    _ bytes: [UInt8],
    _ contents: FileContents,
    pairs: [Int?]
  ) -> [UInt8]? {
    let goals = goal.colors.indices.map { index in
      let entry = pairs[index].map { contents.entries[$0] }
      return UnitGoal(
        color: goal.colors[index],
        wanted: goal.wanted[index],
        prefix: "",
        isNew: entry == nil,
        changesColor: entry.map { !goal.holdsColor($0, at: index) } ?? true,
        changesName: entry.map { !goal.holdsName($0, at: index) } ?? true
      )
    }
    return format.arranged(
      bytes,
      as: ColorArrangement(goals: goals, entries: pairs, title: goal.title)
    )
  }

  private func patched(
    _ bytes: [UInt8],
    _ contents: FileContents,
    _ pairs: [Int?],
    isLiteral: Bool
  ) throws(PatchProblem) -> [UInt8] {
    let emptied = EmptiedGroups(format: format, before: contents)
    var (bytes, contents, pairs) = (bytes, contents, pairs)
    for round in 0..<Self.rounds {
      let references: TextPatch.References = isLiteral ? .all : round == 0 ? .none : .wrong
      let arranged = arranged(bytes, contents, pairs: pairs)
      guard
        let next = arranged
          ?? TextPatch(bytes, contents, goal, references, format)?.applied(pairs),
        let read = try? format.read(next), goal.colors.count == read.entries.count
      else { throw .form }
      if next == bytes, round > 0 { break }
      (bytes, contents) = (next, read)
      if read.entries.isEmpty { break }
      pairs = goal.pairs(ofNamed: read.entries)
    }
    if let problem = goal.problem(with: contents.entries) { throw problem }
    if contents.hasKeyTwice, !emptied.before.hasKeyTwice { throw .form }
    return emptied.removed(from: bytes)
  }
}
