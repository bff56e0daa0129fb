import Foundation
import PaletteCommands
import Testing

@testable import hued

struct FileTests {
  @Test func replacesTheTargetOfALink() throws {
    let folder = try TemporaryFolder()
    try folder.write("old", to: "target")
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("link"),
      withDestinationPath: "target"
    )
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("second"),
      withDestinationPath: folder.file("link")
    )
    try File.write(Array("new".utf8), to: folder.file("second"))
    #expect(try folder.text("target") == "new")
    #expect(try folder.names == ["link", "second", "target"])
    let kind = try FileManager.default.attributesOfItem(atPath: folder.file("link"))[.type]
    #expect(kind as? FileAttributeType == .typeSymbolicLink)
  }

  @Test func followsALinkToAMissingFile() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("link"),
      withDestinationPath: "new"
    )
    try File.write([65], to: folder.file("link"))
    #expect(try folder.text("new") == "A")
  }

  @Test func keepsTheModeOfTheFile() throws {
    let folder = try TemporaryFolder()
    try folder.write("old", to: "a")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o640],
      ofItemAtPath: folder.file("a")
    )
    try File.write([65], to: folder.file("a"))
    let attributes = try FileManager.default.attributesOfItem(atPath: folder.file("a"))
    #expect(attributes[.posixPermissions] as? NSNumber == 0o640)
  }

  @Test func refusesAnEndlessLink() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("a"),
      withDestinationPath: "a"
    )
    #expect(throws: APIError.self) { try File.write([65], to: folder.file("a")) }
  }

  @Test func makesAFolderWhole() throws {
    let folder = try TemporaryFolder()
    try File.makeFolder(folder.file("new"), with: [("a", [65]), ("b/c/d", [66]), ("b/e", [67])])
    #expect(try folder.names == ["new"])
    #expect(try File.paths(in: folder.file("new")) == ["a", "b/c/d", "b/e"])
    #expect(try folder.text("new/b/c/d") == "B")
    let attributes = try FileManager.default.attributesOfItem(atPath: folder.file("new"))
    let ofOther = try FileManager.default.attributesOfItem(atPath: folder.file("new/b"))
    #expect(attributes[.posixPermissions] as? NSNumber == ofOther[.posixPermissions] as? NSNumber)
  }

  @Test func leavesNothingOfAFolderThatFails() throws {
    let folder = try TemporaryFolder()
    let long = String(repeating: "x", count: 256)
    let error = #expect(throws: APIError.self) {
      try File.makeFolder(folder.file("new"), with: [("a/b", [65]), ("\(long)/c", [66])])
    }
    #expect(error?.message.hasPrefix("'\(folder.file("new"))/\(long)' cannot be made: ") == true)
    #expect(try folder.names.isEmpty)
  }

  @Test func refusesMoreThanItsLimit() throws {
    let error = #expect(throws: APIError.self) { try File.read("/dev/zero", limit: 1 << 20) }
    #expect(error?.code == "too-large")
  }

  @Test func writesToDevices() throws {
    try File.write([65], to: "/dev/null")
    #expect(!File.isRegular("/dev/null"))
  }
}
