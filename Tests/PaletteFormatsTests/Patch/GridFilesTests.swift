import PaletteModel
import PaletteTestSupport
import Testing

@testable import PaletteFormats

/// Files in which colors have places: what is there stays, what comes finds a place.
struct GridFilesTests {
  private static let blue = Color(red8: 0, green8: 0, blue8: 255)

  // MARK: Krita

  private static let document = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!-- mine -->
    <ColorSet name="Paints" version="2.0" columns="3" rows="2" comment="by hand">
     <ColorSetEntry name="Teal" id="t" bitdepth="F32" spot="true">
      <Lab L="50" a="-20" b="-10" space="Lab.icc"/>
      <Position row="1" column="0"/>
     </ColorSetEntry>
     <ColorSetEntry name="Red" id="r" bitdepth="U8" spot="false">
      <RGB r="1" g="0" b="0" space="sRGB-elle-V2-srgbtrc.icc"/>
      <Position row="0" column="0"/>
     </ColorSetEntry>
     <Group name="Deep" rows="1">
      <ColorSetEntry name="Ink" bitdepth="U8"><CMYK c="1" m="0.5" y="0" k="0.25" space="x"/><Position row="0" column="1"/></ColorSetEntry>
     </Group>
    </ColorSet>

    """

  private func archive(_ document: String) -> [UInt8] {
    var writer = ZipWriter()
    writer.add("mimetype", Array("application/x-krita-palette".utf8))
    writer.add("colorset.xml", Array(document.utf8))
    writer.add("Lab.icc", [1, 2, 3])
    writer.add("profiles.xml", Array("<Profiles/>".utf8))
    return writer.finished()
  }

  private func krita(
    title: String? = nil,
    _ change: (inout [NamedColor]) -> Void
  ) throws -> String {
    let result = try Samples.patched(archive(Self.document), "kpl", title: title, change)
    let opened = try ZipArchive(result)
    #expect(opened.paths == ["mimetype", "colorset.xml", "Lab.icc", "profiles.xml"])
    #expect(try opened.file("Lab.icc") == [1, 2, 3])
    return String(decoding: try #require(try opened.file("colorset.xml")), as: UTF8.self)
  }

  @Test func aPaletteOfKritaKeepsItsCells() throws {
    #expect(try krita { _ in } == Self.document)
    #expect(
      try krita { $0[0].name = "R & B" }
        == Self.document.replacing("name=\"Red\"", with: "name=\"R &amp; B\"")
    )
    #expect(
      try krita(title: "Oils") { $0[0].color = Self.blue }
        == Self.document.replacing("r=\"1\" g=\"0\" b=\"0\"", with: "r=\"0.0\" g=\"0.0\" b=\"1.0\"")
        .replacing("Paints", with: "Oils")
    )
    let ink = try krita { $0[2].color = Self.blue }
    #expect(
      ink
        == Self.document.replacing(
          "c=\"1\" m=\"0.5\" y=\"0\" k=\"0.25\"",
          with: "c=\"1.0\" m=\"1.0\" y=\"0.0\" k=\"0.0\""
        )
    )
    let swapped = try krita { $0.swapAt(0, 1) }
    #expect(
      swapped.contains(
        "<Lab L=\"50\" a=\"-20\" b=\"-10\" space=\"Lab.icc\"/>\n  <Position row=\"0\" column=\"0\"/>"
      )
    )
    #expect(swapped.utf8.count == Self.document.utf8.count)
    let removed = try krita { $0.remove(at: 0) }
    #expect(removed.hasPrefix(Self.document.prefix(180)))
    #expect(!removed.contains("Red") && removed.contains("row=\"1\" column=\"0\""))
  }

  /// A color of a group comes to stand in it, another before all groups, in the next free cell.
  @Test func aNewColorFindsACell() throws {
    let added = try krita {
      $0.append(Samples.named(8, "Deep/Sea", Self.blue))
      $0.append(Samples.named(9, "Sky", Self.blue))
    }
    let read = try FormatRegistry.standard.format(named: "kpl").read(archive(added))
    #expect(read.entries.map(\.name) == ["Red", "Teal", "Sky", "Deep/Ink", "Deep/Sea"])
    #expect(
      added.contains(
        "</ColorSetEntry>\n <ColorSetEntry name=\"Sky\" id=\"Sky\" bitdepth=\"U8\" spot=\"false\">\n  <RGB r=\"0.0\" g=\"0.0\" b=\"1.0\" space=\"sRGB-elle-V2-srgbtrc.icc\"/>\n  <Position row=\"1\" column=\"1\"/>\n </ColorSetEntry>"
      )
    )
    let moved = try krita { $0[2].name = "Ink" }
    #expect(moved.contains("<CMYK c=\"1\" m=\"0.5\" y=\"0\" k=\"0.25\" space=\"x\"/>"))
    #expect(moved.contains("<Group name=\"Deep\" rows=\"1\">\n </Group>"))
    let many = try krita { colors in
      for number in UInt64(10)..<16 { colors.insert(Samples.named(number, "N\(number)"), at: 2) }
    }
    #expect(many.contains("columns=\"3\" rows=\"4\""))
  }

  // MARK: Procreate

  private static let swatches = """
    [{"name": "Cove", "swatches": [
      {"hue": 0, "saturation": 1, "brightness": 1, "alpha": 1, "colorSpace": 1, "colorModel": 1, "components": [0, 1, 1], "origin": 4},
      null,
      {"brightness": 0.5, "saturation": 0, "hue": 0, "alpha": 1}
    ], "colorProfiles": [{"hash": "x"}]}]
    """

  private func procreate(
    title: String? = nil,
    _ change: (inout [NamedColor]) -> Void
  ) throws -> String {
    var writer = ZipWriter()
    writer.add("Swatches.json", Array(Self.swatches.utf8))
    writer.add("more.bin", [7])
    let result = try Samples.patched(writer.finished(), "swatches", title: title, change)
    #expect(try ZipArchive(result).file("more.bin") == [7])
    let text = try #require(try ZipArchive(result).file("Swatches.json"))
    return String(decoding: text, as: UTF8.self)
  }

  @Test func slotsOfProcreateStay() throws {
    let text = Self.swatches
    #expect(try procreate(title: "Bay") { _ in } == text.replacing("Cove", with: "Bay"))
    let line = text.split(separator: "\n")[1].dropLast()
    #expect(try procreate { $0.removeFirst() } == text.replacing(line, with: "  null"))
    let recolored = try procreate { $0[0].color = Self.blue }
    #expect(
      recolored
        == text.replacing(
          "\"hue\": 0, \"saturation\": 1",
          with: "\"hue\": 0.6666666666666666, \"saturation\": 1"
        )
        .replacing("[0, 1, 1]", with: "[0.6666666666666666,1,1]".replacing(",", with: ", "))
    )
    let inserted = try procreate { $0.insert(Samples.named(9, "x", Self.blue), at: 1) }
    #expect(inserted.split(separator: "\n").count == 5)
    #expect(!inserted.contains("null"))
    let appended = try procreate { $0.append(Samples.named(9, "x", Self.blue)) }
    #expect(
      appended.contains("\"alpha\": 1},\n  {\"brightness\": 1, \"saturation\": 1, \"hue\": 0.66")
    )
    #expect(appended.contains("null"))
    #expect(throws: FormatError.self) {
      _ = try procreate { colors in
        for number in 0..<29 { colors.append(Samples.named(UInt64(number), "x")) }
      }
    }
  }

  // MARK: Tables

  @Test func aColorTableKeepsWhatIsBehindItsColors() throws {
    let head: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8, 9]
    let table = Self.joined(head[...], ArraySlice(repeating: 200, count: 759), [0, 3, 0, 2])
    let recolored = try Samples.patched(table, "act") { $0[1].color = Self.blue }
    #expect(recolored == Self.joined([1, 2, 3, 0, 0, 255], table[6...]))
    let moved = try Samples.patched(table, "act") { $0.swapAt(0, 2) }
    #expect(moved == Self.joined([7, 8, 9, 4, 5, 6, 1, 2, 3], table[9..<770], [0, 0]))
    let removed = try Samples.patched(table, "act") { $0.removeLast() }
    #expect(removed == Self.joined(table[..<6], [0, 0, 0], table[9..<768], [0, 2, 255, 255]))
    let whole = (0..<768).map { UInt8(truncatingIfNeeded: $0) }
    let set = try Samples.patched(whole, "act") { $0[255].color = Self.blue }
    #expect(set == Self.joined(whole[..<765], [0, 0, 255]))
    #expect(try Samples.patched(whole, "act") { $0.removeLast() }.count == 772)
  }

  /// One array of parts of files: chains of `+` would take the compiler seconds.
  private static func joined(_ parts: ArraySlice<UInt8>...) -> [UInt8] {
    Array(parts.joined())
  }

  @Test func flagsAndChunksOfATableStay() throws {
    let head = Array("RIFF".utf8) + [32, 0, 0, 0] + Array("PAL ".utf8)
    let data = Array("data".utf8) + [12, 0, 0, 0, 0, 3, 2, 0, 1, 2, 3, 4, 5, 6, 7, 8]
    let more = Array("more".utf8) + [0, 0, 0, 0]
    let file = head + data + more
    let recolored = try Samples.patched(file, "riff") { $0[1].color = Self.blue }
    #expect(recolored == Self.joined(head[...], data[..<16], [0, 0, 255, 8], more[...]))
    let added = try Samples.patched(file, "riff") {
      $0.insert(Samples.named(9, "x", Self.blue), at: 1)
    }
    let longer =
      Array("data".utf8) + [16, 0, 0, 0, 0, 3, 3, 0, 1, 2, 3, 4, 0, 0, 255, 0, 5, 6, 7, 8]
    #expect(added == Array("RIFF".utf8) + [36, 0, 0, 0] + Array("PAL ".utf8) + longer + more)
  }

  // MARK: Archives

  /// Packed files stay packed, and what other programs say of theirs stays.
  @Test func anArchiveKeepsItsOtherFiles() throws {
    var writer = ZipWriter()
    writer.add("a", Array("one".utf8))
    writer.add("b", Array("two".utf8))
    writer.add("c", Array("three".utf8))
    var bytes = writer.finished()
    bytes[bytes.count - 2] = 2
    bytes += [0x68, 0x69]
    let patch = try #require(ZipPatch(of: bytes))
    #expect(patch.replacing("b", with: Array("two".utf8)) == bytes)
    let longer = try #require(patch.replacing("b", with: Array("twenty".utf8)))
    #expect(
      try ZipArchive(longer).files().map { String(decoding: $0.bytes, as: UTF8.self) } == [
        "one", "twenty", "three",
      ]
    )
    #expect(longer.suffix(2) == [0x68, 0x69] && longer.prefix(34) == bytes.prefix(34))
    #expect(patch.replacing("d", with: []) == nil)
    #expect(ZipPatch(of: Array(bytes.dropLast(10))) == nil)
  }

  @Test(
    arguments: [
      ([0, 3, nil, 5], [], nil, [0, 3, 4, 5]), ([0, 1, nil, 2], [], nil, [0, 1, 2, 3]),
      ([2, 0], [], nil, [0, 2]), ([nil, 0], [0, 1], nil, [2, 3]),
      ([28, 29, nil], [], 30, [27, 28, 29]),
      ([0, nil], [], 1, nil),
    ] as [([Int?], Set<Int>, Int?, [Int]?)]
  )
  func placesInAGrid(_ old: [Int?], _ blocked: Set<Int>, _ limit: Int?, _ new: [Int]?) {
    #expect(GridSlots.assigned(old, blocked: blocked, limit: limit) == new)
  }
}
