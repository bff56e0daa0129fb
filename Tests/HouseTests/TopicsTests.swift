import Foundation
import Testing

/// The catalog of each module that apps import has all that they can use, grouped by what it is for.
struct TopicsTests {
  private static let sources = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources")

  /// The modules with a catalog of their own.
  private static var modules: [String] {
    get throws {
      try FileManager.default.contentsOfDirectory(atPath: sources.path).sorted().filter {
        let catalog = sources.appending(path: "\($0)/\($0).docc").path
        return FileManager.default.fileExists(atPath: catalog)
      }
    }
  }

  @Test(arguments: try modules)
  func everyPublicTypeIsUnderOneTopic(_ module: String) throws {
    let article = Self.sources.appending(path: "\(module)/\(module).docc/\(module).md")
    let topics =
      try String(contentsOf: article, encoding: .utf8)
      .components(separatedBy: "## Topics").last ?? ""
    let listed = topics.matches(of: /\n- ``([A-Za-z]+)``/).map { String($0.output.1) }
    let types = try Self.publicTypes(of: module)
    #expect(!types.isEmpty)
    #expect(Set(listed).count == listed.count, "a type stands twice")
    #expect(Set(listed).subtracting(types).isEmpty, "no public types")
    #expect(types.subtracting(listed).isEmpty, "under no topic")
  }

  @Test func readsEveryCatalog() throws {
    #expect(try Self.modules.count >= 6)
  }

  private static func publicTypes(of module: String) throws -> Set<String> {
    var types: Set<String> = []
    let folder = sources.appending(path: module)
    let declaration =
      /(?m)^public (?:final |indirect )?(?:class|struct|enum|actor|protocol|typealias) (\w+)/
    for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    where path.hasSuffix(".swift") {
      let source = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
      types.formUnion(SourceText(source).code.matches(of: declaration).map { String($0.1) })
    }
    return types
  }
}
