import PaletteFormats
import PaletteLinks
import PaletteModel
import PaletteStore
import PaletteTestSupport
import Testing

/// Two machines share a palette through hued, and its file through a version control system.
struct LinkFleetTests {
  /// Formats that keep everything, that round, that have no names, and that spell names otherwise.
  private static let formats = ["json", "gpl", "hex", "css", "csv", "ase"]

  @Test(arguments: formats, 0..<6 as Range<UInt64>)
  func machinesThatShareAFileComeToRest(format: String, seed: UInt64) throws {
    var fleet = try Fleet(format: format, seed: seed)
    for _ in 0..<60 { try fleet.step() }
    try fleet.comeToRest()
    let (left, right) = (fleet.links[0], fleet.links[1])
    #expect(try left.store.digest(of: left.palette) == right.store.digest(of: right.palette))
    #expect(try left.colors == right.colors, "replay with \(format) \(seed)")
    // The files say the same, though each may in its own clothes.
    let contents = try fleet.links.map { try $0.format.read($0.file ?? []).entries }
    #expect(contents[0].map(\.color) == contents[1].map(\.color), "replay with \(format) \(seed)")
    #expect(contents[0].count == (try left.list.count))
    #expect(!fleet.wasChased, "machines write after each other: replay with \(format) \(seed)")
  }

  @Test(arguments: 0..<5 as Range<UInt64>)
  func theSameEntryFoundTwiceIsOneColor(seed: UInt64) throws {
    var fleet = try Fleet(format: "gpl", seed: seed)
    try fleet.comeToRest()
    // The change of the file comes by the version control system before hued has synced.
    let text = fleet.links[0].text + "  1   2   3\tInk\n"
    for link in fleet.links {
      link.text = text
      try link.settle()
    }
    let count = try fleet.links[0].list.count
    try fleet.comeToRest()
    #expect(try fleet.links.map { try $0.list.count } == [count, count])
  }

  private struct Fleet {
    var random: SeededRandom
    let links: [LinkFixture]
    private(set) var wasChased = false
    private let libraries: [TemporaryLibrary]
    private let palette: PaletteID
    private var number = 0

    init(format: String, seed: UInt64) throws {
      random = SeededRandom(seed: seed)
      let format = try FormatRegistry.standard.format(named: format)
      let palette = PaletteID(RecordID(using: &random))
      self.palette = palette
      libraries = [
        try TemporaryLibrary(inMemory: ()), try TemporaryLibrary(inMemory: ()),
      ]
      var stores: [ChangeStore] = []
      for library in libraries {
        stores.append(
          try ChangeStore(writing: library.folder, random: SeededRandom(seed: random.next()))
        )
      }
      try stores[0].write { transaction throws(StoreError) in
        _ = try transaction.palette(beginning: palette).act([
          .add(palette.record, [.name: RegisterValue(text: "Brand")])
        ])
      }
      links = stores.map { LinkFixture(store: $0, palette: palette, file: nil, as: format) }
      for name in ["Red", "Deep Sea", "Blue"] {
        try links[0].add(name, "oklch(0.7 0.1 \(name.utf8.count * 40))")
      }
      try sync()
      try links[0].settle()
      links[1].file = links[0].file
      try links[1].settle()
    }

    mutating func step() throws {
      let link = links[Int.random(in: 0..<2, using: &random)]
      switch Int.random(in: 0..<12, using: &random) {
      case 0...2: try editFile(link)
      case 3...5: try editPalette(link)
      case 6...8: try link.settle()
      case 9: try sync()
      case 10: copy()
      default: try link.restart()
      }
    }

    /// The version control system brings the file of one machine to the other.
    private mutating func copy() {
      let from = Int.random(in: 0..<2, using: &random)
      links[1 - from].file = links[from].file
    }

    private func sync() throws {
      for (from, to) in [(0, 1), (1, 0)] {
        let (source, target) = (links[from].store, links[to].store)
        let frontier = try target.frontier(of: palette)
        let changes = try #require(try source.changes(of: palette, after: frontier))
        try target.merge(changes, into: palette)
      }
    }

    /// Somebody saves another list from another program.
    private mutating func editFile(_ link: LinkFixture) throws {
      guard let bytes = link.file, let contents = try? link.format.read(bytes) else { return }
      var colors = contents.entries.map {
        NamedColor(
          id: $0.id ?? RecordID(using: &random),
          name: $0.name ?? $0.color.hex,
          color: $0.color,
          note: $0.note ?? ""
        )
      }
      number += 1
      let color = Color(red8: UInt8.random(in: 0...255, using: &random), green8: 7, blue8: 9)
      let index = colors.indices.randomElement(using: &random)
      switch Int.random(in: 0..<5, using: &random) {
      case 0:
        colors.insert(
          NamedColor(id: RecordID(using: &random), name: "New \(number)", color: color),
          at: Int.random(in: 0...colors.count, using: &random)
        )
      case 1: if let index, colors.count > 2 { colors.remove(at: index) }
      case 2: if let index { colors[index].color = color }
      case 3: if let index { colors[index].name = "Name \(number)" }
      default: colors.shuffle(using: &random)
      }
      link.file = try link.format.write(
        PaletteSheet(id: palette, name: contents.title ?? "Brand", digest: "", colors: colors)
      )
    }

    private mutating func editPalette(_ link: LinkFixture) throws {
      number += 1
      let css = "oklch(0.6 0.05 \(Int.random(in: 0..<360, using: &random)))"
      guard let index = try link.list.indices.randomElement(using: &random) else {
        return try link.add("Again", css)
      }
      switch Int.random(in: 0..<3, using: &random) {
      case 0: try link.add("Added \(number)", css)
      case 1: try link.set(index, to: css)
      default: try link.store.act([.delete(try link.ids[index])], in: palette)
      }
    }

    /// Everything is carried everywhere until nothing moves.
    mutating func comeToRest() throws {
      for round in 0..<8 {
        for link in links { try link.settle() }
        try sync()
        for link in links { try link.settle() }
        try sync()
        let before = links.map { ($0.writes, $0.edits) }
        for from in [0, 1] {
          links[1 - from].file = links[from].file
          try links[1 - from].settle()
          try sync()
          for link in links { try link.settle() }
        }
        let after = links.map { ($0.writes, $0.edits) }
        if zip(before, after).allSatisfy({ $0 == $1 }) { return }
        wasChased = round == 7
      }
    }
  }
}
