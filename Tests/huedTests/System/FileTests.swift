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

  @Test func refusesMoreThanItsLimit() throws {
    let error = #expect(throws: APIError.self) { try File.read("/dev/zero", limit: 1 << 20) }
    #expect(error?.code == "too-large")
  }

  @Test func writesToDevices() throws {
    try File.write([65], to: "/dev/null")
    #expect(!File.isRegular("/dev/null"))
  }
}
