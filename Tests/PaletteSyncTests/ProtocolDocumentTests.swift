import Foundation
import PaletteMerge
import PaletteSync
import Testing

/// The protocol's document tells the truth: its examples are read, and written again.
struct ProtocolDocumentTests {
  private var document: String {
    get throws {
      let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
      let path = root.appending(path: "Sources/PaletteSync/PaletteSync.docc/Protocol.md")
      return try String(contentsOf: path, encoding: .utf8)
    }
  }

  @Test func itsExamplesAreFrames() throws {
    let blocks = try document.components(separatedBy: "\n```hex frame ").dropFirst()
    #expect(blocks.count == 27)
    for block in blocks {
      let lines = block.components(separatedBy: "\n```")[0].components(separatedBy: "\n")
      let digits = lines.dropFirst().joined().compactMap(\.hexDigitValue).map(UInt8.init)
      let bytes = stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
      #expect(try Frame(decoding: bytes).encoded == bytes, "\(lines[0])")
    }
  }

  @Test func itKnowsEveryCode() throws {
    let document = try document
    for code in Nack.allCases { #expect(document.contains("`\(code.rawValue)`")) }
    for role in Role.allCases { #expect(document.contains("\"\(role.rawValue)\"")) }
    for code: SyncProtocol.CloseCode in [
      .normal, .goingAway, .protocolError, .tooSlow, .unauthorized, .nodeTaken, .incompatible,
      .scopeChanged, .overBudget,
    ] {
      #expect(document.contains("\(code.rawValue)"))
    }
  }
}
