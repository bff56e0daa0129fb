import Testing

@testable import PaletteNode

struct MetricsTextTests {
  @Test func writesWhatPrometheusReads() {
    var text = MetricsText()
    text.add(.counter, "a_total", "Things.", 3)
    text.add(.gauge, "b", "Others.", [(#"kind="x""#, 0.5), (#"kind="y""#, 2)])
    #expect(
      text.text == """
        # HELP a_total Things.
        # TYPE a_total counter
        a_total 3
        # HELP b Others.
        # TYPE b gauge
        b{kind="x"} 0.5
        b{kind="y"} 2

        """
    )
  }

  @Test(
    arguments: [
      ("hued-session-1=abc", "abc"), ("a=b; hued-session-1=abc; c=d", "abc"),
      ("hued-session-11=abc", nil), ("xhued-session-1=abc", nil), ("", nil),
      ("hued-session-1=", ""),
    ] as [(String, String?)]
  )
  func findsTheCookie(_ header: String, _ value: String?) {
    #expect(NodeHandler.cookie("hued-session-1", in: header) == value)
  }
}
