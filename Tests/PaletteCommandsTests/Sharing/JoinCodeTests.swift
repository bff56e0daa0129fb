import PaletteModel
import Testing

@testable import PaletteCommands

struct JoinCodeTests {
  private func code(addresses: Int) -> JoinCode {
    JoinCode(
      addresses: (0..<addresses).map { "https://127.0.0.1:\($0 + 1)" },
      secret: [UInt8](repeating: 7, count: 32),
      pin: [UInt8](repeating: 9, count: 32),
      grant: Grant(.editor, on: nil),
      library: RecordID(high: 1, low: 2)
    )
  }

  /// Each address is dialed, side by side, and whoever made the code may be a stranger.
  @Test func hasAFewAddresses() throws {
    for count in [1, JoinCode.addressLimit] {
      #expect(try JoinCode(code(addresses: count).text) == code(addresses: count))
    }
    for count in [0, JoinCode.addressLimit + 1, 5_000] {
      let text = code(addresses: count).text
      #expect(throws: APIError.self) { try JoinCode(text) }
    }
  }
}
