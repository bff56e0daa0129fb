import PaletteMerge
import PaletteModel

@testable import hued

extension FuzzTarget {
  static let css = FuzzTarget(
    name: "css",
    summary: "a CSS color",
    lengthLimit: 256,
    words: [
      "rgb(", "rgba(", "hsl(", "hsla(", "hwb(", "hsb(", "lab(", "lch(", "oklab(", "oklch(",
      "color(",
      "srgb", "srgb-linear", "display-p3", "a98-rgb", "prophoto-rgb", "rec2020", "xyz-d50",
      "xyz-d65", "none", "deg", "grad", "rad", "turn", "%", " / ", ",", "/*", "*/", "transparent",
      "currentcolor", "calc(", "from", "rebeccapurple", "e308", "1e-9", "\\", "#",
    ],
    seeds: {
      [
        "#abc", "#aabbccdd", "tomato", "rgb(1, 2, 3)", "rgb(10% 20% 30% / 40%)", "rgba(1,2,3,.5)",
        "hsl(120deg 50% 50%)", "hwb(0.5turn 10% 20%)", "hsb(300 20% 30%)", "lab(50% 20 -30)",
        "lch(50 30 200grad)", "oklab(0.5 0.1 none)", "oklch(70% 0.15 250 / none)",
        "color(display-p3 1.2 -0.1 0)", "color(xyz-d50 0.1 0.2 0.3 / 0.5)", "/* a */ red",
        "hsl(1e300 0% 0%)", "RGB(0 0 0)", "transparent",
      ].map { Array($0.utf8) }
    },
    check: { bytes in
      let text = String(decoding: bytes, as: UTF8.self)
      guard
        let color = try accepted(bytes, { () throws(ColorParseError) in try Color(css: text) })
      else { return }
      try ensure(color.isFinite, "a component is not finite: \(color)")
      let printed = color.css
      let read = try Color(css: printed)
      try ensure(read == color, "\(printed) is another color: \(read.css)")
      try ensure(read.css == printed, "printed twice, it differs: \(printed)")
      try ensure(RegisterValue(color: color).color == color, "encoded, \(printed) is another color")
      try checkFacts(color)
    }
  )

  private static func checkFacts(_ color: Color) throws {
    let hex = color.hex
    guard let rounded = Color(hex: hex.dropFirst()) else {
      throw Violation(description: "\(hex) is no hex")
    }
    try ensure(rounded.hex == hex, "\(hex) becomes \(rounded.hex)")
    for space in ColorSpace.allCases { _ = color.converted(to: space).css }
    _ = (HSBColor(color), color.lighter(), color.darker())
  }

  static let times = FuzzTarget(
    name: "times",
    summary: "times and durations as people type them",
    lengthLimit: 256,
    words: ["ago", "yesterday", "now", "minutes", "days", "week", "months", "years", "2026-", "T"],
    seeds: {
      [
        "2026-11-21T11:38:41.123Z", "2026-11-21", "10 minutes ago", "1 day 2 hours ago", "2h ago",
        "yesterday", "a week ago", "3 months ago", "90s", "7d", "2000-02-29 23:59 +01:00",
        "999999999999 years ago",
      ].map { Array($0.utf8) }
    },
    check: { bytes in
      let text = String(decoding: bytes, as: UTF8.self)
      if let moment = Moment(iso8601: text) {
        try ensure(Moment(iso8601: moment.description) == moment, "\(moment) is another moment")
      }
      _ = Moment(spoken: text, now: Moment(milliseconds: 1_700_000_000_000))?.description
      if let duration = Duration(compact: text), let again = Duration(compact: duration.compactText)
      {
        try ensure(again == duration, "\(duration.compactText) is another duration")
      }
    }
  )

  static let text = FuzzTarget(
    name: "text",
    summary: "names and notes, and how they are shown",
    lengthLimit: 256,
    words: [
      "\u{1B}[31m", "\u{202E}", "\u{200B}", "\u{85}", "\u{FEFF}", "e\u{301}", "\u{1F469}\u{200D}",
    ],
    seeds: { ["Ripe", " a\tb\nc ", "\u{1B}]0;x\u{7}", "日本", "é"].map { Array($0.utf8) } },
    check: { bytes in
      let text = String(decoding: bytes, as: UTF8.self)
      for rule in [TextRule.name, .note] {
        if let accepted = try? rule.accepted(text) {
          try ensure(try rule.accepted(accepted) == accepted, "accepted twice, it differs")
        }
        if let cleaned = rule.cleaned(text) {
          try ensure(rule.cleaned(cleaned) == cleaned, "cleaned twice, it differs")
          try ensure((try? rule.accepted(cleaned)) != nil, "cleaned, and yet refused")
        }
      }
      for shown in [SafeText.line(text), SafeText.field(text)] {
        let isPlain = !shown.unicodeScalars.contains { $0.properties.generalCategory == .control }
        try ensure(isPlain, "a control character is shown")
      }
      _ = SafeText.message(text)
      try ensure(DisplayWidth.of(DisplayWidth.cut(text, to: 7)) <= 7, "cut, and yet too wide")
    }
  )
}
