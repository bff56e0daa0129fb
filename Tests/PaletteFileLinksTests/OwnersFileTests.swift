import Foundation
import PaletteFormats
import PaletteMerge
import PaletteModel
import PaletteStore
import PaletteTestSupport
import Testing

@testable import PaletteFileLinks

/// The property of every file that can be linked, whatever is edited in its palette.
struct OwnersFileTests {
  @Test(arguments: OwnersFile.texts)
  func aTextStaysItsOwners(_ file: OwnersFile) throws {
    for seed in TestSeeds.some(of: 20) { try run(file, seed: seed) }
  }

  @Test(arguments: try OwnersFile.binaries)
  func aFileThatIsNoTextStaysItsOwners(_ file: OwnersFile) throws {
    for seed in TestSeeds.some(of: 20) { try run(file, seed: seed) }
  }

  /// A table without a column for it says nothing of an opacity, whoever edits a row.
  @Test func anOpacityWithoutAColumnStaysInThePalette() throws {
    let link = try LinkFixture("Name;R;G;B\nred;255;0;0\n", as: "csv", named: "Brand")
    try link.settle()
    try link.set(0, to: "#ff000080")
    try link.settle()
    #expect(try notes(link) == ["the opacity of 1 color has no place in the file"])
    link.file = Array("Name;R;G;B\nred;0;255;0\n".utf8)
    try link.settle()
    #expect(try link.list.map(\.color.hex) == ["#00ff0080"])
  }

  @Test(arguments: ChanceFile.formats)
  func aFileMadeByChanceStaysItsOwners(_ kind: String) throws {
    for seed in TestSeeds.some(of: 20) {
      try run(try ChanceFile.file(kind, seed: seed), seed: seed)
    }
  }

  /// Any series of edits leaves what is its owner's, says what the palette does as far as the notes admit, and
  /// undone leaves the bytes as they were.
  private func run(_ file: OwnersFile, seed: UInt64) throws {
    let link = try LinkFixture("", as: file.format, named: "Brand")
    link.file = file.bytes
    try link.settle()
    #expect(
      link.writes == 0 && link.pause == nil,
      "\(file) \(seed): \(link.pause ?? "") \(link.text)"
    )
    guard link.pause == nil else { return }
    #expect(try notes(link) == [])
    var random = SeededRandom(seed: seed)
    var count = 0
    for step in 0..<6 {
      let (before, text, wasPaused) = (try link.linked?.digest, link.text, link.pause != nil)
      let ids = try link.ids
      let place = Int.random(in: ids.indices, using: &random)
      var isColor = false
      switch Int.random(in: 0..<7, using: &random) {
      case 0 where ids.count > 1: try link.store.act([.delete(ids[place])], in: link.palette)
      case 1: try link.add(["New \(step)", "b/new \(step)"][step % 2], "#0\(step)0a0b")
      case 2: try link.move(place, to: Int.random(in: ids.indices, using: &random))
      case 3:
        let names = try link.list.map(\.name)
        let group = names[Int.random(in: names.indices, using: &random)].split(separator: "/")
          .dropLast()
        let path = Bool.random(using: &random) ? group + ["n \(step)"] : ["Name \(step)"]
        let name = RegisterValue(text: path.joined(separator: "/"))
        try link.store.act([.set(ids[place], [.name: name])], in: link.palette)
      case 4: try link.set(place, to: "color(display-p3 0.\(step) 0.9 0.1)")
      default:
        isColor = true
        try link.set(place, to: "#1\(step)2233")
      }
      if try link.linked?.digest != before { count += 1 }
      try link.settle()
      let what: Comment = "\(file) seed \(seed) step \(step): \(link.text)"
      if link.pause == nil {
        try check(link, what)
        if isColor, !wasPaused, !file.own.isEmpty {
          let (old, new) = (lines(text), lines(link.text))
          #expect(old.count == new.count, what)
          // One line, and those that follow it.
          let changed = zip(old, new).count { $0 != $1 }
          #expect(changed <= 1 + file.references, "\(what)\nwas\n\(text)")
        }
      } else {
        #expect(link.text == text, "what pauses is left alone: \(what)")
      }
      for own in file.own { #expect(link.text.contains(own), what) }
      if Bool.random(using: &random) { try link.restart() }
    }
    for _ in 0..<count {
      try link.store.write { transaction throws(StoreError) in
        _ = try transaction.undo(in: link.palette)
      }
      try link.settle()
    }
    let (old, new) = (String(decoding: file.bytes, as: UTF8.self), link.text)
    #expect(
      link.pause == nil && link.file == file.bytes,
      "\(file) seed \(seed): \(link.pause ?? "")\n\(old)\nbecame\n\(new)"
    )
  }

  private func lines(_ text: String) -> [Substring] {
    text.split(omittingEmptySubsequences: false) { $0.isNewline }
  }

  private func notes(_ link: LinkFixture) throws -> [String] {
    let linked = try #require(try link.linked)
    return link.core.version(after: .rest)?.notes(on: linked) ?? []
  }

  /// A live link has in its file what the palette has, or tells what it has not.
  private func check(_ link: LinkFixture, _ what: Comment) throws {
    let found = try link.format.read(link.file ?? []).entries
    let (colors, notes) = (try link.list, try notes(link))
    let hides = ["not in", "no place", "order", "another name"]
    guard !notes.contains(where: { note in hides.contains(where: note.contains) }) else {
      if !notes.contains(where: { $0.contains("not in") }) {
        #expect(found.count == colors.count, what)
      }
      return
    }
    #expect(found.count == colors.count, what)
    for (entry, color) in zip(found, colors) {
      let isNamed =
        entry.name.map { $0 == color.name || entry.stands(for: color.name) }
        ?? (color.name == color.color.hex)
      #expect(isNamed, what)
      #expect(entry.color.hex == color.color.hex, what)
    }
  }
}
