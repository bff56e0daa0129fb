import Foundation
import Testing

/// The folders of a target use each other in one direction, and few files are in a circle.
struct ArrowsTests {
  private static var targets: [String] {
    get throws {
      try FileManager.default.contentsOfDirectory(
        atPath: SwiftFile.root.appending(path: "Sources").path
      )
      .filter { !$0.hasPrefix(".") }.sorted()
    }
  }

  @Test(arguments: try targets)
  func foldersOfATargetHaveNoCycle(_ target: String) throws {
    let cycles = try Arrows(SwiftFile.sources(of: target)).cycles
    #expect(cycles.isEmpty, "\(target):\n  \(cycles.joined(separator: "\n  "))")
  }

  /// A part of a target that is in no circle can be read, tested and replaced by itself.
  @Test(arguments: try targets)
  func noCircleOfFilesIsLarge(_ target: String) throws {
    let arrows = try Arrows(SwiftFile.sources(of: target), between: .files)
    let circle = arrows.largestCircle
    #expect(circle.files <= 8, "\(target): \(circle.places.joined(separator: ", "))")
  }

  @Test func aTypeCountsWithItsExtensions() {
    let files = [
      ("A/One.swift", "struct One { let two: Two }"), ("A/Two.swift", "struct Two {}"),
      ("B/Two+More.swift", "extension Two { func one() -> One? { nil } }"),
      ("B/Three.swift", "struct Three { let one: One }"),
    ]
    let circle = Arrows(files.map { ($0.0, SourceText($0.1)) }, between: .files).largestCircle
    #expect(circle.places == ["One", "Two"] && circle.files == 3)
  }

  @Test func readsEveryTarget() throws {
    #expect(try Self.targets.count > 12)
    let store = try Arrows(SwiftFile.sources(of: "PaletteStore"))
    #expect(store.uses["Merging"]?["Tables"] != nil)
  }

  @Test func findsACycle() {
    let files = [
      ("A/One.swift", "struct One { let two: Two }"), ("B/Two.swift", "enum Two { case a(Three) }"),
      ("C/Three.swift", "struct Three { func f() -> String { \"\\(One.self)\" } }"),
      ("D/Four.swift", "struct Four { let one: One }"),
    ]
    let arrows = Arrows(files.map { ($0.0, SourceText($0.1)) })
    #expect(arrows.cycles.map { $0.prefix(6) } == ["A -> B", "B -> C", "C -> A"])
  }

  @Test(arguments: [
    "// Two\nstruct One {}", "/* Two */ struct One {}",
    "struct One { let a = \"Two \\(1 + (2)) Two\" }",
    "struct One { let a = #\"Two \\(Two) \"Two\" \"# }",
    "struct One { let a = \"\"\"\n Two \" \n\"\"\" }",
  ])
  func whatIsNoCodeIsNoArrow(_ source: String) {
    let text = SourceText(source)
    #expect(text.declarations == ["One"])
    #expect(!text.words.contains("Two"))
  }
}
