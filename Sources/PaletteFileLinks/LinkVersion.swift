package import PaletteFormats
package import PaletteMerge
package import PaletteModel

/// What a linked file held at one time, and which color of the palette each of its entries was.
package struct LinkVersion: Hashable, Sendable {
  /// One entry of the file.
  package struct Line: Hashable, Sendable {
    /// What the file said.
    package var entry: FileEntry
    /// The color that it is.
    package let id: RecordID
    /// The live values of the color that whoever had this version of the file could know; nil for all
    /// that are live when it matters.
    package var seen: SeenValues?
  }

  /// The title in the file; nil where its format has none.
  package var title: String?
  /// The entries in order.
  package var lines: [Line]
  /// The number of parts of the file that were no colors.
  package var skipped: Int
  /// The digest of the palette that the file said the same as; nil where it may have said something else.
  package var digest: Digest?
  /// The name of the palette then; nil where it is not known.
  package var name: String?

  /// Creates a version.
  package init(
    title: String? = nil,
    lines: [Line] = [],
    skipped: Int = 0,
    digest: Digest? = nil
  ) {
    self.title = title
    self.lines = lines
    self.skipped = skipped
    self.digest = digest
  }

  /// Returns whether a file holds exactly this.
  func isHeld(by contents: FileContents) -> Bool {
    lines.count == contents.entries.count
      && zip(lines, contents.entries).allSatisfy { $0.entry.saysTheSame(as: $1) }
      && (title ?? "").hasSameBytes(as: contents.title ?? "")
  }
}

extension FileEntry {
  /// Returns whether two entries say the same of a color, byte for byte.
  func saysTheSame(as other: FileEntry) -> Bool {
    color == other.color && Self.isSame(name, other.name) && Self.isSame(note, other.note)
  }

  /// Returns whether the color is the one that a line had before, were it in the fewer digits of a
  /// program that rounds what it read.
  func keepsColor(of before: FileEntry) -> Bool {
    color == before.color || color == before.color.rounded
  }

  /// Returns whether nothing was changed of a line.
  func keeps(_ before: FileEntry) -> Bool {
    keepsColor(of: before) && Self.isSame(name, before.name) && Self.isSame(note, before.note)
  }

  /// The number of name, color and note that are others; a line without a name or a note says
  /// nothing of them.
  func differences(from other: FileEntry) -> Int { unlike(other).count { $0 } }

  /// Of color, name and note, which differ and are as a third entry has them.
  func differences(from other: FileEntry, saidBy third: FileEntry) -> [Bool] {
    zip(unlike(other), unlike(third)).map { $0 && !$1 }
  }

  private func unlike(_ other: FileEntry) -> [Bool] {
    [
      !keepsColor(of: other), name != nil && !Self.isSame(name, other.name),
      note != nil && !Self.isSame(note, other.note),
    ]
  }

  /// Returns whether an entry shows by what it says that it is the color of a line.
  func isKin(to line: LinkVersion.Line) -> Bool {
    id == line.id || keepsColor(of: line.entry)
      || (name != nil && Self.isSame(name, line.entry.name))
  }

  static func isSame(_ left: String?, _ right: String?) -> Bool {
    guard let left, let right else { return left == nil && right == nil }
    return left.hasSameBytes(as: right)
  }
}

extension Color {
  /// The color as hexadecimal digits have it.
  var rounded: Color? { Color(hex: hex.dropFirst()) }
}

// MARK: Bytes

extension LinkVersion {
  /// Versions as a library keeps them: CBOR, an array of all their lines, each once, and one of versions, which
  /// name their lines by number; null for one that there is not.
  ///
  /// Most lines of a version are those of the one before it.
  static func encode(_ versions: [LinkVersion?]) -> [UInt8] {
    // By their bytes: names that Swift takes for equal may be spelled otherwise.
    var numbers: [[UInt8]: Int] = [:]
    var lines: [[UInt8]] = []
    let indexes = versions.map { version in
      (version?.lines ?? []).map { line in
        let bytes = line.encoded
        if let number = numbers[bytes] { return number }
        numbers[bytes] = lines.count
        lines.append(bytes)
        return lines.count - 1
      }
    }
    var writer = CBORWriter(reservingCapacity: lines.reduce(64) { $0 + $1.count })
    writer.write(array: 2)
    writer.write(array: lines.count)
    for line in lines { writer.append(encoded: line) }
    writer.write(array: versions.count)
    for (version, indexes) in zip(versions, indexes) {
      if let version {
        version.write(to: &writer, lines: indexes)
      } else {
        writer.writeNull()
      }
    }
    return writer.bytes
  }

  /// Reads what `encode` wrote; nil for anything else.
  static func decode(_ bytes: [UInt8]) -> [LinkVersion?]? {
    bytes.withUnsafeBytes { buffer in
      var reader = CBORReader(buffer)
      do throws(CBORError) {
        guard try reader.readArray() == 2 else { return nil }
        var lines: [Line] = []
        for _ in 0..<(try reader.readArray()) { lines.append(try Line(&reader)) }
        var versions: [LinkVersion?] = []
        for _ in 0..<(try reader.readArray()) {
          if reader.isNull {
            try reader.readNull()
            versions.append(nil)
          } else {
            versions.append(try LinkVersion(&reader, lines))
          }
        }
        return reader.isAtEnd ? versions : nil
      } catch {
        return nil
      }
    }
  }

  private func write(to writer: inout CBORWriter, lines indexes: [Int]) {
    writer.write(array: 5)
    writer.write(optional: title)
    writer.write(optional: name)
    writer.write(unsigned: UInt64(skipped))
    writer.write(bytes: digest?.bytes ?? [])
    writer.write(array: indexes.count)
    for index in indexes { writer.write(unsigned: UInt64(index)) }
  }

  private init(_ reader: inout CBORReader, _ known: [Line]) throws(CBORError) {
    guard try reader.readArray() == 5 else { throw .unexpectedType }
    self.init(title: try reader.readOptionalText())
    name = try reader.readOptionalText()
    skipped = Int(clamping: try reader.readUnsigned())
    digest = Digest(bytes: Array(try reader.readBytes()))
    let count = try reader.readArray()
    lines.reserveCapacity(count)
    for _ in 0..<count {
      guard let number = Int(exactly: try reader.readUnsigned()), known.indices.contains(number)
      else { throw .unexpectedType }
      lines.append(known[number])
    }
  }
}

extension LinkVersion.Line {
  fileprivate var encoded: [UInt8] {
    var writer = CBORWriter(reservingCapacity: 96)
    writer.write(array: 6)
    writer.write(id)
    RegisterValue(color: entry.color).withEncoded { writer.append(encoded: $0) }
    writer.write(optional: entry.name)
    writer.write(optional: entry.note)
    let flags: [Bool] = [entry.isRounded, entry.hasAlpha, entry.isIdentifier]
    writer.write(
      unsigned: flags.enumerated().reduce(0) { $0 | ($1.element ? 1 << $1.offset : 0) }
    )
    let dots = seen?.dots ?? []
    writer.write(array: dots.count * 2)
    for dot in dots {
      writer.write(unsigned: dot.node.rawValue)
      writer.write(unsigned: UInt64(dot.sequence))
    }
    return writer.bytes
  }

  fileprivate init(_ reader: inout CBORReader) throws(CBORError) {
    guard try reader.readArray() == 6 else { throw .unexpectedType }
    id = try reader.readRecordID()
    guard let color = Color(encoded: try reader.readItem()) else { throw .unexpectedType }
    entry = FileEntry(color: color)
    entry.name = try reader.readOptionalText()
    entry.note = try reader.readOptionalText()
    let flags = try reader.readUnsigned()
    entry.isRounded = flags & 1 != 0
    entry.hasAlpha = flags & 2 != 0
    entry.isIdentifier = flags & 4 != 0
    var dots: [Dot] = []
    for _ in 0..<(try reader.readArray() / 2) {
      let node = NodeID(try reader.readUnsigned())
      guard let sequence = UInt32(exactly: try reader.readUnsigned()) else { throw .unexpectedType }
      dots.append(Dot(node, sequence))
    }
    seen = SeenValues(dots)
  }
}

extension CBORWriter {
  fileprivate mutating func write(optional text: String?) {
    if let text { write(text: text) } else { writeNull() }
  }
}

extension CBORReader {
  fileprivate mutating func readOptionalText() throws(CBORError) -> String? {
    guard isNull else { return try readText() }
    try readNull()
    return nil
  }
}
