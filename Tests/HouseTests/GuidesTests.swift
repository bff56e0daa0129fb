import Foundation
import Testing

/// The guides and the README name what is there.
struct GuidesTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  @Test func everySourceFileThatAGuideNamesExists() throws {
    let guides = try Self.paths(under: "Sources").filter { $0.hasSuffix(".md") } + ["README.md"]
    let sources = try ["Sources", "Tests", "Scripts"].flatMap(Self.paths(under:))
    var count = 0
    for guide in guides {
      let text = try String(contentsOf: Self.root.appending(path: guide), encoding: .utf8)
      for name in Self.namedFiles(in: text) {
        count += 1
        #expect(sources.contains { "/\($0)".hasSuffix("/\(name)") }, "\(name), in \(guide)")
      }
    }
    #expect(count > 15)
  }

  @Test func aNameIsFoundInTextCodeAndLinks() {
    let text = "`Sources/A/Sum+B.swift` has it, and so have test_c.py and [D](E/F.md); not .swift."
    #expect(Self.namedFiles(in: text) == ["Sources/A/Sum+B.swift", "test_c.py", "E/F.md"])
  }

  /// The paths of source files and guides in a text, as they are written.
  private static func namedFiles(in text: String) -> [String] {
    text.matches(of: /[A-Za-z0-9_][A-Za-z0-9_+\-\/.]*\.(?:swift|py|md)\b/).map { String($0.output) }
  }

  /// The paths of all files in a folder of the project, from its root.
  private static func paths(under folder: String) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: root.appending(path: folder).path)
      .map { "\(folder)/\($0)" }
  }
}
