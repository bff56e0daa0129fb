import Foundation
import Testing

/// Every member of an answer that is read is one that is written.
struct AnswerKeysTests {
  private static let sources = SwiftFile.root.appending(path: "Sources")

  @Test func aKeyThatIsReadIsWrittenInTheSameFile() throws {
    // What whoever waits for a peer tells is written there.
    let waiting = try Self.text("PaletteClient/PeerCommands.swift")
    let folder = Self.sources.appending(path: "PaletteCommands")
    let paths = FileManager.default.enumerator(atPath: folder.path)
    var count = 0
    while let path = paths?.nextObject() as? String {
      guard path.hasSuffix(".swift") else { continue }
      let keys = Self.keys(in: try Self.text("PaletteCommands/\(path)"), or: waiting)
      count += keys.read.count
      #expect(keys.unknown == [], "\(path)")
    }
    #expect(count > 200)
  }

  @Test func aKeyThatNobodyWritesIsFound() {
    let text = """
      Field("url") { $0.url }
      extension Received where Form == Peer {
        var url: String { text("url") }
        var name: String? { has("nam") ? optionalText("other") : nil }
      }
      """
    #expect(Self.keys(in: text, or: "(key: \"other\"").unknown == ["nam"])
  }

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: sources.appending(path: path), encoding: .utf8)
  }

  /// The keys that a file reads, and those of them that are written neither there nor in another one.
  private static func keys(in text: String, or other: String) -> (read: [String], unknown: [String])
  {
    guard let start = text.range(of: "extension Received where")?.lowerBound else {
      return ([], [])
    }
    let calls = text[start...].matches(
      of: /\b(?:text|optionalText|texts|integer|number|isSet|isFalse|has|word|parts?)\("(\w+)"\)/
    )
    let read = calls.map { String($0.output.1) }
    return (
      read, read.filter { !text[..<start].contains("\"\($0)\"") && !other.contains("\"\($0)\"") }
    )
  }
}
