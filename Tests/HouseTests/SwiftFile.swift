import Foundation

/// A Swift file of this project.
struct SwiftFile {
  /// The folder of the project.
  static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// The path in the folder that was read.
  let path: String
  /// The file as it is written.
  let source: String
  /// The code in it.
  let text: SourceText

  /// All files of the program, read once for all tests.
  static var sources: [SwiftFile] { get throws { try found.get() } }

  private static let found = Result { try read("Sources") }

  /// Reads all files of a folder of the project.
  static func read(_ folder: String) throws -> [SwiftFile] {
    let folder = root.appending(path: folder)
    return try FileManager.default.subpathsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".swift") }
      .map { path in
        let source = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
        return SwiftFile(path: path, source: source, text: SourceText(source))
      }
  }

  /// The files of one target, each with its path in there.
  static func sources(of target: String) throws -> [(path: String, text: SourceText)] {
    let folder = "\(target)/"
    return try sources.filter { $0.path.hasPrefix(folder) }
      .map { (String($0.path.dropFirst(folder.count)), $0.text) }
  }
}
