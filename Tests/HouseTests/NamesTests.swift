import Foundation
import Testing

/// A reader knows a type by its name alone, in whatever module.
struct NamesTests {
  private static let sources = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources")

  @Test func noTwoModulesShareTheNameOfAType() throws {
    let owners = Self.owners(try Self.files())
    #expect(owners.count > 500)
    let shared = owners.filter { $0.value.count > 1 }
    #expect(shared.isEmpty, "\(shared)")
  }

  @Test func aNameInTwoModulesIsFound() {
    let owners = Self.owners([
      ("One/A.swift", "package struct Frame {\n  struct Entry {}\n}\nprivate enum Mine {}"),
      ("Two/Deep/B.swift", "final class Frame {}\nstruct Entry {}\nprivate enum Mine {}"),
      ("Two/Frame+C.swift", "extension Frame {}\nenum Other {}"),
    ])
    #expect(owners == ["Frame": ["One", "Two"], "Entry": ["Two"], "Other": ["Two"]])
  }

  private static func files() throws -> [(path: String, source: String)] {
    let paths = FileManager.default.enumerator(atPath: sources.path)
    var files: [(path: String, source: String)] = []
    while let path = paths?.nextObject() as? String {
      guard path.hasSuffix(".swift") else { continue }
      files.append((path, try String(contentsOf: sources.appending(path: path), encoding: .utf8)))
    }
    return files
  }

  /// The modules that declare a type of each name.
  private static func owners(_ files: [(path: String, source: String)]) -> [String: Set<String>] {
    var owners: [String: Set<String>] = [:]
    for (path, source) in files {
      let module = String(path.prefix { $0 != "/" })
      for name in SourceText(source).sharedTypes { owners[name, default: []].insert(module) }
    }
    return owners
  }
}
