import PaletteMerge
import PaletteModel
import Testing

@testable import PaletteCommands

/// A join code comes from a stranger, and so does each word in it.
struct HostileCodeTests {
  @Test func theNameInACodeIsShownAsWords() throws {
    let name = "\u{1B}[2J\u{202E}Brand\n" + String(repeating: "x", count: 5_000)
    let made = JoinCode(
      addresses: ["wss://\u{1B}[31m" + String(repeating: "x", count: 5_000)],
      secret: [UInt8](repeating: 1, count: 16),
      pin: [],
      grant: Grant(.editor, on: PaletteID(RecordID(high: 1, low: 1))),
      library: RecordID(high: 0, low: 1),
      paletteName: name
    )
    let code = try JoinCode(made.text)
    #expect(code.description.hasPrefix("editor of '[2JBrand↵ xxx"))
    #expect(code.description.unicodeScalars.count < 230)
    var message = ""
    do {
      try JoinCode(code.text).checkAddresses()
    } catch {
      message = error.message
    }
    for text in [code.description, message] {
      #expect(!text.unicodeScalars.contains { $0.isControl || $0.isBidirectional })
      #expect(text.unicodeScalars.count < 300)
    }
  }
}
