import Foundation
import Testing

@testable import PaletteNode

/// What travels of a script: its code, each line where it was.
struct LeanSourceTests {
  private func lean(_ source: String) -> String {
    String(decoding: LeanSource(Array(source.utf8)).bytes, as: UTF8.self)
  }

  @Test(arguments: [
    ("", ""), ("\n", "\n"), ("a\n\n  b\n", "a\n\nb\n"), ("\ta", "a"),
    ("// why\nlet a;\n", "\nlet a;\n"), ("let a; // behind\n", "let a; // behind\n"),
    ("/** One. */\nlet a;\n", "\nlet a;\n"),
    ("  /** Many\n   * lines. */\n  let a;\n", "\n\nlet a;\n"),
    ("/* a\nb\n*/\nc {\n  d: e;\n}\n", "\n\n\nc {\nd: e;\n}\n"),
    ("  /** @type {X} */ (y).z();\n", "/** @type {X} */ (y).z();\n"),
    ("let url = \"https://x\";\n", "let url = \"https://x\";\n"),
  ])
  func keepsTheCodeAndItsLines(_ source: String, _ expected: String) {
    #expect(lean(source) == expected)
  }

  /// The page is to be there at once, also over a slow network: before it is squeezed too.
  @Test func allThatTravelsIsLight() throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Sources/CWebPage/files")
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(files.count > 20)
    let sizes = try files.map { name in
      let bytes = Array(try Data(contentsOf: folder.appending(path: name)))
      return name.hasSuffix(".html") ? bytes.count : LeanSource(bytes).bytes.count
    }
    #expect(sizes.reduce(0, +) < 150_000)
  }
}
