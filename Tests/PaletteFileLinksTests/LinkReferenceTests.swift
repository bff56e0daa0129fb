import PaletteFileLinks
import PaletteMerge
import PaletteModel
import PaletteStore
import PaletteTestSupport
import Testing

/// Entries of a linked file that stand for others.
struct LinkReferenceTests {
  private static let text = """
    {
      "base": { "red": { "$type": "color", "$value": "#E63946" } },
      "danger": { "$type": "color", "$value": "{base.red}" }
    }

    """

  private func link() throws -> LinkFixture {
    let link = try LinkFixture(Self.text, as: "dtcg", named: "Brand")
    try link.settle()
    #expect(try link.colors == ["base/red #e63946", "danger #e63946"])
    return link
  }

  private func undo(_ link: LinkFixture) throws {
    try link.store.write { transaction throws(StoreError) in
      _ = try transaction.undo(in: link.palette)
    }
    try link.settle()
  }

  /// The palette follows the file, and one undo takes back both.
  @Test(arguments: [false, true])
  func anAliasFollows(_ restarts: Bool) throws {
    let link = try link()
    try link.set(0, to: "#010203")
    try link.settle()
    if restarts { try link.restart() }
    #expect(link.text == Self.text.replacing("#E63946", with: "#010203"))
    #expect(try link.colors == ["base/red #010203", "danger #010203"])
    try undo(link)
    #expect(link.text == Self.text)
    #expect(try link.colors == ["base/red #e63946", "danger #e63946"])
    #expect(link.pause == nil)
  }

  /// What is written is of the last version, although an earlier one was more like it.
  @Test func anAliasThatMovedFollowsBack() throws {
    let link = try link()
    try link.move(1, to: 0)
    try link.settle()
    let moved = link.text
    for css in ["#00e323", "#122233"] {
      try link.set(1, to: css)
      try link.settle()
    }
    try link.set(0, to: "#142233")
    try link.settle()
    for _ in 0..<3 { try undo(link) }
    #expect(link.text == moved)
    #expect(try link.colors == ["danger #e63946", "base/red #e63946"])
    try undo(link)
    #expect(link.text == Self.text)
  }

  @Test func aWriteThatWasCutOffIsFollowed() throws {
    let link = try link()
    try link.set(0, to: "#010203")
    try link.cutOffWrite()
    try link.restart()
    try link.settle()
    #expect(try link.colors == ["base/red #010203", "danger #010203"])
    try undo(link)
    #expect(link.text == Self.text)
  }

  @Test func aColorOfItsOwnEndsAnAlias() throws {
    let link = try link()
    try link.set(1, to: "#010203")
    try link.settle()
    #expect(link.text == Self.text.replacing("{base.red}", with: "#010203"))
    try link.set(0, to: "#040506")
    try link.settle()
    #expect(try link.colors == ["base/red #040506", "danger #010203"])
    try undo(link)
    try undo(link)
    #expect(link.text == Self.text)
  }

  /// A library that may not edit the palette gives the alias a value, so that the file is right.
  @Test func aViewerFollowsNothing() throws {
    let link = try link()
    try link.set(0, to: "#010203")
    var linked = try #require(try link.linked)
    linked.acceptsEdits = false
    guard case .write(let file, _) = link.core.next(link.side, linked) else {
      Issue.record("the palette is written")
      return
    }
    #expect(
      String(decoding: file.bytes, as: UTF8.self)
        == Self.text.replacing("#E63946", with: "#010203")
        .replacing("{base.red}", with: "#e63946")
    )
  }

  /// The first that is done to a palette may be its renaming.
  @Test(arguments: [false, true])
  func aPaletteThatIsRenamedFirstNamesTheFile(_ restarts: Bool) throws {
    let text = "GIMP Palette\nName: Brand\n#\n  1   2   3\tSea\n"
    let link = try LinkFixture(text, as: "gpl", named: "Brand")
    try link.settle()
    if restarts { try link.restart() }
    try link.store.rename(link.palette, to: "Coast")
    try link.settle()
    #expect(link.text == text.replacing("Name: Brand", with: "Name: Coast"))
  }

  /// The title of a file is the palette's name once that changed.
  @Test func aPaletteThatIsRenamedNamesTheFile() throws {
    let text = "GIMP Palette\r\nName: Nord  \r\n#\r\n  1   2   3\tSea\r\n"
    let link = try LinkFixture(text, as: "gpl", named: "Brand")
    try link.settle()
    try link.set(0, to: "#040506")
    try link.settle()
    #expect(link.text == text.replacing("  1   2   3", with: "  4   5   6"))
    for name in ["Coast", "Brand"] {
      try link.store.rename(link.palette, to: name)
      try link.settle()
      if name == "Coast" {
        #expect(link.text.hasPrefix("GIMP Palette\r\nName: Coast  \r\n"))
        try link.restart()
      }
    }
    try undo(link)
    #expect(link.text == text)
    #expect(link.pause == nil)
  }
}
