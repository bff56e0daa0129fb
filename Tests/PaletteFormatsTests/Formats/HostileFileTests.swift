import PaletteModel
import PaletteTestSupport
import Testing

@testable import PaletteFormats

/// Files that are cut off, changed, endless or deep end in an error or in a few colors, in every reader.
///
/// The limit is that of a slow machine: what a file claims costs nothing, and what it has little.
@Suite(.timeLimit(.minutes(15 * TestPatience.factor)))
struct HostileFileTests {
  private static let readers = FormatRegistry.standard.formats.filter(\.reads).map(\.name)

  /// A small file of each format, also of those that are only read.
  private func file(_ format: any FileFormat) throws -> [UInt8] {
    let texts = [
      "corel": "\"Jade\" 0 20 12 44\r\n\"Black\" 0 0 0 100\r\n",
      "skp": "##sK1 palette\nset_name('a')\ncolor(['RGB', [1.0, 0.0, 0.0], 0.5, u'Red'])\n",
      "sketchpalette": #"{"compatibleVersion":"1.4","colors":[{"red":1,"green":0,"blue":0}]}"#,
    ]
    if let text = texts[format.name] { return Array(text.utf8) }
    guard format.writes else { return (0..<768).map { UInt8($0 % 256) } }
    return try format.write(Samples.sheet())
  }

  @Test(arguments: readers)
  func aFileMayEndAnywhere(_ name: String) throws {
    let format = try FormatRegistry.standard.format(named: name)
    let bytes = try file(format)
    for count in stride(from: 0, to: bytes.count, by: max(1, bytes.count / 400)) {
      let contents = try? format.read(Array(bytes[..<count]))
      #expect(contents?.entries.count ?? 0 <= 256)
    }
  }

  /// Lengths and counts that lie among them.
  @Test(arguments: readers)
  func anyByteMayBeAnother(_ name: String) throws {
    let format = try FormatRegistry.standard.format(named: name)
    let bytes = try file(format)
    let places = TestSeeds.isNight ? 200 : 40
    for place in stride(from: 0, to: bytes.count, by: max(1, bytes.count / places)) {
      for value: UInt8 in [0, 0x7F, 0xFF] {
        var changed = bytes
        changed[place] = value
        let contents = try? format.read(changed)
        #expect(contents?.entries.count ?? 0 <= 256)
        // Whoever links the file changes it as well.
        if contents != nil, format.writes { _ = try? patched(changed, format) }
      }
    }
  }

  /// A file with one color more.
  private func patched(_ bytes: [UInt8], _ format: any FileFormat) throws -> [UInt8] {
    let colors = try format.read(bytes).entries.enumerated().map { index, entry in
      Samples.named(UInt64(index), entry.name ?? "", entry.color)
    }
    let new = Samples.named(999, "New")
    return try format.patched(bytes, ids: colors.map(\.id), to: Samples.sheet(colors + [new]))
  }

  /// Counts and places that a file claims are looked at again when it is changed.
  @Test(arguments: [
    ("jasc", "JASC-PAL\r\n0100\r\n\(Int.max)\r\n255 0 0\r\n"),
    ("paintnet", "; Colors: \(Int.max)\nFFFF0000\n"),
  ])
  func aCountMayBeAnyNumber(_ name: String, _ text: String) throws {
    let format = try FormatRegistry.standard.format(named: name)
    _ = try? patched(Array(text.utf8), format)
  }

  @Test(arguments: ["\(Int.max)", "\(Int.min)", "-1", "4000000000"])
  func aCellMayBeAnywhere(_ number: String) throws {
    let format = try FormatRegistry.standard.format(named: "kpl")
    for key in ["row=\"0\"", "column=\"0\"", "columns=\"16\"", "rows=\"1\""] {
      let document = try #require(try ZipArchive(file(format)).file("colorset.xml"))
      let name = key.prefix { $0 != "=" }
      let text = String(decoding: document, as: UTF8.self)
        .replacing(key, with: "\(name)=\"\(number)\"")
      var writer = ZipWriter()
      writer.add("colorset.xml", Array(text.utf8))
      let bytes = writer.finished()
      #expect(try format.read(bytes).entries.count == 3)
      if let result = try? patched(bytes, format) {
        #expect(try format.read(result).entries.count == 4)
      }
    }
  }

  @Test func theOtherFilesOfAnArchiveMayBeAnywhere() throws {
    for name in ["kpl", "swatches"] {
      let format = try FormatRegistry.standard.format(named: name)
      var bytes = try file(format)
      var writer = ZipWriter()
      for path in try ZipArchive(bytes).paths {
        writer.add(path, try #require(try ZipArchive(bytes).file(path)))
      }
      writer.add("last", [1])
      bytes = writer.finished()
      // The place of the last file, at the end of its entry of the list.
      let end = bytes.count - 22 - "last".utf8.count
      for place: [UInt8] in [[0xF0, 0xFF, 0xFF, 0x7F], [0xF0, 0xFF, 0xFF, 0xFF], [0, 0, 0, 0]] {
        bytes.replaceSubrange(end - 4..<end, with: place)
        _ = try? patched(bytes, format)
      }
    }
  }

  /// Brackets that nothing closes cost no more than others.
  @Test(arguments: ["css", "scss"])
  func bracketsMayStayOpen(_ name: String) throws {
    let format = try FormatRegistry.standard.format(named: name)
    let head = name == "css" ? ":root { --a: #112233; }\n" : "$a: #112233;\n"
    let open = name == "css" ? "p{x:var(--a " : "p{x:map-get($a,"
    let bytes = Array((head + String(repeating: open, count: 30_000)).utf8)
    let colors = [Samples.named(1, "renamed", Color(red8: 1, green8: 2, blue8: 3))]
    _ = try? format.patched(bytes, ids: colors.map(\.id), to: Samples.sheet(colors))
  }

  /// A path has the names of the groups around an entry, once for each entry.
  @Test(arguments: [
    ("dtcg", "{\"NAME\":{", "\"tN\":{\"$type\":\"color\",\"$value\":\"#ff0000\"},", "\"z\":{}}}"),
    ("dtcg", "{\"a\":{\"$value\":1},\"NAME\":{", "\"tN\":1,", "\"z\":2}}"),
    ("tailwind3", "module.exports={'NAME':{", "tN:'#ff0000',", "}}"),
    ("tailwind3", "module.exports={'NAME':{", "tN:{},", "}}"),
    ("scss", "$NAME: (", "tN: #ff0000,", ");\n"), ("less", "@NAME: {", "tN: #ff0000;", "}\n"),
  ])
  func oneLongNameAroundManyEntriesIsRefused(
    _ name: String,
    _ start: String,
    _ entry: String,
    _ end: String
  ) throws {
    let format = try FormatRegistry.standard.format(named: name)
    let long = start.replacing("NAME", with: String(repeating: "A", count: 20_000))
    let entries = (0..<4_000).map { entry.replacing("N", with: "\($0)") }.joined()
    let error = #expect(throws: FormatError.self) {
      try format.read(Array((long + entries + end).utf8))
    }
    #expect(error == .longPaths)
    let short = start.replacing("NAME", with: String(repeating: "A", count: 20))
    _ = try format.read(Array((short + entries + end).utf8))
  }

  /// What an editor or a full disk cuts off is no palette with fewer colors.
  @Test(arguments: ["css", "tailwind", "tailwind3"])
  func aFileThatEndsInABlockIsRefused(_ name: String) throws {
    let format = try FormatRegistry.standard.format(named: name)
    let text = String(decoding: try format.write(Samples.sheet()), as: UTF8.self)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let count = lines.lastIndex { $0.contains("}") } ?? 0
    for end in [count, count - 1] {
      let cut = lines[..<end].joined(separator: "\n") + "\n"
      let error = #expect(throws: FormatError.self) { try format.read(Array(cut.utf8)) }
      #expect(error == .openBracket)
    }
  }

  private static let hostile: [(name: String, bytes: [UInt8])] = {
    func many(_ text: String, _ count: Int = TestSeeds.isNight ? 50_000 : 8_000) -> [UInt8] {
      Array(String(repeating: text, count: count).utf8)
    }
    let laughs =
      "<?xml version='1.0'?><!DOCTYPE r [<!ENTITY a 'ha'>"
      + zip("bcdefghij", "abcdefghi").map { name, inner in
        "<!ENTITY \(name) '" + String(repeating: "&\(inner);", count: 10) + "'>"
      }.joined() + "]><resources>&j;</resources>"
    let claims: [UInt8] = [0x7F, 0xFF, 0xFF, 0xFF]
    return [
      ("brackets", many("[")), ("objects", many("{\"a\":")), ("elements", many("<a>")),
      ("laughs", Array(laughs.utf8)), ("maps", many("$a:(#")), ("blocks", many("a{")),
      ("rules", many("@a:{")), ("comments", many("/*")), ("line comments", many("//")),
      ("quotes", many(":root{--a:#'")), ("backslashes", many("\\")), ("digits", many("0")),
      ("delimiters", many("\",;\t")), ("zeros", [UInt8](repeating: 0, count: 200_000)),
      ("swatches", Array("ASEF".utf8) + [0, 1, 0, 0] + claims + [0, 1] + claims),
      (
        "chunks",
        Array("RIFF".utf8) + claims.reversed() + Array("PAL data".utf8) + claims.reversed()
      ),
      ("list", [0, 2, 0xFF, 0xFF] + [UInt8](repeating: 0, count: 100)),
      ("count", Array("JASC-PAL\n0100\n2147483647\n".utf8)),
      ("references", Array(#"{"a":{"$type":"color","$value":"{a}"}}"#.utf8)),
      ("script", many("module.exports={a:")),
    ]
  }()

  @Test(arguments: readers)
  func whatIsEndlessOrDeepHoldsNobodyUp(_ name: String) throws {
    let format = try FormatRegistry.standard.format(named: name)
    for (kind, bytes) in Self.hostile {
      let file = FileProbe(bytes, named: "a")
      _ = format.match(file)
      let contents = try? format.read(file)
      #expect(contents?.entries.count ?? 0 <= 1, "\(kind) as \(name)")
    }
  }

  /// A format that holds so many gives them all back, the others say that they do not.
  @Test(arguments: FormatRegistry.standard.formats.filter { $0.reads && $0.writes }.map(\.name))
  func manyColorsAreReadOrRefused(_ name: String) throws {
    let format = try FormatRegistry.standard.format(named: name)
    let count = name == "xcassets" || TestSeeds.isNight ? 10_000 : 2_000
    let colors = (0..<count).map { (index: Int) -> NamedColor in
      let color = Color(red8: UInt8(index >> 8), green8: UInt8(index & 255), blue8: 9)
      return Samples.named(UInt64(index), "Color \(index)", color)
    }
    guard let bytes = try? format.write(Samples.sheet(colors)) else {
      return #expect(["act", "swatches"].contains(name))
    }
    if name == "xcassets" {
      // Each color is a file, and an archive has at most 10,000.
      #expect(throws: FormatError.self) { try format.read(bytes) }
    } else {
      #expect(try format.read(bytes).entries.count == count)
    }
  }
}
