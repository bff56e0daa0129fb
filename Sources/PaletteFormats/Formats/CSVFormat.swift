internal import PaletteModel

/// A table with a color a row, as spreadsheets keep it.
///
/// The first row says which column is what; without such a row, the color is the first column that can
/// be read as one.
struct CSVFormat: FileFormat {
  let name = "csv"
  let title = "Table (CSV)"
  let extensions = ["csv", "tsv"]
  let contentType = "text/csv; charset=utf-8"
  let keeps: KeptContent = [.names, .notes, .alpha, .spaces]

  /// The most bytes that the names of columns take.
  private static let headerLimit = 1 << 14

  /// The columns of a table by their content.
  private struct Columns {
    var color: Int?
    var name: Int?
    var note: Int?
    var alpha: Int?
    var channels: [Int] = []

    init?(_ header: [String]) {
      let words = header.map { $0.lowercased().trimmed }
      guard !words.contains(where: { Double($0) != nil }) else { return nil }
      func column(_ names: [String]) -> Int? {
        names.lazy.compactMap { words.firstIndex(of: $0) }.first
      }
      color = column([
        "hex", "hex code", "hexcode", "hex_code", "hex value", "hex color", "color hex",
        "color_hex",
        "hexadecimal", "html", "html code", "color", "colour", "color code", "colour code", "css",
        "value", "rgb", "hex/rgb", "rgb hex", "code",
      ])
      name = column([
        "name", "color name", "colour name", "color_name", "colour_name", "title", "label", "token",
        "swatch", "variable",
      ])
      note = column(["note", "notes", "description", "comment"])
      alpha = column(["alpha", "a", "opacity"])
      for names in [["red", "r"], ["green", "g"], ["blue", "b"]] {
        if let channel = column(names) { channels.append(channel) }
      }
      if channels.count < 3 { channels = [] }
      guard color != nil || !channels.isEmpty else { return nil }
      // Beside a code, a column 'color' holds what the color is called.
      if name == nil, let other = column(["color", "colour"]), other != color { name = other }
    }

    /// The columns of a row without a header.
    init?(guessing row: [String]) {
      let isNumber = row.map { UInt8($0.trimmed) != nil }
      let starts = row.indices.dropLast(2)
      if !row.contains(where: { $0.contains("#") || $0.contains("(") }),
        let start = starts.first(where: { isNumber[$0] && isNumber[$0 + 1] && isNumber[$0 + 2] })
      {
        channels = [start, start + 1, start + 2]
        let names = Array(row.indices[(start + 3)...]) + row.indices[..<start]
        name = names.first { !isNumber[$0] && !row[$0].trimmed.isEmpty }
        return
      }
      let colors = row.indices.filter { Color(loose: row[$0]) != nil }
      // A name may be that of a color, too.
      let color = colors.first { row[$0].contains { $0.isNumber || $0 == "(" } } ?? colors.first
      guard let color else { return nil }
      self.color = color
      name = row.indices.first { $0 != color && Double(row[$0]) == nil && !row[$0].isEmpty }
    }

    /// Finds the cells of a row: a color in one cell, or one of its numbers in each of several.
    func place(of row: Table.Row, in text: [UInt8]) -> EntryPlace {
      let slots = row.ranges.enumerated().map { index, range -> EntrySlot in
        let meaning: EntrySlot.Meaning =
          switch index {
          case color: .color(.cell)
          case name: .name(.cell)
          case note: .note(.cell)
          case alpha where !channels.isEmpty: .channel(3)
          default: channels.firstIndex(of: index).map { .channel($0) } ?? .own
          }
        return EntrySlot(range: range, meaning: meaning)
      }
      let whole = (row.ranges.first?.lowerBound ?? 0)..<(row.ranges.last?.upperBound ?? 0)
      return EntryPlace(around: whole, in: text, slots)
    }

    /// True if a row can say an opacity.
    var hasAlpha: Bool { channels.isEmpty || alpha != nil }

    /// What the columns can say: numbers have an opacity in a column of its own only, and a column of
    /// hexadecimal digits holds nothing else.
    func limit(_ header: [String]) -> ColorLimit {
      if !channels.isEmpty { return .bytes(hasAlpha: hasAlpha) }
      guard let color, color < header.count, header[color].lowercased().contains("hex") else {
        return .format
      }
      return .bytes(hasAlpha: true)
    }

    /// The color of channels from 0 to 1, of which one at least has a point, or in percent.
    private func shares(_ parts: [String]) -> Color? {
      guard parts.contains(where: { $0.contains(".") || $0.hasSuffix("%") }) else { return nil }
      let values = parts.compactMap { part -> Double? in
        let isPercent = part.hasSuffix("%")
        return Double(isPercent ? part.dropLast() : part[...]).map { isPercent ? $0 / 100 : $0 }
      }
      guard values.count == 3, values.allSatisfy({ (0...1) ~= $0 }) else { return nil }
      return Color(.srgb, values[0], values[1], values[2]).nearestBytes
    }

    func color(of row: [String]) -> Color? {
      func cell(_ column: Int) -> String { column < row.count ? row[column] : "" }
      let parts = channels.map { cell($0).trimmed }
      var color = parts.isEmpty ? nil : Color(loose: parts.joined(separator: " ")) ?? shares(parts)
      color = color ?? self.color.flatMap { Color(loose: cell($0)) }
      if color?.alpha == 1, let alpha, let value = Double(cell(alpha).trimmed), (0...1) ~= value {
        color?.alpha = value
      }
      return color
    }
  }

  func match(_ file: FileProbe) -> FormatMatch {
    guard let first = file.lines.first, file.firstByte != UInt8(ascii: "{"),
      first.text.utf8.count <= Self.headerLimit
    else { return .none }
    let delimiter = Self.delimiter(of: first.text)
    let rows = Table(Array(first.text.utf8), delimiter).rows
    guard let header = rows.first, header.cells.count > 1 else { return .none }
    if Columns(header.cells) != nil { return .likely }
    return FormatMatch(.possible, if: holdsColors(file, delimiter))
  }

  /// Returns whether every row has a color, as those of a table without a header have.
  private func holdsColors(_ file: FileProbe, _ delimiter: UInt8) -> Bool {
    guard file.lines.count > 1 else { return false }
    return file.lines.prefix(Self.guessedRows).allSatisfy { line in
      guard line.text.utf8.count <= Self.headerLimit,
        let row = Table(Array(line.text.utf8), delimiter).rows.first, row.cells.count > 1,
        let columns = Columns(guessing: row.cells)
      else { return false }
      return columns.color(of: row.cells) != nil
    }
  }

  /// The number of rows that tell whether a file is a table of colors.
  private static let guessedRows = 50

  func read(_ file: FileProbe) throws(FormatError) -> FileContents {
    guard let first = file.lines.first else { return FileContents() }
    let delimiter = Self.delimiter(of: first.text)
    let bytes = Array(file.text.text.utf8)
    let table = Table(bytes, delimiter)
    guard !table.isCut else { throw .tooMany("cells", FileLimit.cells) }
    var rows = table.rows[...]
    guard let header = rows.first else { return FileContents() }
    let named = Columns(header.cells)
    var guessed = named == nil ? Columns(guessing: header.cells) : nil
    if named == nil, guessed == nil, let second = rows.dropFirst().first {
      // A header in words of its own.
      guessed = Columns(guessing: second.cells)
      rows = rows.dropFirst()
    }
    if named != nil { rows = rows.dropFirst() }
    guard let columns = named ?? guessed else {
      throw .badFile(
        "no column of the first row is a color, nor says that it holds one",
        hint: "name a column 'color', or three 'red', 'green' and 'blue'"
      )
    }
    var contents = FileContents()
    contents.limit = columns.limit(header.cells)
    for row in rows {
      guard let color = columns.color(of: row.cells) else {
        contents.skipped.append(
          SkippedEntry(at: "line \(row.line)", reason: "no color in this row")
        )
        continue
      }
      func text(_ column: Int?) -> String? {
        column.flatMap { $0 < row.cells.count ? row.cells[$0].withoutFormulaMark : nil }
      }
      contents.entries.append(
        FileEntry(
          name: text(columns.name).flatMap(TextRule.name.cleaned),
          color: color,
          note: text(columns.note).map { TextRule.note.cleaned($0) ?? "" },
          hasAlpha: columns.hasAlpha,
          place: columns.place(of: row, in: bytes)
        )
      )
    }
    return contents
  }

  private static func delimiter(of line: Substring) -> UInt8 {
    let counts = "\t;,".utf8.map { delimiter in
      (delimiter, line.utf8.count { $0 == delimiter })
    }
    return counts.max { $0.1 < $1.1 }?.0 ?? UInt8(ascii: ",")
  }

  func write(_ sheet: PaletteSheet) throws(FormatError) -> [UInt8] {
    var text = "name,color,note\r\n"
    for named in sheet.colors {
      let cells = [TextRule.name.cleaned(named.name) ?? "", named.color.stylesheetText, named.note]
      text += cells.map(Quoting.cell.quoted).joined(separator: ",") + "\r\n"
    }
    return Array(text.utf8)
  }
}

/// The rows of a table in which quoted cells may hold delimiters and line ends.
private struct Table {
  /// The cells of a row, and where they are in the text.
  struct Row {
    let cells: [String]
    let line: Int
    let ranges: [Range<Int>]
  }

  private(set) var rows: [Row] = []
  private var count = 0
  /// True if there are more cells than are read.
  private(set) var isCut = false

  init(_ text: [UInt8], _ delimiter: UInt8) {
    var cells: [String] = []
    var cell: [UInt8] = []
    var isQuoted = false
    var (line, start) = (1, 1)
    var ranges: [Range<Int>] = []
    var (place, cellStart) = (0, 0)
    func endCell(at end: Int) {
      cells.append(String(decoding: cell, as: UTF8.self))
      ranges.append(cellStart..<end)
      cell.removeAll(keepingCapacity: true)
    }
    while place < text.count, !isCut {
      let byte = text[place]
      let end = place
      place += 1
      let isLineEnd = byte == 0x0A || byte == 0x0D
      if isLineEnd {
        if byte == 0x0D, place < text.count, text[place] == 0x0A { place += 1 }
        line += 1
      }
      if byte == UInt8(ascii: "\""), isQuoted, place < text.count, text[place] == byte {
        cell.append(byte)
        place += 1
      } else if byte == UInt8(ascii: "\""), isQuoted || cell.isEmpty {
        isQuoted.toggle()
      } else if byte == delimiter, !isQuoted {
        endCell(at: end)
        cellStart = place
        isCut = count + cells.count > FileLimit.cells
      } else if isLineEnd, !isQuoted {
        endCell(at: end)
        append(cells, ranges, from: start)
        (cells, start, ranges, cellStart) = ([], line, [], place)
      } else {
        cell += text[end..<place]
      }
    }
    endCell(at: place)
    append(cells, ranges, from: start)
  }

  private mutating func append(_ cells: [String], _ ranges: [Range<Int>], from line: Int) {
    count += cells.count
    guard cells.contains(where: { !$0.trimmed.isEmpty }) else { return }
    rows.append(Row(cells: cells, line: line, ranges: ranges))
  }
}
