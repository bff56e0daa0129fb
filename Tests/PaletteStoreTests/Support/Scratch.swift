import Foundation
import PaletteStore
import Testing

/// A folder for one test, removed with its owner.
final class Scratch {
  let path: String

  init(_ name: String = "with space ü") throws {
    path = "\(FileManager.default.temporaryDirectory.path)/\(UUID().uuidString)/\(name)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit {
    let parent = (path as NSString).deletingLastPathComponent
    try? FileManager.default.removeItem(atPath: parent)
  }

  func file(_ name: String) -> String { "\(path)/\(name)" }

  /// The names in the folder, sorted.
  func names(_ folder: String = "") throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: "\(path)/\(folder)").sorted()
  }

  /// A library folder inside, not created yet.
  func library(_ name: String = "home") throws -> LibraryFolder {
    try LibraryFolder(file(name))
  }
}

func bytes(_ path: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(filePath: path))) }

func write(_ bytes: [UInt8], to path: String) throws {
  try Data(bytes).write(to: URL(filePath: path))
}

func mode(_ path: String) throws -> Int {
  let attributes = try FileManager.default.attributesOfItem(atPath: path)
  return try #require(attributes[.posixPermissions] as? Int)
}

/// Every byte of a folder: two folders with equal contents are equal.
func contents(_ folder: String) throws -> [String: [UInt8]] {
  var found: [String: [UInt8]] = [:]
  for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
    found[name] = try bytes("\(folder)/\(name)")
  }
  return found
}

@discardableResult
func run(_ program: String, _ arguments: String...) throws -> Int32 {
  let process = Process()
  process.executableURL = URL(filePath: program)
  process.arguments = arguments
  try process.run()
  process.waitUntilExit()
  return process.terminationStatus
}
