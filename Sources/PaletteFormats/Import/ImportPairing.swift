internal import PaletteModel

/// The pairs of entries in a file and colors of the palette that it was imported into before.
///
/// Pairs are made by id, then by the name and the color that the format writes, then by name and occurrence, or
/// by how the format spells the name, then by equal color, then by what is left at the same place between two
/// pairs: each color and each entry once, in order, in time linear in both.
struct ImportPairing {
  /// For each entry the index of its color, nil for a new one.
  private(set) var colorIndexes: [Int?]
  private var isPaired: [Bool]

  /// Pairs the entries of a file with the colors of a palette.
  init(of entries: [FileEntry], with colors: [NamedColor], asWritten echo: [FileEntry]) {
    colorIndexes = Array(repeating: nil, count: entries.count)
    isPaired = Array(repeating: false, count: colors.count)
    pair(entries, by: \.id, with: colors, by: \.id)
    pair(entries, by: EntryText.init, with: echo, by: EntryText.init)
    pair(entries, by: { $0.name.map(TextBytes.init) }, with: colors, by: { TextBytes($0.name) })
    if entries.contains(where: \.isIdentifier) {
      let identifier = { (name: String) in
        var names = FileNames(.underscores)
        return names.identifier(for: name)
      }
      let own = { (entry: FileEntry) in entry.isIdentifier ? entry.name.map(identifier) : nil }
      pair(entries, by: own, with: colors, by: { identifier($0.name) })
    }
    pair(entries, by: \.color, with: colors, by: \.color)
    pair(entries, by: \.color, with: echo, by: \.color)
    pair(entries, by: { $0.isRounded ? $0.color.hex : nil }, with: colors, by: \.color.hex)
    let opaque = { (entry: FileEntry) in entry.hasAlpha ? nil : entry.color.hex }
    pair(entries, by: opaque, with: colors, by: \.color.opaque.hex)
    pairByPlace(entries)
  }

  /// Pairs what is left in order where it stands between the same two pairs; an entry that says an
  /// id, or a name that nothing here has, is another color.
  private mutating func pairByPlace(_ entries: [FileEntry]) {
    var index = 0
    var before = -1
    while index < entries.count {
      if let color = colorIndexes[index] {
        before = color
        index += 1
        continue
      }
      let end = entries.indices[index...].first { colorIndexes[$0] != nil } ?? entries.count
      let after = end < entries.count ? colorIndexes[end] ?? isPaired.count : isPaired.count
      var color = before + 1
      for entry in index..<end where entries[entry].isNameless {
        while color < after, isPaired[color] { color += 1 }
        guard color < after else { break }
        colorIndexes[entry] = color
        isPaired[color] = true
      }
      index = end
    }
  }

  /// Pairs the n-th free entry of a key with the n-th free color of the same key.
  private mutating func pair<Key: Hashable, Colored>(
    _ entries: [FileEntry],
    by entryKey: (FileEntry) -> Key?,
    with colors: [Colored],
    by colorKey: (Colored) -> Key
  ) {
    let keys = entries.indices.map { colorIndexes[$0] == nil ? entryKey(entries[$0]) : nil }
    guard isPaired.contains(false), keys.contains(where: { $0 != nil }) else { return }
    // Each key's queue is a chain through `later`, from the first free color to the last.
    var first: [Key: Int] = [:]
    var later = [Int?](repeating: nil, count: colors.count)
    for index in colors.indices.reversed() where !isPaired[index] {
      later[index] = first.updateValue(index, forKey: colorKey(colors[index]))
    }
    for (index, key) in keys.enumerated() {
      guard let key, let match = first[key] else { continue }
      colorIndexes[index] = match
      isPaired[match] = true
      first[key] = later[match]
    }
  }
}

extension FileEntry {
  /// True if the entry says nothing but a color.
  fileprivate var isNameless: Bool { id == nil && name == nil }
}

/// The name and the color of an entry.
private struct EntryText: Hashable {
  let name: TextBytes?
  let color: Color

  init(_ entry: FileEntry) {
    name = entry.name.map(TextBytes.init)
    color = entry.color
  }
}

/// A text that equals another only byte for byte, as names do.
private struct TextBytes: Hashable {
  let text: String

  init(_ text: String) {
    self.text = text
  }

  static func == (left: Self, right: Self) -> Bool { left.text.hasSameBytes(as: right.text) }

  func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}
