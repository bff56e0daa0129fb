import Foundation
import PaletteCommands
import PaletteJSON
import Testing

@testable import hued

/// A temporary home, and runs of the real program with it.
final class TestHome {
  let folder: TemporaryFolder
  let path: String

  init(_ name: String = "home ü") throws {
    folder = try TemporaryFolder()
    path = folder.file(name)
  }

  @discardableResult
  func run(_ arguments: [String]) throws -> Shell.Result {
    try Shell.run(Shell.hued, arguments, home: path)
  }

  /// The document of a run with `--json` that succeeds.
  @discardableResult
  func document(_ arguments: String...) throws -> JSON {
    let result = try run(["--json"] + arguments)
    #expect(result.status == 0, "\(arguments): \(result.error)")
    #expect(result.error == "")
    return try JSON(answer: Array(result.output.utf8))
  }

  /// Exit code and error code of a run with `--json` that fails, and that says nothing else.
  func failure(_ arguments: [String]) throws -> (status: Int32, code: String) {
    let result = try run(["--json"] + arguments)
    #expect(result.output == "", "\(arguments)")
    let document = try JSON(answer: Array(result.error.utf8))
    let error = document["error"]
    #expect(document.keys == ["error"] && error.keys == ["code", "message", "hint"])
    return (result.status, error["code"].stringValue ?? "")
  }

  /// The names of a palette's colors, in order.
  func names(_ palette: String) throws -> [String] {
    try #require(try document("list", palette)["colors"].arrayValue).compactMap {
      $0["name"].stringValue
    }
  }

  /// Every file below a folder, with its size.
  static func files(below path: String) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: path).sorted()
  }
}
