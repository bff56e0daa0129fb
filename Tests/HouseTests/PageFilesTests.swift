import Foundation
import Testing

/// The program has every file of the page's folder.
struct PageFilesTests {
  private static let target = SwiftFile.root.appending(path: "Sources/CWebPage")

  /// The names that the list in the C file has, in its order.
  private static var listed: [String] {
    get throws {
      let source = try String(contentsOf: target.appending(path: "CWebPage.c"), encoding: .utf8)
      return source.split(separator: "\n").compactMap { line in
        line.firstMatch(of: /^#define FILE "files\/(.*)"$/).map { String($0.1) }
      }
    }
  }

  @Test func listHasEveryFileOfTheFolderInOrder() throws {
    let files = try FileManager.default.contentsOfDirectory(
      atPath: Self.target.appending(path: "files").path
    )
    #expect(!files.isEmpty)
    #expect(try Self.listed == files.sorted())
  }

  @Test func everyFileHasATypeAndANameThatUrlsKeep() throws {
    for name in try Self.listed {
      #expect(
        name.wholeMatch(of: /[a-z0-9-]+\.(html|css|js|mjs|svg|png|webmanifest)/) != nil,
        "\(name)"
      )
    }
  }
}
