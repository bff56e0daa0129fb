import Testing

@testable import PaletteCommands

struct LimitTests {
  @Test func isInclusive() throws {
    try Limit.checkColors(250_000)
    try Limit.checkPalettes(100_000)
    #expect(throws: APIError.self) { try Limit.checkColors(250_001) }
    let error = try #require(throws: APIError.self) { try Limit.checkPalettes(100_001) }
    #expect(error.code == "too-large")
  }
}
