import Testing

@testable import PaletteNode

/// The links that open the page.
struct PageTicketsTests {
  @Test func opensOnce() {
    let links = PageTickets()
    let code = links.makeCode(atMilliseconds: 0)
    #expect(!links.redeem(code + "0", atMilliseconds: 1))
    #expect(links.redeem(code, atMilliseconds: 1))
    #expect(!links.redeem(code, atMilliseconds: 1))
  }

  @Test func endsAfterTenMinutes() {
    let links = PageTickets()
    let (first, second) = (links.makeCode(atMilliseconds: 0), links.makeCode(atMilliseconds: 1))
    #expect(!links.redeem(first, atMilliseconds: 600_000))
    #expect(links.redeem(second, atMilliseconds: 600_000))
  }
}
