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
    ("/* a */ b; /* c */\n", "/* a */ b; /* c */\n"), ("/** a\n b */ (c)\n", "\n (c)\n"),
    ("/*/\n * a */\nb\n", "\n\nb\n"),
  ])
  func keepsTheCodeAndItsLines(_ source: String, _ expected: String) {
    #expect(lean(source) == expected)
  }

  /// The page is to be there at once, also over a slow network: before it is squeezed too.
  ///
  /// Panels that open later come later.
  @Test func allThatTravelsAtOnceIsLight() throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Sources/CWebPage/files")
    func text(_ name: String) throws -> String {
      try String(contentsOf: folder.appending(path: name), encoding: .utf8)
    }
    var found: Set<String> = []
    var waiting = ["page.html"]
    while let name = waiting.popLast() {
      guard found.insert(name).inserted else { continue }
      let text = try text(name)
      let links = name.hasSuffix(".html") ? /(?:src|href)="\/(\w+\.(?:js|css))"/ : Self.imports
      waiting += text.matches(of: links).map { String($0.1) }
    }
    #expect(found.count > 40)
    let sizes = try found.map { name in
      let bytes = Array(try text(name).utf8)
      return name.hasSuffix(".html") ? bytes.count : LeanSource(bytes).bytes.count
    }
    #expect(sizes.reduce(0, +) < 200 << 10)
  }

  /// An import or export at the top of a module; types in comments and `import()` wait.
  private static var imports: Regex<(Substring, Substring)> {
    /(?m)^(?:import|export)\b[^;]*?"\.\/([\w.-]+)"/
  }
}
