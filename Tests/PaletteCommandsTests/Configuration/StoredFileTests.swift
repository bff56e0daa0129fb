import Foundation
import Testing

@testable import PaletteCommands

struct StoredFileTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test func readsNothingWhereNothingIs() throws {
    #expect(try StoredFile.read(folder.file("none")) == nil)
    #expect(throws: APIError.self) { try StoredFile.read(folder.path) }
  }

  @Test func writesPrivately() throws {
    try StoredFile.replace(folder.file("a/b/c"), with: [1, 2])
    #expect(try StoredFile.read(folder.file("a/b/c")) == [1, 2])
    #expect(try mode("a/b/c") == 0o600)
    #expect(try mode("a") == 0o700)
    try StoredFile.replace(folder.file("a/b/c"), with: [])
    #expect(try StoredFile.read(folder.file("a/b/c")) == [])
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("a/b")) == ["c"])
  }

  @Test func keepsSymbolicLinks() throws {
    try folder.write("old", to: "target")
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("link"),
      withDestinationPath: "target"
    )
    try StoredFile.replace(folder.file("link"), with: Array("new".utf8))
    #expect(try folder.text("target") == "new")
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: folder.file("link")) == "target"
    )
  }

  @Test func reportsWhatStandsInTheWay() throws {
    try folder.write("x", to: "file")
    let error = try #require(throws: APIError.self) {
      try StoredFile.replace(folder.file("file/config.json"), with: [])
    }
    #expect(error.code == "storage")
  }

  private func mode(_ name: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: folder.file(name))[.posixPermissions] as? Int
  }
}
