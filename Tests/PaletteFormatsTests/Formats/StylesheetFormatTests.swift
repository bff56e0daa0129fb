import PaletteModel
import Testing

@testable import PaletteFormats

/// Variables of CSS, SCSS, Less and Tailwind as people write them.
struct StylesheetFormatTests {
  private func read(_ text: String, _ name: String) throws -> (String, FileContents) {
    let (format, contents) = try FormatRegistry.standard.read(Array(text.utf8), named: name)
    return (format.name, contents)
  }

  @Test func readsCustomProperties() throws {
    let (format, contents) = try read(
      """
      /* Palette: Reef */
      @import url("//x.y/--no: red;");
      :root { --brand: #ff7f50; /* Brand */
        --brand-2:hsl(9 100% 50%) !important; --gap: 4px;
        --font: "a; --b: red", serif; --triple: 210 17% 98%;
        --mixed: rgb(var(--r) 0 0); --last: oklch(70% 0.1 200)}
      .dark { --brand: /* was coral */ TOMATO }
      """,
      "a.css"
    )
    #expect(format == "css" && contents.title == "Reef")
    #expect(contents.entries.map(\.name) == ["Brand", "brand-2", "last", "brand"])
    #expect(contents.entries.map(\.color.space) == [.srgb, .hsl, .oklch, .srgb])
    #expect(contents.skipped.map(\.at) == ["line 5", "line 6"])
  }

  @Test func readsOnlyTheColorsOfATheme() throws {
    let (format, contents) = try read(
      "@theme default {\n  --font-x: red;\n  --color-red-500: oklch(63.7% 0.237 25.331);\n}\n",
      "a.css"
    )
    #expect(format == "tailwind" && contents.entries.map(\.name) == ["red-500"])
  }

  @Test func aThemeOfVariablesAloneLeavesTheColorsToCSS() throws {
    let theme = "@theme inline {\n  --color-card: var(--card);\n  --color-red-500: initial;\n}\n"
    let root = ":root {\n  --card: oklch(1 0 0);\n}\n.dark {\n  --card: oklch(0.2 0 0);\n}\n"
    for name in ["a.css", "a"] {
      let (format, contents) = try read("@import \"tailwindcss\";\n" + theme + root, name)
      #expect(format == "css" && contents.entries.map(\.name) == ["card", "card"])
    }
    let mixed = theme.replacing("}\n", with: "  --color-mint: #3eb489;\n}\n")
    let (format, contents) = try read(mixed + root, "a.css")
    #expect(format == "tailwind" && contents.entries.map(\.name) == ["mint"])
    #expect(contents.skipped.map(\.at) == ["line 2"])
    #expect(try read("@theme {\n  --font-x: serif;\n}\n", "a.css").0 == "tailwind")
  }

  @Test func readsSassWithItsMaps() throws {
    let (format, contents) = try read(
      """
      // $no: red;
      $blue: #00f !default; // a comment of another
      $accent: $blue;
      $size: 12px;
      $grays: ("100": #eee, 'deep': (900: #111, 950: $blue,), list: (1, 2));
      $odd: darken($blue, 10%);
      .a { color: $blue; $local: red }
      """,
      "a.scss"
    )
    #expect(format == "scss")
    #expect(
      contents.entries.map(\.name) == [
        "blue", "accent", "grays/100", "grays/deep/900", "grays/deep/950", "local",
      ]
    )
    #expect(
      contents.entries[1].color.hex == "#0000ff" && contents.entries[4].color.hex == "#0000ff"
    )
    #expect(contents.skipped.map(\.at) == ["line 6"])
  }

  @Test func readsLessWithItsSets() throws {
    let (format, contents) = try read(
      "@import \"x\";\n@media (a: b) { }\n@a-b: #123;\n@set: { one: red; two: { three: blue } }\n@c: @a-b;\n",
      "a.less"
    )
    #expect(format == "less")
    #expect(contents.entries.map(\.name) == ["a-b", "set/one", "set/two/three", "c"])
    #expect(contents.entries.map(\.color.hex) == ["#112233", "#ff0000", "#0000ff", "#112233"])
  }

  @Test func readsTheObjectOfAConfiguration() throws {
    let (format, contents) = try read(
      """
      /** @type {import('tailwindcss').Config} */
      module.exports = {
        content: ['./a.html'], // red
        theme: { extend: { colors: {
          brand: { DEFAULT: '#f00', 'dark one': "rgb(1 2 3)" }, /* { */
          plain: 'tomato', odd: 'var(--x)', f: (x) => ({ a: 1 }),
          last: '#00f',
        }, spacing: { red: 'blue' } } },
      }
      """,
      "tailwind.config.js"
    )
    #expect(format == "tailwind3")
    #expect(contents.entries.map(\.name) == ["brand", "brand/dark one", "plain", "last"])
    #expect(contents.skipped.map(\.at) == ["line 6"])
  }

  @Test(arguments: [
    "css", "scss", "less", "tailwind", "tailwind3", "dtcg", "csv", "ase", "xcassets",
  ])
  func keepsGroupsAndDoubleNames(_ name: String) throws {
    let names = [
      "Sea/Deep", "Sea/Foam", "Land/Sand", "Sea/Again", "Sand", "Sand", "5 o'clock", "été */ x",
      "a.{b}", "$x", "Sea",
    ]
    let colors = names.enumerated().map {
      Samples.named(
        UInt64($0.offset),
        $0.element,
        Color(red8: UInt8($0.offset), green8: 9, blue8: 9)
      )
    }
    let format = try FormatRegistry.standard.format(named: name)
    let contents = try format.read(try format.write(Samples.sheet(colors)))
    #expect(contents.entries.map(\.color.hex) == colors.map(\.color.hex))
    let kept = zip(contents.entries, names).count { $0.name == $1 }
    // A comment cannot hold its own end, and a folder or an object no two of the same name.
    let losses = ["tailwind3": 2, "xcassets": 4, "css": 1, "tailwind": 1][name] ?? 0
    #expect(kept >= names.count - losses, "\(contents.entries.map { $0.name ?? "-" })")
  }

  /// What does not end, ends with the file, in time linear in it.
  @Test(arguments: ["css", "scss", "less", "tailwind", "tailwind3"])
  func survivesWhatDoesNotEnd(_ name: String) throws {
    let format = try FormatRegistry.standard.format(named: name)
    for piece in ["$a:(", "@a:{", "--a:(", "/*", "'", "{", "}", "a:{", "--", "$", "\\"] {
      let text = String(repeating: piece, count: 20_000)
      _ = try? format.read(Array(text.utf8))
    }
    let bytes = try format.write(Samples.sheet())
    for count in bytes.indices { _ = try? format.read(Array(bytes[..<count])) }
  }
}
