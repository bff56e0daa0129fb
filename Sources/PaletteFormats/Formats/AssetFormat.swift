internal import PaletteJSON
internal import PaletteModel

/// The color sets of Xcode: one folder a color, in folders that are groups, or an archive of them.
struct AssetFormat: FileFormat {
  let name = "xcassets"
  let title = "Xcode color assets"
  let extensions = ["xcassets", "colorset"]
  let contentType = "application/zip"
  let keeps: KeptContent = [.names, .alpha]
  // Folders have none, and Xcode shows them by their names.
  let keepsOrder = false

  private static let ending = ".colorset/Contents.json"

  func match(_ file: FileProbe) -> FormatMatch {
    if file.paths.contains(where: { $0.hasSuffix(Self.ending) || $0 == "Contents.json" }) {
      return .certain
    }
    guard let colors = file.json?["colors"]?.arrayValue else { return .none }
    return FormatMatch(.certain, if: colors.contains { $0["idiom"] != nil })
  }

  func read(_ file: FileProbe) throws(FormatError) -> FileContents {
    var contents = FileContents()
    guard !file.paths.isEmpty else {
      let parent = file.name.split(separator: "/").dropLast().last ?? ""
      let name = parent.hasSuffix(".colorset") ? String(parent.dropLast(9)) : nil
      try append(try file.parsedJSON.get(), name: name, at: "", to: &contents)
      return contents
    }
    contents.title = file.title
    // A catalog of pictures alone is none of colors.
    contents.isPalette = !file.paths.contains {
      $0.contains("set/") && !$0.hasSuffix(Self.ending)
    }
    for asset in try file.files() {
      // A folder that is itself a color set has its description at the top.
      let isTop = asset.path == "Contents.json" && file.name.contains(".colorset")
      guard asset.path.hasSuffix(Self.ending) || isTop else { continue }
      let folders = asset.path.dropLast(Self.ending.count).split(separator: "/").map(String.init)
      let groups = folders.filter { !$0.hasSuffix(".xcassets") }
      let name = isTop ? file.title : groups.joined(separator: "/")
      do throws(FormatError) {
        let document = try FileProbe(asset.bytes).parsedJSON.get()
        try append(document, name: name, at: asset.path, to: &contents)
      } catch {
        contents.skipped.append(SkippedEntry(at: asset.path, reason: error.message))
      }
    }
    return contents
  }

  /// Adds a color for each appearance; devices that show the same are one.
  private func append(
    _ document: JSON,
    name: String?,
    at path: String,
    to contents: inout FileContents
  ) throws(FormatError) {
    guard let colors = document["colors"]?.arrayValue else {
      throw .badFile("the color set has no list \"colors\"")
    }
    var seen: Set<[String]> = []
    for (index, element) in colors.enumerated() {
      // A set may say for what it has no color.
      guard let color = element["color"] else { continue }
      var words = (element["appearances"]?.arrayValue ?? []).compactMap { $0["value"]?.stringValue }
      if let gamut = element["display-gamut"]?.stringValue { words.append(gamut) }
      guard seen.insert(words).inserted else { continue }
      let place = (path.isEmpty ? "" : path + " ") + "colors[\(index)]"
      guard let value = Self.color(color) else {
        let reason = "not a color space with red, green and blue, or white, that can be read"
        contents.skipped.append(SkippedEntry(at: place, reason: reason))
        continue
      }
      let isFirst = seen.count == 1
      let full = name.map {
        isFirst || words.isEmpty ? $0 : "\($0) (\(words.joined(separator: ", ")))"
      }
      contents.entries.append(
        FileEntry(name: full.flatMap(TextRule.name.cleaned), color: value)
      )
    }
  }

  private static func color(_ color: JSON) -> Color? {
    let components = color["components"]
    let alpha = component(components?["alpha"], isPart: true) ?? 1
    let space = color["color-space"]?.stringValue ?? "srgb"
    let isPart = hasParts(components)
    if let white = component(components?["white"], isPart: isPart) {
      // Gray of gamma 2.2 is near enough to the curve of sRGB for a grey.
      return shade(.srgb, [white, white, white], alpha)
    }
    let parts = ["red", "green", "blue"].compactMap {
      component(components?[$0], isPart: isPart)
    }
    guard parts.count == 3 else { return nil }
    switch space {
    case "srgb", "extended-srgb": return shade(.srgb, parts, alpha)
    case "display-p3": return shade(.displayP3, parts, alpha)
    case "extended-linear-srgb": return shade(.srgbLinear, parts, alpha)
    default: return nil
    }
  }

  private static func shade(_ space: ColorSpace, _ parts: [Double], _ alpha: Double) -> Color {
    var color = Color(space, parts[0], parts[1], parts[2]).nearestBytes
    color.alpha = min(1, max(0, alpha))
    return color
  }

  /// Returns whether `"1"` is the whole: beside `"0.5"`, and where nothing is more.
  private static func hasParts(_ components: JSON?) -> Bool {
    let texts = ["red", "green", "blue", "white"].compactMap { components?[$0]?.stringValue }
    return texts.contains { $0.contains(".") } || texts.allSatisfy { ["0", "1"].contains($0) }
  }

  /// `"0.5"` is a part of one; `"0x80"` and `"128"` are bytes.
  private static func component(_ value: JSON?, isPart: Bool) -> Double? {
    if let number = value?.numberValue { return number.isFinite ? number : nil }
    guard let text = value?.stringValue?.trimmed else { return nil }
    if text.lowercased().hasPrefix("0x") {
      return UInt8(text.dropFirst(2), radix: 16).map { Double($0) / 255 }
    }
    guard let number = Double(text), number.isFinite else { return nil }
    return text.contains(".") || (isPart && number <= 1) ? number : number / 255
  }

  func write(_ sheet: PaletteSheet) throws(FormatError) -> [UInt8] {
    let names = sheet.colors.map { TextRule.name.cleaned($0.name) ?? "" }
    // To a Mac, names that differ in case are one.
    let tree = NameTree(names, ignoresCase: true, spell: Self.fileName)
    var writer = ZipWriter()
    let root = Self.fileName(TextRule.name.cleaned(sheet.name) ?? "Palette") + ".xcassets/"
    writer.add("\(root)Contents.json", Self.document([]))
    add(tree, sheet.colors, in: root, to: &writer)
    return writer.finished()
  }

  /// A name as one of a file, with room for an ending and a number below the 255 bytes of systems.
  private static func fileName(_ name: String) -> String {
    var key = ["/", ":", "\\"].reduce(name) { $0.replacingBytes(of: $1, with: "-") }
    if key.utf8.first == UInt8(ascii: ".") { key = "-" + key.dropFirst() }
    while key.utf8.count > 230 { key.unicodeScalars.removeLast() }
    return key
  }

  private func add(
    _ tree: NameTree,
    _ colors: [NamedColor],
    in folder: String,
    to writer: inout ZipWriter
  ) {
    for member in tree.members {
      let key = member.key
      switch member.node {
      case .group(let group):
        let properties: JSON = ["provides-namespace": true]
        writer.add(
          "\(folder)\(key)/Contents.json",
          Self.document([.init("properties", properties)])
        )
        add(group, colors, in: "\(folder)\(key)/", to: &writer)
      case .color(let index):
        let color: JSON = [["idiom": "universal", "color": Self.document(of: colors[index].color)]]
        writer.add("\(folder)\(key)\(Self.ending)", Self.document([.init("colors", color)]))
      }
    }
  }

  private static func document(of color: Color) -> JSON {
    let isP3 = color.bytes8 == nil && !color.converted(to: .srgb).isInGamut
    let parts = isP3 ? partsInP3(of: color) : color.shownParts
    func text(_ value: Double) -> JSON {
      JSON(value == value.rounded() ? "\(value)" : JSON(value).text)
    }
    return [
      "color-space": isP3 ? "display-p3" : "srgb",
      "components": [
        "red": text(parts[0]), "green": text(parts[1]), "blue": text(parts[2]),
        "alpha": text(color.alpha ?? 0),
      ],
    ]
  }

  /// The parts in Display P3; where that has no such color, those of one with less chroma.
  private static func partsInP3(of color: Color) -> [Double] {
    func parts(_ color: Color) -> [Double] {
      color.converted(to: .displayP3).components.map { $0 ?? 0 }
    }
    func isInside(_ parts: [Double]) -> Bool { parts.allSatisfy { (-1e-6...1 + 1e-6) ~= $0 } }
    var found = parts(color)
    if !isInside(found) {
      let lch = color.converted(to: .oklch).components.map { $0 ?? 0 }
      var (least, most) = (0.0, lch[1])
      for _ in 0..<32 {
        let chroma = (least + most) / 2
        let isHeld = isInside(parts(Color(.oklch, lch[0], chroma, lch[2])))
        (least, most) = isHeld ? (chroma, most) : (least, chroma)
      }
      found = parts(Color(.oklch, lch[0], least, lch[2]))
    }
    return found.map { min(1, max(0, $0)) }
  }

  private static func document(_ members: [JSONObject.Member]) -> [UInt8] {
    let info: JSON = ["author": "xcode", "version": 1]
    return JSON.object(JSONObject(members + [.init("info", info)])).bytes
  }
}
