import PaletteFileLinks
import PaletteFormats
import PaletteMerge
import PaletteModel
import PaletteStore
import PaletteTestSupport
import Testing

/// What a link decides, told by what becomes of a file and a palette.
struct LinkCoreTests {
  static let gpl = """
    GIMP Palette
    Name: Brand
    #
    255   0   0\tRed
      0 255   0\tGreen
      0   0 255\tBlue

    """

  @Test func anEditOfTheFileIsAnEditOfThePalette() throws {
    let link = try LinkFixture(Self.gpl, as: "gpl", named: "Brand")
    try link.settle()
    #expect(try link.colors == ["Red #ff0000", "Green #00ff00", "Blue #0000ff"])
    let ids = try link.ids
    link.replace("  0 255   0", "  0 128   0")
    try link.settle()
    #expect(try link.colors == ["Red #ff0000", "Green #008000", "Blue #0000ff"])
    #expect(try link.ids == ids)
    #expect(link.writes == 0, "what the file says already is not written")
  }

  @Test func anEditOfThePaletteIsWritten() throws {
    let link = try LinkFixture(Self.gpl, as: "gpl", named: "Brand")
    try link.settle()
    try link.set(0, to: "#123456")
    try link.settle()
    #expect(link.text.contains("18  52  86"))
    #expect(link.writes == 1)
    try link.settle()
    #expect(link.writes == 1)
  }

  @Test func whatAFormatRoundsStaysExact() throws {
    let link = try LinkFixture("", as: "hex", named: "Brand")
    try link.add("Deep", "oklch(0.7 0.1 200)")
    try link.add("Red", "#ff0000")
    try link.settle()
    let exact = try link.list[0]
    link.replace("ff0000", "fe0000")
    try link.settle()
    #expect(try link.list[0].hasSameContent(as: exact))
    #expect(try link.list[1].color.hex == "#fe0000")
    #expect(try link.list[1].name == "Red")
  }

  @Test func bothSidesAreMergedWhenBothChanged() throws {
    let link = try LinkFixture(Self.gpl, as: "gpl", named: "Brand")
    try link.settle()
    link.replace("255   0   0", "200   0   0")
    link.replace("  0   0 255\tBlue", "  0   0 255\tBlue\n  1   1   1\tInk")
    try link.set(1, to: "#00aa00")
    try link.add("Extra", "#eeeeee")
    try link.restart()
    try link.settle()
    #expect(
      try link.colors
        == ["Red #c80000", "Green #00aa00", "Blue #0000ff", "Ink #010101", "Extra #eeeeee"]
    )
    #expect(link.text.contains("Extra") && link.text.contains("Ink"))
  }

  @Test func aColorThatBothChangedIsAConflict() throws {
    let link = try LinkFixture(Self.gpl, as: "gpl", named: "Brand")
    try link.settle()
    link.replace("255   0   0", "200   0   0")
    try link.set(0, to: "#770000")
    try link.settle()
    #expect(try link.store.colors(of: link.palette)[0].conflicts == [.color])
  }

  @Test func linesThatMoveAreMoves() throws {
    let link = try LinkFixture(Self.gpl, as: "gpl", named: "Brand")
    try link.settle()
    let ids = try link.ids
    link.text = """
      GIMP Palette
      Name: Brand
      #
        0   0 255\tBlue
      255   0   0\tRed
        0 255   0\tGreen

      """
    try link.settle()
    #expect(try link.ids == [ids[2], ids[0], ids[1]])
  }

  @Test func linesThatGoAreRemovals() throws {
    let link = try LinkFixture(Self.gpl, as: "gpl", named: "Brand")
    try link.settle()
    link.replace("  0 255   0\tGreen\n", "")
    try link.settle()
    #expect(try link.colors == ["Red #ff0000", "Blue #0000ff"])
    try link.store.write { transaction throws(StoreError) in
      _ = try transaction.undo(in: link.palette)
    }
    try link.settle()
    #expect(link.text.contains("Green"))
  }

  @Test(arguments: [
    "", "\n\n", "GIMP Palette\nName: Brand\n#\n", "<<<<<<< ours\n", "{\"colors\":",
    "GIMP Palette\n<<<<<<< ours\n255 0 0 Red\n=======\n254 0 0 Red\n>>>>>>> theirs\n",
  ])
  func aBrokenFileIsNoEdit(_ text: String) throws {
    let link = try LinkFixture(Self.gpl, as: "gpl", named: "Brand")
    try link.settle()
    let before = try link.colors
    link.text = text
    try link.settle()
    #expect(try link.colors == before)
    #expect(link.pause != nil)
    #expect(link.text == text, "and it is left alone")
    link.text = Self.gpl
    try link.settle()
    #expect(link.pause == nil)
  }

  @Test func aFileThatIsGonePauses() throws {
    let link = try LinkFixture(Self.gpl, as: "gpl", named: "Brand")
    try link.settle()
    link.file = nil
    try link.settle()
    #expect(link.pause == "the file is gone")
    #expect(try link.list.count == 3)
    link.text = Self.gpl.replacing("Blue", with: "Sky")
    try link.settle()
    #expect(try link.list[2].name == "Sky")
  }

  @Test func aDroppedPalettePausesAndComesBack() throws {
    let link = try LinkFixture(Self.gpl, as: "gpl", named: "Brand")
    try link.settle()
    try link.store.act([.drop(link.palette)], in: link.palette)
    try link.settle()
    #expect(link.pause == "the palette was dropped")
    link.replace("Blue", "Sky")
    try link.settle()
    try link.store.act(
      [.restore(link.palette.record, [.name: RegisterValue(text: "Brand")])],
      in: link.palette
    )
    try link.settle()
    #expect(try link.list[2].name == "Sky")
  }

  @Test func linkingTwoThatAreThereLosesNothing() throws {
    let link = try LinkFixture("", as: "gpl", named: "Brand")
    try link.add("Green", "#00ee00")
    try link.add("Own", "#abcdef")
    let ids = try link.ids
    link.text = Self.gpl
    try link.settle()
    #expect(
      try Set(link.colors) == ["Red #ff0000", "Green #00ff00", "Blue #0000ff", "Own #abcdef"]
    )
    #expect(try Set(link.ids).isSuperset(of: ids))
    #expect(link.text.contains("Own"))
  }

  @Test func aCutFileIsLookedAtAgain() throws {
    let link = try LinkFixture(Self.gpl, as: "gpl", named: "Brand")
    try link.settle()
    link.text = String(Self.gpl.prefix(60))
    guard case .wait = link.core.next(link.side, try link.linked, isSettled: false) else {
      Issue.record("a file without its end may be half written")
      return
    }
  }

  @Test func aTitleInTheFileRenamesThePalette() throws {
    let link = try LinkFixture(Self.gpl, as: "gpl", named: "Brand")
    try link.settle()
    link.replace("Name: Brand", "Name: House")
    try link.settle()
    #expect(try link.linked?.name == "House")
  }

  @Test func theSameColorInAnotherNotationIsNoSecondOne() throws {
    let css = ":root {\n  --red: hsl(0 100% 50%);\n}\n"
    let link = try LinkFixture(css, as: "css", named: "Brand")
    try link.settle()
    try link.add("pink", "#f50009")
    try link.settle()
    // The file of another machine, whose node wrote the color as the lines beside it are written.
    link.text = ":root {\n  --red: hsl(0 100% 50%);\n  --pink: hsl(357.8 100% 48%);\n}\n"
    try link.settle()
    #expect(try link.colors == ["red #ff0000", "pink #f50009"])
  }

  @Test func aLineWithoutANameMayBeAColorThatCameMeanwhile() throws {
    let link = try LinkFixture(Self.gpl, as: "gpl", named: "Brand")
    try link.settle()
    try link.add("#eeeeee", "#eeeeee")
    try link.settle()
    // The file of another machine, whose program keeps no names of colors that are called by a value.
    link.text = Self.gpl + "238 238 238\n"
    try link.settle()
    #expect(
      try link.colors == ["Red #ff0000", "Green #00ff00", "Blue #0000ff", "#eeeeee #eeeeee"]
    )
  }

  /// A program has the file open for hours, while others add colors one by one.
  @Test func anOldVersionOfAFileRemovesNothingThatCameSince() throws {
    let link = try LinkFixture(Self.gpl, as: "gpl", named: "Brand")
    try link.settle()
    for number in 1...3 {
      try link.add("before \(number)", "#00000\(number)")
      try link.settle()
    }
    let read = link.text
    for number in 0..<20 {
      try link.add("since \(number)", "rgb(1 1 \(number))")
      try link.settle()
      try link.restart()
    }
    let before = try link.list
    link.text = read.replacing("255   0   0\tRed", with: "250   0   0\tRed")
    #expect(link.text != read)
    try link.settle()
    #expect(try link.ids == before.map(\.id))
    #expect(try link.list.first?.color.hex == "#fa0000")
    #expect(link.text.contains("since 19"))
  }

  @Test func goingBackToWhatWasWrittenOnceRemovesNothingThatCameSince() throws {
    let link = try LinkFixture("", as: "hex", named: "Brand")
    try link.add("Red", "#ff0000")
    try link.settle()
    let written = link.text
    link.text = written + "00ff00\n"
    try link.settle()
    try link.add("Blue", "#0000ff")
    try link.settle()
    // The program takes back what it added, and has not read the file since.
    link.text = written
    try link.settle()
    #expect(try link.colors == ["Red #ff0000", "Blue #0000ff"])
  }

  @Test func aProgramThatDropsNamesChangesNoColors() throws {
    let text = "GIMP Palette\nName: Brand\n#\n255 0 0\n0 255 0\n"
    let link = try LinkFixture(text, as: "gpl", named: "Brand")
    try link.settle()
    let (ids, exact) = (try link.ids, try Color(css: "oklch(60% 0.1 20)"))
    try link.store.act(
      [
        .set(ids[0], [.name: RegisterValue(text: "Warm"), .color: RegisterValue(color: exact)]),
        .set(ids[1], [.name: RegisterValue(text: "Grass")]),
      ],
      in: link.palette
    )
    try link.settle()
    try link.restart()
    link.text = link.text.replacing("\tWarm", with: "").replacing("\tGrass", with: "")
    try link.settle()
    #expect(try link.list.map(\.name) == ["Warm", "Grass"])
    #expect(try link.list.first?.color == exact)
  }

  @Test func aProgramThatRoundsAndMovesColorsOfOneNameChangesNoColors() throws {
    let link = try LinkFixture(":root {\n}\n", as: "css", named: "Brand")
    for (name, red) in [("n0", 0.25), ("n1", 0.5), ("n0", 0.75)] {
      try link.add(name, "color(srgb \(red) 0.25 0.5)")
    }
    try link.settle()
    let list = try link.list
    link.text = """
      :root {
        --n0: #bf4080;
        --n0-2: #404080; /* n0 */
        --n1: #804080;
      }

      """
    try link.settle()
    #expect(try link.ids == [2, 0, 1].map { list[$0].id })
    #expect(try link.list.map(\.color) == [2, 0, 1].map { list[$0].color })
  }

  @Test func aProgramThatRoundsChangesNoColors() throws {
    let link = try LinkFixture(":root {\n  --red: #ff0000;\n}\n", as: "css", named: "Brand")
    try link.settle()
    let exact = try Color(css: "oklch(60% 0.1 20)")
    try link.store.act(
      [.set(try link.ids[0], [.color: RegisterValue(color: exact)])],
      in: link.palette
    )
    try link.settle()
    // It also adds a color.
    link.text = ":root {\n  --red: \(exact.hex);\n  --blue: #0000ff;\n}\n"
    try link.settle()
    #expect(try link.list.map(\.color) == [exact, Color(.srgb, 0, 0, 1)])
    // Its digits show the color as it is seen, so they stay; what somebody changes is taken.
    #expect(link.text.contains(exact.hex))
    link.text = ":root {\n  --red: #010203;\n  --blue: #0000ff;\n}\n"
    try link.settle()
    #expect(try link.list.first?.color.hex == "#010203")
  }

  @Test func theSameEntryFoundTwiceIsOneColor() throws {
    let folders = [try TemporaryLibrary(inMemory: ()), try TemporaryLibrary(inMemory: ())]
    let stores = try folders.map { try ChangeStore(writing: $0.folder) }
    let palette = PaletteID(RecordID())
    let name = RegisterValue(text: "Brand")
    try stores[0].write { transaction throws(StoreError) in
      _ = try transaction.palette(beginning: palette).act([.add(palette.record, [.name: name])])
    }
    func sync() throws {
      for (from, to) in [(stores[0], stores[1]), (stores[1], stores[0])] {
        let changes = try #require(
          try from.changes(of: palette, after: try to.frontier(of: palette))
        )
        try to.merge(changes, into: palette)
      }
    }
    try sync()
    // A version control system brings the same file before hued has synced.
    let format = try FormatRegistry.standard.format(named: "gpl")
    for store in stores {
      try LinkFixture(store: store, palette: palette, file: Array(Self.gpl.utf8), as: format)
        .settle()
    }
    try sync()
    #expect(try stores.map { try $0.colors(of: palette).count } == [3, 3])
  }

  @Test func anEntryWithItsOwnIDIsNoOtherLine() throws {
    let link = try LinkFixture("", as: "json", named: "Brand")
    try link.add("Red", "#ff0000")
    try link.add("Blue", "#0000ff")
    try link.settle()
    let ink = NamedColor(name: "Ink", color: try Color(css: "#010101"))
    link.file = try link.format.write(try link.sheet(of: [link.list[0], ink]))
    try link.settle()
    #expect(try link.colors == ["Red #ff0000", "Ink #010101"])
    #expect(try link.ids[1] == ink.id)
  }

  @Test func aLineThatIsNoColorAnyMoreIsNotAnother() throws {
    let link = try LinkFixture(":root {\n  --red: #ff0000;\n}\n", as: "css", named: "Brand")
    try link.settle()
    let red = try link.list
    // Nobody has seen the first of these lines, and the other one is cut off.
    link.text = ":root {\n  --blue: #0000ff;\n  --red: color(srgb 1 0"
    try link.settle()
    #expect(try link.list == red)
    #expect(link.pause != nil)
  }
}
