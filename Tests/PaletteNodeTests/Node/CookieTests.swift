import Testing

@testable import PaletteNode

struct CookieTests {
  @Test(
    arguments: [
      ("hued-session-1=abc", "abc"), ("a=b; hued-session-1=abc; c=d", "abc"),
      ("hued-session-11=abc", nil), ("xhued-session-1=abc", nil), ("", nil),
      ("hued-session-1=", ""),
    ] as [(String, String?)]
  )
  func findsTheCookie(_ header: String, _ value: String?) {
    #expect(Clients.cookie("hued-session-1", in: header) == value)
  }
}
