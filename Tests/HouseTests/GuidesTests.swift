import Foundation
import Testing

/// The guides and the README name what is there.
struct GuidesTests {
  @Test func everySourceFileThatAGuideNamesExists() throws {
    let guides = try Self.paths(under: "Sources").filter { $0.hasSuffix(".md") } + ["README.md"]
    let sources = try ["Sources", "Tests", "Scripts"].flatMap(Self.paths(under:))
    var count = 0
    for guide in guides {
      let text = try String(contentsOf: SwiftFile.root.appending(path: guide), encoding: .utf8)
      for name in Self.namedFiles(in: text) {
        count += 1
        #expect(sources.contains { "/\($0)".hasSuffix("/\(name)") }, "\(name), in \(guide)")
      }
    }
    #expect(count > 15)
  }

  @Test func everyLinkOfAGuideLeadsToAFileFromTheGuidesOwnFolder() throws {
    var count = 0
    for guide in try Self.paths(under: "Sources").filter({ $0.hasSuffix(".md") }) + ["README.md"] {
      let file = SwiftFile.root.appending(path: guide)
      for link in Self.links(in: try String(contentsOf: file, encoding: .utf8)) {
        count += 1
        let target = file.deletingLastPathComponent().appending(path: link)
        #expect(FileManager.default.fileExists(atPath: target.path), "\(link), in \(guide)")
      }
    }
    #expect(count > 10)
  }

  @Test func everyTypeThatTheGuidesOfTheCodeNameExists() throws {
    let manager = FileManager.default
    var known = Set(try manager.contentsOfDirectory(atPath: Self.sources.path))
    for target in ["PaletteNode", "PaletteStore"] {
      let path = Self.sources.appending(path: target).path
      known.formUnion(try manager.contentsOfDirectory(atPath: path))
    }
    for file in try SwiftFile.sources { known.formUnion(file.text.declarations) }
    let manifest = try String(
      contentsOf: SwiftFile.root.appending(path: "Package.swift"),
      encoding: .utf8
    )
    let products = manifest.matches(of: /\.library\(\s*name: "([A-Za-z]+)"/)
    known.formUnion(products.map { String($0.output.1) })
    for guide in ["ADayInTheLifeOfAnEdit.md", "Architecture.md"] {
      let path = Self.node.appending(path: "PaletteNode.docc/\(guide)")
      let names = Self.namedTypes(in: try String(contentsOf: path, encoding: .utf8))
      #expect(names.count > 5)
      for name in names { #expect(known.contains(name), "\(name), in \(guide)") }
    }
  }

  @Test(arguments: ["theme/Theme.swift", "kanban/Kanban.swift"])
  func theGuideForAppsShowsSamplesAsTheyAre(_ sample: String) throws {
    let file = SwiftFile.root.appending(path: "Tests/Consumer/Sources/\(sample)")
    let source = try String(contentsOf: file, encoding: .utf8)
    let guide = Self.node.appending(path: "PaletteNode.docc/InYourOwnApp.md")
    let isShown = try String(contentsOf: guide, encoding: .utf8)
      .contains("```swift\n\(source)```\n")
    #expect(isShown, "the guide shows another \(sample)")
    #expect(source.split(separator: "\n", omittingEmptySubsequences: false).count <= 80)
  }

  @Test func aTypeIsAWordOfCodeInCapitals() {
    let text = "`Room`, `PaletteMerge/Trust.swift`, Swift, `status`, `Add.answer` and `CWebPage.c`"
    #expect(Self.namedTypes(in: text) == ["Room", "Add"])
  }

  @Test func aNameIsFoundInTextCodeAndLinks() {
    let text = "`Sources/A/Sum+B.swift` has it, and so have test_c.py and [D](E/F.md); not .swift."
    #expect(Self.namedFiles(in: text) == ["Sources/A/Sum+B.swift", "test_c.py", "E/F.md"])
  }

  /// The table of `Trust.md` has who, what, the place that decides and the test that holds it.
  @Test func everyPlaceAndTestInTheTableOfTrustIsThere() throws {
    let guide = "Sources/PaletteNode/PaletteNode.docc/Trust.md"
    let text = try String(contentsOf: SwiftFile.root.appending(path: guide), encoding: .utf8)
    let tests = try Self.declarations("Tests")
    let blocks = try Self.blocks("Sources")
    var count = 0
    for row in text.split(separator: "\n") where row.hasPrefix("| ") && row.contains("`") {
      let columns = row.split(separator: "|").map(String.init)
      try #require(columns.count == 4, "\(row)")
      let (places, names) = (Self.code(columns[2]), Self.code(columns[3]))
      #expect(!places.isEmpty && !names.isEmpty, "\(row)")
      for place in places {
        let names = place.prefix(while: { $0 != "(" }).split(separator: ".").map(String.init)
        // All names would be printed where one is missing.
        let isThere = blocks.contains { block in
          block.types.contains(names[0])
            && names.dropFirst().allSatisfy { name in
              block.members.contains("\(name)(")
                || !place.contains("(") && block.members.contains(name)
            }
        }
        #expect(isThere, "\(place) is nowhere in Sources")
      }
      for name in names {
        let isThere = tests.contains(name)
        #expect(isThere, "\(name) is no test")
      }
      count += 1
    }
    #expect(count > 30)
  }

  /// The texts in code voice.
  private static func code(_ text: String) -> [String] {
    text.matches(of: /`([^`]+)`/).map { String($0.output.1) }
  }

  /// The types that each outermost declaration of a folder's files declares or extends, and the names of its
  /// members; a function's ends in a parenthesis.
  private static func blocks(
    _ folder: String
  ) throws -> [(types: Set<String>, members: Set<String>)] {
    let type = /\b(?:class|struct|enum|actor|protocol|extension) ([A-Za-z_][A-Za-z_0-9.]*)/
    let function = /\bfunc ([A-Za-z_][A-Za-z_0-9]*)/
    // The variables of functions are further inside.
    let property = /^ {0,2}(?:[A-Za-z()@]+ )*(?:var|let) ([A-Za-z_][A-Za-z_0-9]*)/
      .anchorsMatchLineEndings()
    var blocks: [(types: Set<String>, members: Set<String>)] = []
    for path in try paths(under: folder) where path.hasSuffix(".swift") {
      let text = try String(contentsOf: SwiftFile.root.appending(path: path), encoding: .utf8)
      // The formatter leaves the brace that ends such a declaration alone at the start of a line.
      for block in text.split(separator: "\n}\n") {
        let types = block.matches(of: type).flatMap { $0.output.1.split(separator: ".") }
        let members =
          block.matches(of: property).map { String($0.output.1) }
          + block.matches(of: function).map { "\($0.output.1)(" }
        blocks.append((Set(types.map(String.init)), Set(members)))
      }
    }
    return blocks
  }

  /// The names of types, functions and properties, and of Python's, that the files of a folder declare.
  private static func declarations(_ folder: String) throws -> Set<String> {
    var names: Set<String> = []
    let declaration = /\b(?:class|struct|enum|func|var|let|def) ([A-Za-z_][A-Za-z_0-9]*)/
    for path in try paths(under: folder) where path.hasSuffix(".swift") || path.hasSuffix(".py") {
      let text = try String(contentsOf: SwiftFile.root.appending(path: path), encoding: .utf8)
      names.formUnion(text.matches(of: declaration).map { String($0.output.1) })
    }
    return names
  }

  /// The paths of source files and guides in a text, as they are written.
  private static func namedFiles(in text: String) -> [String] {
    text.matches(of: /[A-Za-z0-9_][A-Za-z0-9_+\-\/.]*\.(?:swift|py|md)\b/).map { String($0.output) }
  }

  /// The targets of the links and images in a text that are files.
  private static func links(in text: String) -> [String] {
    text.matches(of: /\[[^\]]*\]\(([^)#]+)[^)]*\)/).map { String($0.1) }
      .filter { !$0.contains("://") }
  }

  private static let sources = SwiftFile.root.appending(path: "Sources")
  private static let node = sources.appending(path: "PaletteNode")

  /// The types that a text names as code, alone or before a dot.
  private static func namedTypes(in text: String) -> [String] {
    text.matches(of: /`([A-Z][A-Za-z]+)(?:\.[a-z][A-Za-z]{2,})?`/).map { String($0.1) }
  }

  /// The paths of all files in a folder of the project, from its root.
  private static func paths(under folder: String) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: SwiftFile.root.appending(path: folder).path)
      .map { "\(folder)/\($0)" }
  }
}
