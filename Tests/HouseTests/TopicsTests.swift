import Foundation
import Testing

/// The catalog of each module that apps import has all that they can use, grouped by what it is for.
struct TopicsTests {
  private static let sources = SwiftFile.root.appending(path: "Sources")

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
    let declaration =
      /(?m)^public (?:final |indirect )?(?:class|struct|enum|actor|protocol|typealias) (\w+)/
    for (_, text) in try SwiftFile.sources(of: module) {
      types.formUnion(text.code.matches(of: declaration).map { String($0.1) })
    }
    return types
  }
}
