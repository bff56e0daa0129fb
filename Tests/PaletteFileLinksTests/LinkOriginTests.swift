import PaletteFileLinks
import PaletteMerge
import PaletteModel
import PaletteStore
import PaletteTestSupport
import Testing

/// What a linked file has again after a change of the palette was undone.
struct LinkOriginTests {
  private static let files: [(format: String, text: String)] = [
    (
      "scss",
      """
      @use "sass:map";
      $red: #E63946; // warm
      // shades
      $mist: (
        100: #eeeeee, // light
        200: #CCC
      );
      .a { color: $red }

      """
    ),
    (
      "css",
      """
      /* head */
      :root {
        --a: #ABCDEF; /* one */
        --b:oklch(63.7% 0.237 203deg);

        --c: rgb(1, 2, 3) /* own */
      }
      .dark { --a: tomato; }

      """
    ),
    (
      "tailwind3",
      """
      module.exports = {
        theme: { extend: { colors: {
          red: '#E63946', // warm
          mist: { DEFAULT: '#eee', "500": "#ccc" },
        } } },
      }

      """
    ),
    (
      "dtcg",
      """
      {
        "red": { "$type": "color", "$value": "#E63946", "$extensions": { "com.figma": { "id": 1 } } },
        "mist": {
          "$type": "color",
          "100": { "$value": "#eeeeee", "$description": "light", "$deprecated": true },
          "200": { "$value": "#cccccc" }
        }
      }

      """
    ),
    ("gpl", "GIMP Palette\r\n#one\r\n 69 123 157\tSea\r\n# two\r\n1 2 3 Ink\r\n\r\n255\t0 0\tRed"),
    ("csv", "Name;Hex;Stock\r\n\"a;b\";#0A0B0C;yes\r\nSky;ffff00;no\r\nInk;#000000;x\r\n"),
    (
      "android",
      "<resources>\n  <!-- head -->\n  <color name=\"a\">#FF0a0b0c</color> <!-- own -->\n  <color name=\"b\">\n    #abc\n  </color>\n</resources>\n"
    ),
    ("hex", ";mine\nABCDEF\n#123456\n\n;two\nffffff\n"),
  ]

  /// Whatever was done to the colors, undone, leaves the bytes as they were, also over a restart of the node.
  @Test(arguments: files.indices)
  func whatIsUndoneLeavesTheBytesAsTheyWere(_ index: Int) throws {
    let (format, text) = Self.files[index]
    for seed in 0..<12 {
      let link = try LinkFixture(text, as: format, named: "Brand")
      try link.settle()
      #expect(link.writes == 0)
      var random = SeededRandom(seed: UInt64(seed))
      var count = 0
      for _ in 0..<5 {
        let before = try link.linked?.digest
        let (ids, place) = (try link.ids, Int.random(in: 0..<(try link.ids.count), using: &random))
        switch Int.random(in: 0..<5, using: &random) {
        case 0 where ids.count > 1: try link.store.act([.delete(ids[place])], in: link.palette)
        case 1: try link.add("New \(count)", "#0\(count)0a0b")
        case 2: try link.move(place, to: Int.random(in: ids.indices, using: &random))
        case 3: try link.set(place, to: "oklch(0.7 0.15 20\(count))")
        default: try link.set(place, to: "#1\(count)223344")
        }
        if try link.linked?.digest != before { count += 1 }
        try link.settle()
        if Bool.random(using: &random) { try link.restart() }
      }
      for _ in 0..<count {
        try link.store.write { transaction throws(StoreError) in
          _ = try transaction.undo(in: link.palette)
        }
        try link.settle()
      }
      #expect(link.pause == nil)
      #expect(link.text == text, "seed \(seed)")
      #expect(link.edits == 1)
    }
  }

  /// A save of another program is the file from then on, and a reformatted file stays so.
  @Test func whatAProgramSavesIsTheFile() throws {
    let link = try LinkFixture(Self.files[0].text, as: "scss", named: "Brand")
    try link.settle()
    try link.set(0, to: "#010203")
    try link.settle()
    link.replace("// warm", "// cold")
    try link.settle()
    try link.set(1, to: "#040506")
    try link.settle()
    #expect(
      link.text
        == Self.files[0].text.replacing("#E63946; // warm", with: "#010203; // cold")
        .replacing("#eeeeee", with: "#040506")
    )
    #expect(link.edits == 1)
  }
}
