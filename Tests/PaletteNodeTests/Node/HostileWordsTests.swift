import PaletteJSON
import PaletteModel
import PalettePeers
import Testing

@testable import PaletteNode

/// What strangers say stands in the log on one line, and is short.
struct HostileWordsTests {
  private static let hostile = "\u{1B}]0;x\u{7}\n\u{202E}" + String(repeating: "x", count: 60_000)

  @Test func aLineOfTheLogHoldsNoControl() {
    let line = NodeLog(.info, .refuse, "refused \(Self.hostile)", [("name", JSON(Self.hostile))])
    let texts = [line.message, line.fields[0].value.stringValue ?? ""]
    for text in texts {
      #expect(!text.unicodeScalars.contains { $0.isControl || $0.isBidirectional })
      #expect(!text.isEmpty)
    }
  }
}
