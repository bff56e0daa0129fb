import PaletteFormats
import PaletteMerge
import PaletteModel
import PaletteTestSupport

/// Writes files as people may have: comments, nesting, odd spacing, references, all by chance.
struct ChanceFile {
  /// The formats for which there are such files.
  static let formats = [
    "css", "tailwind", "scss", "less", "tailwind3", "dtcg", "dtcg objects", "dtcg legacy",
    "android",
    "gpl", "kde", "scheme", "jasc", "paintnet", "hex", "txt", "csv", "soc", "scribus", "json",
    "ase",
    "aco", "act", "riff", "kpl", "swatches",
  ]

  private var random: SeededRandom
  private var words: [String] = []
  private var own: [String] = []
  private var references = 0
  private let lineEnd: String

  private init(seed: UInt64) {
    random = SeededRandom(seed: seed)
    lineEnd = ["\n", "\n", "\r\n"][Int.random(in: 0..<3, using: &random)]
  }

  /// A file of one of the formats.
  static func file(_ kind: String, seed: UInt64) throws -> OwnersFile {
    var file = ChanceFile(seed: seed)
    let format =
      ["dtcg objects": "dtcg", "dtcg legacy": "dtcg", "scheme": "kde"][kind] ?? kind
    guard let text = file.text(kind) else {
      return OwnersFile(format, bytes: try file.bytes(of: format))
    }
    return OwnersFile(format, text, own: file.own, references: file.references)
  }

  // MARK: Chance

  private mutating func chance(_ count: Int) -> Bool {
    Int.random(in: 0..<count, using: &random) == 0
  }

  private mutating func pick<Value>(_ values: [Value]) -> Value {
    values[Int.random(in: values.indices, using: &random)]
  }

  private mutating func space() -> String { pick(["", " ", " ", " ", "  ", "\t"]) }

  private mutating func number(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

  /// A word that is nobody else's here.
  private mutating func word() -> String {
    let word = pick(["red", "Ink", "sea", "mist", "x1", "dawn"]) + String(words.count)
    words.append(word)
    return word
  }

  private mutating func hex() -> String {
    let digits = Array(chance(2) ? "0123456789abcdef" : "0123456789ABCDEF")
    // Not one that has three digits too, or all formats spell it otherwise.
    let text = (0..<6).map { _ in pick(digits) }.map(String.init).joined()
    return "#" + text
  }

  private mutating func css() -> String {
    switch number(6) {
    case 0: "rgb(\(number(256)),\(pick(["", " ", "  "]))\(number(256)), \(number(256)))"
    case 1: "oklch(\(number(90) + 5)% 0.\(number(3))5 \(number(360)))"
    case 2: hex() + "80"
    default: hex()
    }
  }

  /// A line of somebody's, which stays whatever is edited.
  private mutating func remark(_ before: String, _ after: String = "") -> String {
    let text = "\(before) mine \(own.count)\(after)"
    own.append(text)
    return text
  }

  // MARK: Texts

  private mutating func text(_ kind: String) -> String? {
    let lines: [String]? =
      switch kind {
      case "css", "tailwind": stylesheet(kind)
      case "scss": scss()
      case "less": less()
      case "tailwind3": script()
      case "dtcg", "dtcg objects", "dtcg legacy": tokens(kind)
      case "android": android()
      case "soc", "scribus": list(kind)
      case "scheme": scheme()
      case "csv": table()
      case "json": document()
      case "gpl", "kde", "jasc", "paintnet", "hex", "txt": simple(kind)
      default: nil
      }
    return lines.map { $0.joined(separator: lineEnd) + lineEnd }
  }

  private mutating func stylesheet(_ kind: String) -> [String] {
    var lines = [remark("/*", " */")]
    let prefix = kind == "css" ? "--" : "--color-"
    var names: [String] = []
    for block in 0..<(1 + number(2)) {
      lines.append(kind == "css" ? [":root {", ".dark{"][block] : "@theme {")
      for _ in 0..<(1 + number(4)) {
        let name = word()
        if chance(4) { lines.append(remark("  /*", " */")) }
        if chance(4) { lines.append("  --gap\(words.count): \(number(9))px;") }
        let tail = chance(4) ? " /* own */" : ""
        lines.append("\(space())\(prefix)\(name)\(space()):\(space())\(css())\(space());\(tail)")
        names.append(name)
        if chance(6) { lines.append("") }
      }
      lines.append("}")
    }
    lines.append(".a { color: var(\(prefix)\(pick(names))); b: url(data:x) }")
    references = 1
    return lines
  }

  private mutating func scss() -> [String] {
    var lines = [remark("//"), "@use \"sass:map\";"]
    var names: [String] = []
    for _ in 0..<(1 + number(3)) {
      names.append(word())
      lines.append(
        "$\(names.last ?? "")\(space()):\(space())\(hex())\(chance(4) ? " !default" : "");"
      )
    }
    if chance(2) {
      references += 1
      lines.append("$\(word()): $\(names[0]);\(chance(2) ? " // own" : "")")
    }
    if chance(2) {
      let map = word()
      lines.append("$\(map): (")
      for _ in 0..<(1 + number(3)) {
        if chance(4) { lines.append(remark("  //")) }
        let key = word()
        lines.append("  \(chance(3) ? "'\(key)'" : key):\(space())\(hex()),")
      }
      if chance(2) { lines.append("  deep: (\(word()): \(hex()), \(word()): \(hex())),") }
      lines.append(")\(chance(2) ? " !default" : "");")
    }
    lines.append("@mixin m { b: $\(names[0]) }")
    references += 1
    return lines
  }

  private mutating func less() -> [String] {
    var lines = [remark("//"), "@import 'x';"]
    var names: [String] = []
    for _ in 0..<(1 + number(3)) {
      names.append(word())
      lines.append("@\(names.last ?? "")\(space()):\(space())\(hex())\(space());")
    }
    if chance(2) {
      let (map, key) = (word(), word())
      lines += ["@\(map): {", "  \(key): \(hex());", "  \(word()):\(hex());", "}"]
      lines.append(".m { b: @\(map)[\(key)] }")
      references += 1
    }
    lines.append(".a { color: fade(@\(names[0]), 50%) }")
    references += 1
    return lines
  }

  private mutating func script() -> [String] {
    var lines = [remark("//"), "module.exports = {"]
    if chance(2) { lines.append("  content: ['./src/**/*.html'],") }
    lines.append(chance(3) ? "  theme: { colors: ({ theme }) => ({" : "  theme: { colors: {")
    let isFunction = lines.last?.contains("=>") ?? false
    var names: [String] = []
    for _ in 0..<(1 + number(3)) {
      let name = word()
      names.append(name)
      let key = chance(4) ? "'\(name)'" : chance(6) ? "\"a-\(name)\"" : name
      lines.append("    \(key):\(space())'\(css())',\(chance(4) ? " // own" : "")")
      if chance(4) { lines.append(remark("    //")) }
      if chance(3) {
        lines.append("    \(word()): {")
        if chance(2) { lines.append("      DEFAULT: '\(hex())',") }
        lines.append("      \(pick([50, 100, 500])): \"\(hex())\",")
        if chance(2) { lines.append("      \(word()): { a: '\(hex())', b: '\(hex())' },") }
        lines.append("    },")
      }
    }
    lines += [isFunction ? "  }) }," : "  } },", "  plugins: [require('x')],", "}"]
    return lines
  }

  private mutating func token(_ kind: String, _ target: String?) -> String {
    let value = kind == "dtcg legacy" ? "value" : "$value"
    let type = kind == "dtcg legacy" ? "type" : "$type"
    var parts: [String] = []
    if let target, chance(3) {
      references += 1
      parts.append("\"\(value)\": \"{\(target)}\"")
    } else if kind == "dtcg objects" {
      let channels = (0..<3).map { _ in "0.\(number(10))" }.joined(separator: pick([",", ", "]))
      let alpha = chance(4) ? ", \"alpha\": 0.5" : ""
      parts.append(
        "\"\(value)\": {\"colorSpace\": \"srgb\", \"components\": [\(channels)]\(alpha)}"
      )
    } else {
      parts.append("\"\(value)\":\(space())\"\(hex())\"")
    }
    parts.insert("\"\(type)\":\(space())\"color\"", at: number(2))
    if chance(4) { parts.append("\"$extensions\": {\"x\": [1, \(number(9))]}") }
    if chance(4), kind != "dtcg legacy" { parts.append("\"$description\": \"d\(number(9))\"") }
    return "{" + space() + parts.joined(separator: "," + pick([" ", " ", lineEnd + "      "]))
      + space()
      + "}"
  }

  private mutating func tokens(_ kind: String) -> [String] {
    let (head, gap) = (
      "  \"$schema\": \"x\",", "  \"gap\": { \"$type\": \"number\", \"$value\": 1 }"
    )
    own = [head, gap]
    var lines = ["{", head]
    var target: String?
    for _ in 0..<(1 + number(3)) {
      let group = word()
      if chance(4) {
        lines.append("  \"\(group)\": \(token(kind, target)),")
        continue
      }
      lines.append("  \"\(group)\":\(space()){")
      var members: [String] = []
      for _ in 0..<(1 + number(3)) {
        let name = word()
        members.append("    \"\(name)\":\(space())\(token(kind, target))")
        target = target ?? "\(group).\(name)"
      }
      if chance(3) {
        members.append("    \"in\(words.count)\": { \"\(word())\": \(token(kind, nil)) }")
      }
      lines.append(members.joined(separator: "," + lineEnd))
      lines.append("  },")
    }
    return lines + [gap, "}"]
  }

  private mutating func android() -> [String] {
    var lines = ["<?xml version=\"1.0\"?>", "<resources>"]
    let first = word().lowercased()
    lines.append("  <color name=\"\(first)\">\(hex())</color>")
    for _ in 0..<number(4) {
      if chance(4) { lines.append(remark("  <!--", " -->")) }
      let name = word().lowercased()
      let value = chance(4) ? "@color/\(first)" : chance(4) ? "#80" + hex().dropFirst() : hex()
      if value.hasPrefix("@") { references += 1 }
      lines.append(
        chance(4)
          ? "\t<item name='\(name)'  type=\"color\">\(value)</item>"
          : "  <color\(pick([" ", "  "]))name=\"\(name)\">\(value)</color>"
      )
    }
    let size = "  <dimen name=\"gap\">1dp</dimen>"
    own.append(size)
    return lines + [size, "</resources>"]
  }

  private mutating func list(_ kind: String) -> [String] {
    let isSoc = kind == "soc"
    var lines = [
      "<?xml version=\"1.0\"?>",
      isSoc ? "<ooo:color-table xmlns:ooo='a' xmlns:draw='b'>" : "<SCRIBUSCOLORS Name=\"Press\">",
    ]
    for _ in 0..<(1 + number(4)) {
      if chance(4) { lines.append(remark("  <!--", " -->")) }
      let (name, quote) = (word(), pick(["\"", "'"]))
      let inks = "C=\"\(number(100))\" M=\"\(number(100))\" Y=\"0\" K=\"\(number(50))\""
      lines.append(
        isSoc
          ? "\(space())<draw:color draw:name=\(quote)\(name)\(quote) draw:color=\"\(hex())\"\(space())/>"
          : chance(3)
            ? " <COLOR NAME=\"\(name)\" SPACE=\"CMYK\" \(inks) Spot=\"1\"/>"
            : "\(space())<COLOR NAME=\(quote)\(name)\(quote) RGB=\"\(hex())\"/>"
      )
    }
    return lines + [isSoc ? "</ooo:color-table>" : "</SCRIBUSCOLORS>"]
  }

  private mutating func triple(_ mark: String) -> String {
    (0..<3).map { _ in String(number(256)) }.joined(separator: mark)
  }

  private mutating func scheme() -> [String] {
    var lines = [remark("#")]
    for group in ["View", "Button"].prefix(1 + number(2)) {
      lines.append("[Colors:\(group)]")
      for key in ["BackgroundNormal", "ForegroundNormal", "DecorationFocus"].prefix(1 + number(3)) {
        if chance(4) { lines.append(remark("#")) }
        lines.append("\(key)=\(triple(","))")
      }
      lines.append("")
    }
    return lines + ["[General]", "Name=Mine"]
  }

  private mutating func table() -> [String] {
    let mark = pick([",", ";", "\t"])
    let hasChannels = chance(2)
    var lines = [
      (hasChannels ? ["Name", "R", "G", "B", "Stock"] : ["name", "hex", "stock"]).joined(
        separator: mark
      )
    ]
    for _ in 0..<(1 + number(4)) {
      let (name, stock) = (
        chance(4) ? "\"\(word()) \(word())\"" : word(), pick(["yes", "", "\"a b\""])
      )
      lines.append([name, hasChannels ? triple(mark) : hex(), stock].joined(separator: mark))
    }
    return lines
  }

  private mutating func document() -> [String] {
    var members: [String] = []
    for _ in 0..<(1 + number(4)) {
      members.append(
        "  {\(space())\"name\":\(space())\"\(word())\", \"hex\": \"\(hex())\"\(chance(2) ? ", \"tags\": [1]" : "")\(space())}"
      )
    }
    return [
      "{\"by\": \"me\", \"colors\": [", members.joined(separator: "," + lineEnd), "], \"end\": 1}",
    ]
  }

  private mutating func simple(_ kind: String) -> [String] {
    var lines: [String] = []
    let count = 1 + number(5)
    switch kind {
    case "gpl": lines += ["GIMP Palette", "Name: Brand", "Columns: 3", remark("#")]
    case "kde": lines += ["KDE RGB Palette", remark("#")]
    case "jasc": lines += ["JASC-PAL", "0100", "\(count)"]
    case "paintnet": lines += [";paint.net Palette File", remark(";")]
    case "hex": lines += chance(2) ? [remark(";")] : []
    default: break
    }
    for _ in 0..<count {
      switch kind {
      case "gpl", "kde":
        if chance(4) { lines.append(remark("#")) }
        lines.append(
          pick(["", " ", "  "]) + triple(pick([" ", "  "])) + pick(["\t", " "]) + word()
        )
      case "jasc": lines.append(triple(" "))
      case "paintnet": lines.append(pick(["FF", "ff", "80"]) + hex().dropFirst())
      case "hex": lines.append(String(hex().dropFirst()))
      default: lines.append(css() + (chance(2) ? "\t" + word() : ""))
      }
    }
    return lines
  }

  // MARK: Bytes

  private mutating func bytes(of format: String) throws -> [UInt8] {
    var colors: [NamedColor] = []
    for index in 0..<(1 + number(5)) {
      let group = chance(2) ? "Group/" : chance(3) ? "Group/Deep/" : ""
      let name = format == "kpl" || format == "ase" ? group + word() : word()
      colors.append(
        NamedColor(
          id: RecordID(high: 7, low: UInt64(index)),
          name: name,
          color: try Color(css: css())
        )
      )
    }
    let id = PaletteID(RecordID(high: 1, low: 2))
    return try FormatRegistry.standard.format(named: format)
      .write(PaletteSheet(id: id, name: "Press", digest: "", colors: colors))
  }
}
