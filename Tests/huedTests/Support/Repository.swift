import Foundation
import Testing

@testable import hued

/// The files of this package, as they are in its folder.
enum Repository {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  static func path(_ name: String) -> String { root.appendingPathComponent(name).path }

  static func text(_ name: String) throws -> String {
    try String(contentsOf: root.appendingPathComponent(name), encoding: .utf8)
  }

  /// The lines of a file without comments and blank lines; a backslash at the end joins two.
  static func lines(_ name: String) throws -> [String] {
    try text(name).split(separator: "\n").filter { !$0.hasPrefix("#") }.joined(separator: "\n")
      .replacing("\\\n", with: " ").split(separator: "\n").map(String.init)
  }

  /// The invocations of hued in a line of shell, parsed as hued itself parses them.
  static func invocations(in shell: String) throws -> [Invocation] {
    try shell.split(separator: /[|;\n>]|\bthen\b|\bif\b|\buntil\b|\bexec\b/).compactMap { part in
      let words = part.split(separator: " ").map(String.init)
      guard let name = words.first, name.split(separator: "/").last == "hued" else { return nil }
      return try invocation(Array(words.dropFirst()))
    }
  }

  static func invocation(_ arguments: [String]) throws -> Invocation {
    let meaning = try ArgumentParser.parse(arguments)
    guard case .run(let invocation) = meaning else { throw NoInvocation(arguments: arguments) }
    return invocation
  }

  struct NoInvocation: Error {
    let arguments: [String]
  }
}
