import Foundation
import Testing

/// The folders of a target use each other in one direction.
struct ArrowsTests {
  private static let sources = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources")

  private static var targets: [String] {
    get throws {
      try FileManager.default.contentsOfDirectory(atPath: sources.path)
        .filter { !$0.hasPrefix(".") }.sorted()
    }
  }

  @Test(arguments: try targets)
  func foldersOfATargetHaveNoCycle(_ target: String) throws {
    let cycles = try Arrows(target: Self.sources.appending(path: target)).cycles
    #expect(cycles.isEmpty, "\(target):\n  \(cycles.joined(separator: "\n  "))")
  }

  @Test func readsEveryTarget() throws {
    #expect(try Self.targets.count > 12)
    let store = try Arrows(target: Self.sources.appending(path: "PaletteStore"))
    #expect(store.uses["Log"]?["SQLite"] != nil)
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
