import Foundation
import PaletteJSON
import PaletteStore
import Testing

@testable import PaletteCommands

/// Libraries that earlier versions wrote, opened by this one.
struct GoldenLibraryTests {
  private static let fixtures = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Fixtures")

  private static let names = ["golden-v1"]

  /// What a file of answers holds the answer to.
  private static func call(_ file: String) -> (method: String, parameters: JSON) {
    let parts = file.split(separator: "-", maxSplits: 1).map(String.init)
    guard parts.count == 2 else { return (file, [:]) }
    return (parts[0], ["palette": JSON(parts[1])])
  }

  private let test: TestLibrary

  init() throws {
    test = try TestLibrary()
  }

  private func copy(_ name: String) throws -> URL {
    let folder = Self.fixtures.appendingPathComponent(name)
    let files = FileManager.default
    try files.copyItem(atPath: folder.appendingPathComponent("home").path, toPath: test.home)
    // Git keeps no more of the rights than whether a file can be run.
    try files.setAttributes([.posixPermissions: 0o700], ofItemAtPath: test.home)
    for name in try files.contentsOfDirectory(atPath: test.home) {
      try files.setAttributes(
        [.posixPermissions: 0o600],
        ofItemAtPath: "\(test.home)/\(name)"
      )
    }
    return folder
  }

  private func expectAnswers(of folder: URL, but excluded: Set<String> = []) throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    let answers = files.filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }
    #expect(answers.count >= 10)
    for name in answers where !excluded.contains(name) {
      let bytes = try Data(contentsOf: folder.appendingPathComponent(name + ".json"))
      let call = Self.call(name)
      let answer = try test.call(call.method, call.parameters)
      #expect(answer.includes(try JSON(parsing: [UInt8](bytes))), "\(name): \(answer)")
    }
  }

  @Test(arguments: names)
  func saysWhatItSaidThen(_ name: String) throws {
    let folder = try copy(name)
    try expectAnswers(of: folder)
    // Opened for writing it is another node, and migrated where it must be: nothing looks different.
    _ = try ChangeStore(writing: try LibraryFolder(test.home))
    try expectAnswers(of: folder)
    #expect(try test.call("doctor", ["full": true])["ok"] == true)
  }

  @Test(arguments: names)
  func takesEditsOnTop(_ name: String) throws {
    let folder = try copy(name)
    let before = try #require(
      try test.call("list", ["palette": "Brand"])["colors"]?.arrayValue
    ).count
    try test.call("add", ["palette": "Brand", "value": "teal", "name": "New"])
    let resolved = try test.call(
      "resolve",
      ["palette": "Brand", "color": "Ripe", "register": "color", "value": "navy"]
    )
    #expect(resolved["conflicts"]?.arrayValue == [])
    let colors = try #require(try test.call("list", ["palette": "Brand"])["colors"]?.arrayValue)
    #expect(colors.count == before + 1)
    try test.call("add", ["palette": "Old", "value": "teal"])
    try test.call("restore", ["palette": "Dropped"])
    try expectAnswers(
      of: folder,
      but: [
        "palettes", "list-Brand", "list-Old", "history-Brand", "history-Old", "conflicts", "peers",
      ]
    )
    let doctor = try test.call("doctor", ["full": true])
    #expect(doctor["ok"] == true, "\(doctor)")
  }

  /// The undo stack belongs to the library, whatever node id it has now.
  @Test(arguments: names)
  func undoesAndRedoesWhatWasDoneThen(_ name: String) throws {
    _ = try copy(name)
    let redone = try test.call("redo", ["palette": "Brand"])
    #expect(redone["changed"]?[0]?["name"] == "Moved again")
    for expected in ["Moved", "Ripe"] {
      let undone = try test.call("undo", ["palette": "Brand"])
      #expect(undone["changed"]?.arrayValue?.count ?? 0 <= 1, "\(expected): \(undone)")
    }
    #expect(try test.call("doctor", ["full": true])["ok"] == true)
  }
}

extension JSON {
  /// Whether this is the other value, with members at most that the other lacks.
  fileprivate func includes(_ other: JSON) -> Bool {
    switch (self, other) {
    case (.object(let own), .object(let other)):
      other.members.allSatisfy { own[$0.key]?.includes($0.value) ?? false }
    case (.array(let own), .array(let other)):
      own.count == other.count && zip(own, other).allSatisfy { $0.includes($1) }
    default: self == other
    }
  }
}
