import Foundation
import Testing

/// The C library has one door.
struct PlatformTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  @Test(arguments: ["Sources", "Tests"])
  func onlyOneFileNamesACLibrary(_ folder: String) throws {
    let paths = FileManager.default.enumerator(atPath: Self.root.appending(path: folder).path)
    var strangers: [String] = []
    while let path = paths?.nextObject() as? String {
      guard path.hasSuffix(".swift"), path != "PalettePlatform/Platform.swift" else { continue }
      let file = Self.root.appending(path: folder).appending(path: path)
      let code = SourceText(try String(contentsOf: file, encoding: .utf8)).code
      if code.contains(/import +(Glibc|Musl|Darwin)\b/) { strangers.append(path) }
    }
    #expect(strangers.isEmpty, "import PalettePlatform instead")
  }
}
