import Foundation
import Testing

@testable import PaletteMerge
@testable import PaletteModel

/// The grammar's document tells the truth: its examples are read, and written again.
struct ChangeDocumentTests {
  @Test func itsExamplesAreChanges() throws {
    let examples = try documentedHex("Sources/PaletteMerge/PaletteMerge.docc/Changes.md")
    #expect(examples.count == 2)
    for example in examples {
      let words = example.header.split(separator: " ")
      #expect(words.first == "change")
      let record = try #require(RecordID(bytes: bytes(hex: String(words[1]))))
      let change = try Change(decoding: bytes(hex: example.hex), in: PaletteID(record))
      #expect(change.encoded == bytes(hex: example.hex))
    }
    let text = try String(
      contentsOf: repositoryRoot.appending(
        path: "Sources/PaletteMerge/PaletteMerge.docc/Changes.md"
      ),
      encoding: .utf8
    )
    #expect(text.contains("cc3d7aec6a4690eb2bf150745557ddd9"))
  }
}

/// The folder of the package, from where this file is.
private let repositoryRoot = URL(filePath: #filePath)
  .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  .deletingLastPathComponent()

/// The blocks of hexadecimal digits of a document, with the words behind `hex`.
private func documentedHex(_ path: String) throws -> [(header: String, hex: String)] {
  let text = try String(contentsOf: repositoryRoot.appending(path: path), encoding: .utf8)
  return text.components(separatedBy: "\n```hex ").dropFirst().map { block in
    let lines = block.components(separatedBy: "\n```")[0].components(separatedBy: "\n")
    return (lines[0], lines.dropFirst().joined(separator: " "))
  }
}
