import Testing

@testable import hued

struct GlyphsTests {
  @Test func replacesWhatTheProgramPrints() {
    #expect(Glyphs.inASCII("▶ 漢字 a… ✓ ✗") == "> 漢字 a~ + x")
  }

  @Test(
    arguments: [
      (["LANG": "C"], true), (["LANG": "de_DE.UTF-8"], false), (["LANG": "en_US.utf8"], false),
      ([:], false),
      (["LANG": "C", "LC_ALL": "C.UTF-8"], false),
      (["LANG": "C.UTF-8", "LC_CTYPE": "POSIX"], true),
      (["LANG": "C.UTF-8", "LC_ALL": ""], false),
    ] as [([String: String], Bool)]
  )
  func knowsTheLocale(variables: [String: String], isWithout: Bool) {
    var environment = Environment()
    environment.variables = variables
    #expect(environment.isWithoutUnicode == isWithout)
  }
}
