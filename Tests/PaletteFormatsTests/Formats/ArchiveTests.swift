import PaletteMerge
import PaletteModel
import Testing

@testable import PaletteFormats
@testable import PaletteJSON

/// Archives and XML, honest and hostile.
struct ArchiveTests {
  private func archive(_ files: [(String, String)]) -> [UInt8] {
    var writer = ZipWriter()
    for (path, text) in files { writer.add(path, Array(text.utf8)) }
    return writer.finished()
  }

  @Test func readsBackItsArchives() throws {
    let bytes = archive([("a/b.txt", "one"), ("c", "")])
    let opened = try ZipArchive(bytes)
    #expect(opened.paths == ["a/b.txt", "c"])
    #expect(try opened.files().map(\.bytes) == [Array("one".utf8), []])
    #expect(try opened.file("d") == nil)
    for count in bytes.indices {
      #expect(throws: FormatError.self) { try ZipArchive(Array(bytes[..<count])) }
    }
  }

  /// Made by another program, with packed files.
  private static let packed =
    "UEsDBBQAAAAIAAAAIVBzTzAeDAAAAIwAAAAJAAAAYS9TZWEuaGV4MzAwMEhL4zIYDBQAUEsDBBQAAAAIAAAAIVC41ZhTHgAA"
    + "ADcAAAAIAAAATGFuZC5ncGxz9/QNUAhIzEktKUnlMlAwNLJQMOB0L0osLsbLAwBQSwMEFAAAAAgAAAAhUIMW3IwDAAAAAQAA"
    + "AA4AAABfX01BQ09TWC94LmhleKsAAFBLAwQUAAAACAAAACFQgxbcjAMAAAABAAAACQAAAHJlYWRtZS5tZKsAAFBLAQIUAxQA"
    + "AAAIAAAAIVBzTzAeDAAAAIwAAAAJAAAAAAAAAAAAAACAAQAAAABhL1NlYS5oZXhQSwECFAMUAAAACAAAACFQuNWYUx4AAAA3"
    + "AAAACAAAAAAAAAAAAAAAgAEzAAAATGFuZC5ncGxQSwECFAMUAAAACAAAACFQgxbcjAMAAAABAAAADgAAAAAAAAAAAAAAgAF3"
    + "AAAAX19NQUNPU1gveC5oZXhQSwECFAMUAAAACAAAACFQgxbcjAMAAAABAAAACQAAAAAAAAAAAAAAgAGmAAAAcmVhZG1lLm1k"
    + "UEsFBgAAAAAEAAQA4AAAANAAAAAAAA=="

  @Test func unpacksWhatOthersPacked() throws {
    let opened = try ZipArchive(try #require(Base64.decode(Self.packed)))
    #expect(opened.paths == ["a/Sea.hex", "Land.gpl", "__MACOSX/x.hex", "readme.md"])
    let files = try opened.files()
    #expect(files[0].bytes == Array(String(repeating: "0000ff\n", count: 20).utf8))
    #expect(files[1].bytes.starts(with: "GIMP Palette\n".utf8))
  }

  /// A packed file that says another length, another checksum, or 4 GB.
  @Test func believesNoSizes() throws {
    let bytes = archive([("a", "one")])
    let list = bytes.count - 22 - 47
    for offset in [16, 20, 24] {
      var changed = bytes
      changed[list + offset] ^= 1
      #expect(throws: FormatError.self) { try ZipArchive(changed).files() }
    }
    var huge = bytes
    huge.replaceSubrange((list + 24)..<(list + 28), with: [0xFE, 0xFF, 0xFF, 0xFF])
    #expect(throws: FormatError.self) { try ZipArchive(huge) }
  }

  @Test func readsProcreate() throws {
    let swatch = #"{"hue":0,"saturation":1,"brightness":1,"alpha":0.5,"colorSpace":0}"#
    for text in [
      #"[{"name":"P","swatches":[null,\#(swatch),{}]}]"#, #"{"name":"P","swatches":[\#(swatch)]}"#,
    ] {
      let (format, contents) = try FormatRegistry.standard.read(
        archive([("Swatches.json", text)]),
        named: "a"
      )
      #expect(format.name == "swatches" && contents.title == "P")
      #expect(contents.entries.map(\.color.hex) == ["#ff000080"])
    }
    let many = (0..<31).map { Samples.named($0, "x") }
    #expect(throws: FormatError.self) { try ProcreateFormat().write(Samples.sheet(many)) }
  }

  @Test func readsKritaByPlaces() throws {
    func entry(_ name: String, _ row: Int, _ column: Int) -> String {
      "<ColorSetEntry name=\"\(name)\"><RGB r=\"1\" g=\"0\" b=\"0\" space=\"x\"/>"
        + "<Position row=\"\(row)\" column=\"\(column)\"/></ColorSetEntry>"
    }
    let xml =
      "<?xml version='1.0'?><!-- c --><Colorset name='K' columns='2'>" + entry("c", 1, 0)
      + entry("b", 0, 1) + "<Group name='G'>" + entry("d", 0, 0) + "</Group>" + entry("a", 0, 0)
      + "<ColorSetEntry name='x'><YCbCr y='1'/></ColorSetEntry></Colorset>"
    let (format, contents) = try FormatRegistry.standard.read(
      archive([("mimetype", "application/x-krita-palette"), ("colorset.xml", xml)]),
      named: "a.kpl"
    )
    #expect(format.name == "kpl" && contents.title == "K")
    #expect(contents.entries.map(\.name) == ["a", "b", "c", "G/d"])
    #expect(contents.skipped.count == 1)
  }

  @Test func readsColorSetsOfXcode() throws {
    func component(_ value: String) -> String {
      #"{"red":"\#(value)","green":"0x00","blue":"0","alpha":"1.000"}"#
    }
    func color(_ value: String, _ more: String = "", _ space: String = "srgb") -> String {
      #"{"idiom":"universal"\#(more),"color":{"color-space":"\#(space)","components":\#(component(value))}}"#
    }
    let dark = #","appearances":[{"appearance":"luminosity","value":"dark"}]"#
    let set =
      #"{"colors":[\#(color("1.0")),\#(color("1.0")),\#(color("0x80", dark)),{"idiom":"mac"}],"info":{}}"#
    let wide = #"{"colors":[\#(color("0.5", "", "display-p3"))]}"#
    let bytes = archive([
      ("My.xcassets/Contents.json", "{}"), ("My.xcassets/Brand/Red.colorset/Contents.json", set),
      ("My.xcassets/Wide.colorset/Contents.json", wide),
      ("My.xcassets/Icon.appiconset/Contents.json", "{}"),
      ("My.xcassets/Broken.colorset/Contents.json", "{"),
    ])
    let (format, contents) = try FormatRegistry.standard.read(bytes, named: "My.zip")
    #expect(format.name == "xcassets")
    #expect(contents.entries.map(\.name) == ["Brand/Red", "Brand/Red (dark)", "Wide"])
    #expect(contents.entries.prefix(2).map(\.color.hex) == ["#ff0000", "#800000"])
    #expect(contents.entries[2].color.space == .displayP3)
    #expect(contents.skipped.map(\.at) == ["My.xcassets/Broken.colorset/Contents.json"])
    let single = try FormatRegistry.standard.read(
      Array(set.utf8),
      named: "Sea Red.colorset/Contents.json"
    )
    #expect(single.contents.entries.map(\.name) == ["Sea Red", "Sea Red (dark)"])
  }

  @Test(
    arguments: [
      "<!DOCTYPE a [<!ENTITY b \"x\"><!ENTITY c \"&b;&b;\">]><resources>&c;</resources>",
      String(repeating: "<a>", count: 100), "<resources>", "<resources/><b/>", "",
    ]
  )
  func refusesXMLThatNoPaletteIs(_ text: String) {
    let error = #expect(throws: FormatError.self) { try XMLElement(parsing: Array(text.utf8)) }
    #expect(error?.code == "bad-file")
  }

  @Test func readsListsInXML() throws {
    func read(_ text: String) throws -> (String, FileContents) {
      let (format, contents) = try FormatRegistry.standard.read(Array(text.utf8), named: "a.xml")
      return (format.name, contents)
    }
    let (android, resources) = try read(
      "<resources><color name='a'>#80FF0000</color><item type='color' name='b'>@color/a</item>"
        + "<color name='c'>@color/c</color><string name='d'>red</string></resources>"
    )
    #expect(
      android == "android" && resources.entries.map(\.color.hex) == ["#ff000080", "#ff000080"]
    )
    #expect(resources.skipped.count == 1)
    let (scribus, inks) = try read(
      "<SCRIBUSCOLORS Name='S'><COLOR NAME='a' CMYK='#00ff0000'/>"
        + "<COLOR NAME='b' SPACE='RGB' R='1' G='2' B='3'/><COLOR NAME='c'/></SCRIBUSCOLORS>"
    )
    #expect(scribus == "scribus" && inks.title == "S" && inks.skipped.count == 1)
    #expect(inks.entries.map(\.color.hex) == ["#ff00ff", "#010203"])
    let (office, table) = try read(
      "<o:color-table xmlns:o='x' xmlns:d='y'><d:color d:name='a &amp; b' d:color='#010203'/></o:color-table>"
    )
    #expect(office == "soc" && table.entries.map(\.name) == ["a & b"])
    let (corel, palette) = try read(
      "<palette name='C'><colorspaces><cs name='Ink'><color cs='CMYK' tints='0,0,0,1'/>"
        + "<color cs='RGB' tints='0,0,1'/></cs></colorspaces><colors><page>"
        + "<color cs='RGB' name='a' tints='1,0,0'/><color cs='Ink' name='b' tints='1'/>"
        + "<color cs='HKS' name='c' tints='1'/></page></colors></palette>"
    )
    #expect(corel == "corel" && palette.entries.map(\.color.hex) == ["#ff0000", "#0000ff"])
    #expect(palette.skipped.count == 1)
  }
}
