import Testing

/// A reader knows a type by its name alone, in whatever module.
struct NamesTests {
  @Test func noTwoModulesShareTheNameOfAType() throws {
    let owners = Self.owners(try SwiftFile.sources.map { ($0.path, $0.text) })
    #expect(owners.count > 500)
    let shared = owners.filter { $0.value.count > 1 }
    #expect(shared.isEmpty, "\(shared)")
  }

  @Test func aNameInTwoModulesIsFound() {
    let owners = Self.owners([
      (
        "One/A.swift",
        SourceText("package struct Frame {\n  struct Entry {}\n}\nprivate enum Mine {}")
      ),
      (
        "Two/Deep/B.swift",
        SourceText("final class Frame {}\nstruct Entry {}\nprivate enum Mine {}")
      ),
      ("Two/Frame+C.swift", SourceText("extension Frame {}\nenum Other {}")),
    ])
    #expect(owners == ["Frame": ["One", "Two"], "Entry": ["Two"], "Other": ["Two"]])
  }

  /// The modules that declare a type of each name.
  private static func owners(_ files: [(path: String, text: SourceText)]) -> [String: Set<String>] {
    var owners: [String: Set<String>] = [:]
    for (path, text) in files {
      let module = String(path.prefix { $0 != "/" })
      for name in text.sharedTypes { owners[name, default: []].insert(module) }
    }
    return owners
  }
}
