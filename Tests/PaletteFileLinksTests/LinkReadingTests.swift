import PaletteFileLinks
import PaletteFormats
import PaletteMerge
import PaletteModel
import PaletteStore
import PaletteTestSupport
import Testing

/// Which version of a file its program had, told by what becomes of what it saves.
struct LinkReadingTests {
  @Test func whoHasNotReadWhatWasWrittenDoesNotTakeItBack() throws {
    let link = try LinkFixture(LinkCoreTests.gpl, as: "gpl", named: "Brand")
    try link.settle()
    try link.set(0, to: "#770000")
    try link.settle()
    // GIMP holds the palette that it read first, and saves that with one more change.
    link.text = LinkCoreTests.gpl.replacing("Blue", with: "Sky")
    try link.settle()
    #expect(try link.colors == ["Red #770000", "Green #00ff00", "Sky #0000ff"])
    #expect(link.text.contains("119   0   0"))
  }

  @Test func whoHadTheFileBeforeItWasLinkedDoesNotEither() throws {
    let link = try LinkFixture(LinkCoreTests.gpl, as: "gpl", named: "Brand")
    for (name, css) in [("Red", "#f00"), ("Green", "#0f0"), ("Blue", "#00f"), ("Extra", "#eee")] {
      try link.add(name, css)
    }
    try link.settle()
    #expect(link.text.contains("Extra"))
    #expect(link.edits == 0)
    link.text = LinkCoreTests.gpl.replacing("Blue", with: "Sky")
    try link.settle()
    #expect(
      try link.colors == ["Red #ff0000", "Green #00ff00", "Sky #0000ff", "Extra #eeeeee"]
    )
  }

  /// Of two versions from which a file differs as much, the older one knows less.
  @Test func aTieIsAConflictAndNoRemoval() throws {
    let link = try LinkFixture(LinkCoreTests.gpl, as: "gpl", named: "Brand")
    try link.settle()
    try link.set(0, to: "#770000")
    try link.settle()
    link.replace("119   0   0", "200   0   0")
    try link.settle()
    #expect(try link.colors[0] == "Red #c80000")
    #expect(try link.store.colors(of: link.palette)[0].conflicts == [.color])
    // The program has what it saved: the next change of it replaces both.
    link.replace("200   0   0", "201   0   0")
    try link.settle()
    #expect(try link.store.colors(of: link.palette)[0].conflicts == [])
    try link.add("Extra", "#eeeeee")
    try link.settle()
    link.replace("238 238 238\tExtra\n", "")
    link.replace("Blue", "Sky")
    try link.settle()
    #expect(try link.colors == ["Red #c90000", "Green #00ff00", "Sky #0000ff", "Extra #eeeeee"])
  }

  @Test func whatOneProgramHasIsKnownAfterManyWrites() throws {
    let link = try LinkFixture(LinkCoreTests.gpl, as: "gpl", named: "Brand")
    try link.settle()
    for number in 0..<8 {
      try link.add("Extra \(number)", "#eeeeee")
      try link.settle()
    }
    link.text = LinkCoreTests.gpl.replacing("Blue", with: "Sky")
    try link.settle()
    #expect(try link.list.count == 11)
    #expect(try link.colors[2] == "Sky #0000ff")
  }

  @Test func whatWasThereBeforeMayBePutBack() throws {
    let link = try LinkFixture(LinkCoreTests.gpl, as: "gpl", named: "Brand")
    try link.settle()
    try link.set(0, to: "#770000")
    try link.settle()
    link.text = LinkCoreTests.gpl
    try link.settle()
    #expect(try link.list[0].color.hex == "#ff0000")
  }

  @Test func aWriteThatWasCutOffIsNoEdit() throws {
    for happened in [false, true] {
      let link = try LinkFixture(LinkCoreTests.gpl, as: "gpl", named: "Brand")
      try link.settle()
      try link.set(0, to: "#770000")
      try link.cutOffWrite(isDone: happened)
      try link.restart()
      try link.settle()
      #expect(try link.list[0].color.hex == "#770000")
      #expect(link.text.contains("119   0   0"))
      #expect(link.edits == 1)
    }
  }

  @Test(arguments: ["ff0000", "00ff00"])
  func aFirstWriteThatWasCutOffIsNoEdit(_ red: String) throws {
    let link = try LinkFixture("", as: "hex", named: "Brand")
    try link.add("Red", "#ff0000")
    try link.add("Blue", "#0000ff")
    try link.cutOffWrite()
    try link.restart()
    // Nothing of the write is known; somebody removed a color that it shows, and may have edited the file.
    link.replace("ff0000", red)
    try link.store.act([.delete(try link.ids[1])], in: link.palette)
    try link.settle()
    #expect(try link.colors == ["Red #\(red)"])
    #expect(link.text.split(separator: "\n").count == 1)
  }

  @Test func whatWasEditedAfterAWriteThatWasCutOffIsAnEditOfThat() throws {
    let link = try LinkFixture(LinkCoreTests.gpl, as: "gpl", named: "Brand")
    try link.settle()
    try link.add("Extra", "#eeeeee")
    try link.cutOffWrite()
    // The new color is changed and moved before anything of the write is known.
    link.replace("238 238 238", "200   0   0")
    var lines = link.text.split(separator: "\n")
    let last = lines.removeLast()
    lines.insert(last, at: lines.firstIndex { $0.first?.isNumber == true || $0.first == " " } ?? 0)
    link.text = lines.joined(separator: "\n") + "\n"
    try link.restart()
    try link.settle()
    #expect(try link.colors.first == "Extra #c80000")
    #expect(try link.list.count { $0.name == "Extra" } == 1)
  }

  @Test func whoSavesTwiceKnowsWhatTheFirstSaveMade() throws {
    let link = try LinkFixture(LinkCoreTests.gpl, as: "gpl", named: "Brand")
    try link.settle()
    try link.add("Extra", "#eeeeee")
    try link.settle()
    // The program has not read what was written, and saves its own list twice.
    for red in ["200", "201"] {
      link.text = LinkCoreTests.gpl.replacing("255   0   0", with: "\(red)   0   0")
      try link.settle()
    }
    #expect(try link.store.colors(of: link.palette)[0].conflicts == [])
    #expect(try link.colors.first == "Red #c90000")
    #expect(try link.colors.last == "Extra #eeeeee")
  }

  @Test func whatWasWrittenUnreadStaysAlsoAfterARestart() throws {
    let link = try LinkFixture(LinkCoreTests.gpl, as: "gpl", named: "Brand")
    try link.settle()
    try link.set(0, to: "#770000")
    try link.add("Extra", "#eeeeee")
    try link.settle()
    try link.restart()
    link.text = LinkCoreTests.gpl.replacing("Blue", with: "Sky")
    try link.settle()
    #expect(
      try link.colors == ["Red #770000", "Green #00ff00", "Sky #0000ff", "Extra #eeeeee"]
    )
  }

  @Test func whatWasReadWhileNobodyListenedMayBeTakenAway() throws {
    let link = try LinkFixture(LinkCoreTests.gpl, as: "gpl", named: "Brand")
    try link.settle()
    try link.set(0, to: "#770000")
    try link.add("Extra", "#eeeeee")
    try link.settle()
    try link.restart()
    link.replace("  0 255   0\tGreen\n", "")
    try link.settle()
    #expect(try link.colors == ["Red #770000", "Blue #0000ff", "Extra #eeeeee"])
  }

  @Test func whatOthersRemovedComesBackAsItselfForWhoEditsIt() throws {
    let link = try LinkFixture(LinkCoreTests.gpl, as: "gpl", named: "Brand")
    try link.settle()
    let red = try link.ids[0]
    try link.store.act([.delete(red)], in: link.palette)
    try link.settle()
    try link.restart()
    // Whether the program read the file without it cannot be told, and either way one thing was done.
    link.text = LinkCoreTests.gpl.replacing("255   0   0", with: "200   0   0")
    try link.settle()
    #expect(try link.list.first { $0.name == "Red" }?.id == red)
    #expect(try link.colors.contains("Red #c80000"))
  }

  @Test func whatWasReadWhileNobodyListenedIsKnownAfterTheNextWrite() throws {
    let link = try LinkFixture(LinkCoreTests.gpl, as: "gpl", named: "Brand")
    try link.settle()
    try link.add("Extra", "#eeeeee")
    try link.settle()
    // While no node ran, the program read that, and somebody removed what it shows.
    let read = link.text
    try link.store.act([.delete(try link.ids[1])], in: link.palette)
    try link.restart()
    try link.settle()
    link.text = read.replacing("Extra", with: "Paper")
    try link.settle()
    #expect(try link.colors == ["Red #ff0000", "Blue #0000ff", "Paper #eeeeee"])
  }

  @Test func whatWasSavedAsItWasIsWhatItsProgramHas() throws {
    let link = try LinkFixture(":root {\n  --red: #ff0000;\n}\n", as: "css", named: "Brand")
    try link.settle()
    try link.set(0, to: "oklch(60% 0.1 20)")
    try link.settle()
    // Another program saves what it has just read, and writes colors in fewer digits.
    let saved = ":root {\n  --red: \(try link.list[0].color.hex);\n}\n"
    link.text = saved
    try link.restart()
    try link.settle()
    try link.add("blue", "#0000ff")
    try link.settle()
    #expect(link.text.contains("blue"))
    link.text = saved.replacing("}", with: "  --green: #00ff00;\n}")
    try link.settle()
    #expect(try Set(link.list.map(\.name)) == ["red", "blue", "green"])
  }

  @Test func whatWasSavedAsItWasIsAllThatItsProgramHas() throws {
    let link = try LinkFixture(":root {\n  --red: #ff0000;\n}\n", as: "css", named: "Brand")
    try link.settle()
    try link.set(0, to: "oklch(60% 0.1 20)")
    try link.settle()
    // While no node runs, a program reads that, and saves it in its own way.
    let saved = ":root {\n  --red: \(try link.list[0].color.hex);\n}\n"
    link.text = saved
    try link.restart()
    try link.settle()
    try link.add("blue", "#0000ff")
    try link.settle()
    link.text = ":root {\n  --red: #00ff00;\n}\n"
    try link.settle()
    #expect(try link.colors == ["red #00ff00", "blue #0000ff"])
    // It replaces what it has read, and was not compared with what was there before.
    #expect(try link.store.colors(of: link.palette)[0].conflicts == [])
  }

  @Test func whoSawLessReplacesLess() throws {
    let link = try LinkFixture(LinkCoreTests.gpl, as: "gpl", named: "Brand")
    try link.settle()
    try link.set(0, to: "#770000")
    try link.settle()
    try link.restart()
    // Whether the program read that before its user changed the color cannot be told.
    link.replace("119   0   0", "200   0   0")
    try link.settle()
    #expect(try link.colors[0] == "Red #c80000")
    #expect(try link.store.colors(of: link.palette)[0].conflicts == [.color])
  }

  @Test func whoSaysWhatWasWrittenHasReadIt() throws {
    let link = try LinkFixture(LinkCoreTests.gpl, as: "gpl", named: "Brand")
    try link.settle()
    try link.set(0, to: "#770000")
    try link.add("Extra", "#eeeeee")
    try link.settle()
    try link.restart()
    // The new color of the first line shows that the program saw the last one, too.
    link.replace("  0 255   0\tGreen\n", "")
    link.replace("238 238 238\tExtra\n", "")
    try link.settle()
    #expect(try link.colors == ["Red #770000", "Blue #0000ff"])
  }

  @Test func whoHasTheOrderThatWasWrittenHasReadIt() throws {
    let link = try LinkFixture(LinkCoreTests.gpl, as: "gpl", named: "Brand")
    try link.settle()
    try link.move(2, to: 0)
    try link.add("Extra", "#eeeeee")
    try link.settle()
    try link.restart()
    link.replace("238 238 238\tExtra\n", "")
    link.replace("  0 255   0\tGreen\n", "")
    try link.settle()
    #expect(try link.colors == ["Blue #0000ff", "Red #ff0000"])
  }

  @Test func aMoveReplacesNoPlaceThatItsProgramDidNotKnow() throws {
    let link = try LinkFixture(LinkCoreTests.gpl, as: "gpl", named: "Brand")
    try link.settle()
    let blue = try link.ids[2]
    try link.move(2, to: 1)
    link.text = """
      GIMP Palette
      Name: Brand
      #
        0   0 255\tBlue
      255   0   0\tRed
        0 255   0\tGreen

      """
    try link.settle()
    #expect(try link.ids[0] == blue)
    try link.store.write { transaction throws(StoreError) in
      let state = try transaction.palette(link.palette)?.state(of: blue)
      #expect(state?.values(of: .place).count == 2)
    }
  }

  @Test func whoMovesALineMayRemoveIt() throws {
    let link = try LinkFixture(LinkCoreTests.gpl, as: "gpl", named: "Brand")
    try link.settle()
    try link.add("Extra", "#eeeeee")
    try link.settle()
    // The program has not read what was written.
    for lines in ["  0   0 255\tBlue\n255   0   0\tRed\n", "255   0   0\tRed\n"] {
      link.text = "GIMP Palette\nName: Brand\n#\n" + lines
      try link.settle()
    }
    #expect(try link.colors == ["Red #ff0000", "Extra #eeeeee"])
  }

  @Test func whoHasNotReadAWriteThatWasCutOffDoesNotTakeItBack() throws {
    let link = try LinkFixture(LinkCoreTests.gpl, as: "gpl", named: "Brand")
    try link.settle()
    try link.add("Extra", "#eeeeee")
    try link.cutOffWrite()
    try link.restart()
    try link.settle()
    link.text = LinkCoreTests.gpl.replacing("Blue", with: "Sky")
    try link.settle()
    #expect(
      try link.colors == ["Red #ff0000", "Green #00ff00", "Sky #0000ff", "Extra #eeeeee"]
    )
  }

  @Test func whatAFileSaysOfAColorThatCameFromElsewhereIsKept() throws {
    for isChangedMeanwhile in [false, true] {
      let (link, extra) = try Self.linkWithStranger()
      if isChangedMeanwhile { try link.set(1, to: "#0000ff") }
      link.file = try link.format.write(try link.sheet(of: [link.list[0], extra("#00ff00")]))
      try link.settle()
      #expect(try link.colors == ["Red #ff0000", "Extra #00ff00"])
      // Whoever has its id knows how the color was made, and nothing that was done to it since.
      let conflicts = try link.store.colors(of: link.palette)[1].conflicts
      #expect(conflicts == (isChangedMeanwhile ? [.color] : []))
    }
  }

  @Test func whatAFileSaysOfAColorThatCameFromElsewhereMayBeOld() throws {
    let (link, extra) = try Self.linkWithStranger()
    try link.set(1, to: "#0000ff")
    link.file = try link.format.write(try link.sheet(of: [link.list[0], extra("#eeeeee")]))
    try link.settle()
    #expect(try link.colors == ["Red #ff0000", "Extra #0000ff"])
    #expect(try link.store.colors(of: link.palette)[1].conflicts == [])
  }

  @Test func whatAFileSaysAgainAndAgainIsKnownOnce() throws {
    let (link, extra) = try Self.linkWithStranger()
    for _ in 0..<10 {
      for css in ["#eeeeee", "#0000ff"] { try link.set(1, to: css) }
    }
    link.file = try link.format.write(try link.sheet(of: [link.list[0], extra("#eeeeee")]))
    let linked = try #require(try link.linked)
    guard case .edit(let edit) = link.core.next(link.side, linked) else {
      Issue.record("the file is an edit")
      return
    }
    let done = try link.store.carryOut(edit, in: linked, takesTitle: true, saving: nil)
    #expect(done.new.lines[1].seen?.dots.count == 1)
  }

  /// A link that has not written yet what the palette got, and that color as a file may have it.
  private static func linkWithStranger() throws -> (LinkFixture, (String) throws -> NamedColor) {
    let link = try LinkFixture("", as: "json", named: "Brand")
    try link.add("Red", "#ff0000")
    try link.settle()
    try link.add("Extra", "#eeeeee")
    let added = try link.list[1]
    return (
      link,
      { css in
        var color = added
        color.color = try Color(css: css)
        return color
      }
    )
  }
}
