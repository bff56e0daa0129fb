internal import PaletteJSON
internal import PaletteModel

/// Design tokens: the format of the community group, and what Style Dictionary and Tokens Studio wrote
/// before there was one.
///
/// What the format has no place for stands in `$extensions`, where other tools leave it alone.
struct TokenFormat: FileFormat {
  let name = "dtcg"
  let title = "Design tokens (DTCG)"
  let extensions = ["tokens", "json"]
  let contentType = "application/design-tokens+json"
  let keeps: KeptContent = .all

  private static let vendor = "dev.hued"

  func match(_ file: FileProbe) -> FormatMatch {
    guard let document = file.json, document.isObject else { return .none }
    if Self.holds("$value", in: document, depth: 0) { return .certain }
    return FormatMatch(.likely, if: Self.holds("value", in: document, depth: 0))
  }

  private static func holds(_ key: String, in node: JSON, depth: Int) -> Bool {
    guard let object = node.objectValue, depth < TokenTree.depthLimit else { return false }
    // A color of our own document has a value of the same name, but in a list.
    return object.members.contains { member in
      member.key == key || holds(key, in: member.value, depth: depth + 1)
    }
  }

  func read(_ file: FileProbe) throws(FormatError) -> FileContents {
    let document = try file.parsedJSON.get()
    guard document.isObject else { throw .badFile("design tokens are an object") }
    let tree = TokenTree(document)
    guard tree.tokens.count <= FileLimit.colors else { throw .tooMany("tokens", FileLimit.colors) }
    let text = file.contentBytes
    let outline = JSONOutline(of: text)
    let hasObjects = tree.tokens.contains { $0.object["$value"]?["colorSpace"] != nil }
    var contents = FileContents()
    contents.title = document["$extensions"]?[Self.vendor]?["name"]?.stringValue
      .flatMap(TextRule.name.cleaned)
    contents.limit = tree.hasOldTexts ? .bytes(hasAlpha: true) : .format
    // Tokens may be sizes and fonts alone.
    contents.isPalette = contents.title != nil
    for token in tree.tokens where tree.isColor(token) {
      do throws(FormatError) {
        var entry = try entry(token, tree)
        entry.place = place(of: token, in: outline, text, hasObjects: hasObjects)
        contents.entries.append(entry)
      } catch {
        let path = token.path.joined(separator: ".")
        contents.skipped.append(SkippedEntry(at: path, reason: error.message))
      }
    }
    return contents
  }

  func tidied(_ text: [UInt8]) -> [UInt8] { JSONOutline.withoutTrailingCommas(text) }

  /// The place of a token, and the parts of it by their meaning.
  private func place(
    of token: TokenTree.Token,
    in outline: JSONOutline,
    _ text: [UInt8],
    hasObjects: Bool
  ) -> EntryPlace? {
    var node = outline
    var member: JSONOutline.Member?
    var groups: [Range<Int>] = []
    for index in token.indexes {
      guard index < node.members.count else { return nil }
      if let member { groups.append(member.key.lowerBound..<member.value.range.upperBound) }
      member = node.members[index]
      node = node.members[index].value
    }
    guard let member, let key = token.path.last,
      let value = node.value(of: token.isLegacy ? "value" : "$value", in: text)
    else { return nil }
    let ours = node.value(of: "$extensions", in: text)?.value(of: Self.vendor, in: text)
    let name = ours?.value(of: "name", in: text)
    var slots = [
      EntrySlot(
        range: member.key.inner,
        meaning: .key(.json, isFixed: name != nil || key == "$root")
      )
    ]
    let isText = text[value.range.lowerBound] == UInt8(ascii: "\"")
    let isReference = token.value["$ref"] != nil || token.value.stringValue?.contains("{") == true
    if isReference, hasObjects || !isText {
      slots.append(EntrySlot(range: value.range, meaning: .tokenReference))
    } else if isReference {
      slots.append(EntrySlot(range: value.range.inner, meaning: .reference(.json)))
    } else if isText {
      slots.append(EntrySlot(range: value.range.inner, meaning: .color(.json)))
    } else {
      slots.append(EntrySlot(range: value.range, meaning: .tokenValue))
    }
    let note = node.value(of: "$description", in: text) ?? node.value(of: "description", in: text)
    if let note {
      slots.append(EntrySlot(range: note.range.inner, meaning: .note(.json)))
    } else {
      let end = value.range.upperBound
      slots.append(EntrySlot(range: end..<end, meaning: .missingNote))
    }
    slots += Self.own(of: node, ours: ours, in: text)
    if let name { slots.append(EntrySlot(range: name.range.inner, meaning: .name(.json))) }
    if let color = ours?.value(of: "color", in: text) {
      slots.append(EntrySlot(range: color.range.inner, meaning: .color(.json)))
    }
    if let id = ours?.value(of: "id", in: text) {
      slots.append(EntrySlot(range: id.range.inner, meaning: .id))
      let end = id.range.upperBound
      if name == nil { slots.append(EntrySlot(range: end..<end, meaning: .missingExtension)) }
    }
    var place = JSONOutline.place(
      of: member.key.lowerBound..<node.range.upperBound,
      in: text,
      slots,
      prefix: token.path.dropLast().map { $0 + "/" }.joined()
    )
    place.groups = groups
    return place
  }

  /// The members that a new token does not have: its neighbor's extensions, comment, deprecation.
  private static func own(
    of node: JSONOutline,
    ours: JSONOutline?,
    in text: [UInt8]
  ) -> [EntrySlot] {
    let kept = ["$value", "$type", "value", "type", "$description", "description"]
    var slots: [EntrySlot] = []
    for (index, member) in node.members.enumerated() {
      let key = String(decoding: text[member.key.inner], as: UTF8.self)
      guard !kept.contains(key), key != "$extensions" || ours == nil else { continue }
      // With the comma before it, or, where it is the first, the one behind it.
      let range =
        if index > 0 {
          node.members[index - 1].value.range.upperBound..<member.value.range.upperBound
        } else if node.members.count > 1 {
          member.key.lowerBound..<node.members[1].key.lowerBound
        } else {
          member.key.lowerBound..<member.value.range.upperBound
        }
      slots.append(EntrySlot(range: range, meaning: .own))
    }
    return slots
  }

  private func entry(_ token: TokenTree.Token, _ tree: TokenTree) throws(FormatError) -> FileEntry {
    let ours = token.object["$extensions"]?[Self.vendor]
    let exact = ours?["color"]?.stringValue.flatMap { try? Color(css: $0) }
    let note = (token.object["$description"] ?? token.object["description"])?.stringValue
    let path = token.path.last == "$root" ? token.path.dropLast() : token.path
    let color = if let exact { exact } else { try tree.color(of: token) }
    return FileEntry(
      id: ours?["id"]?.stringValue.flatMap { RecordID($0) },
      name: TextRule.name.cleaned(ours?["name"]?.stringValue ?? path.joined(separator: "/")),
      color: color,
      note: note.map { TextRule.note.cleaned($0) ?? "" }
    )
  }

  func write(_ sheet: PaletteSheet) throws(FormatError) -> [UInt8] {
    let names = sheet.colors.map { TextRule.name.cleaned($0.name) ?? "" }
    let tree = NameTree(names) { Quoting.json.key($0) }
    var members = object(of: tree, path: [], sheet.colors)
    members["$extensions"] = [Self.vendor: ["name": JSON(sheet.name)]]
    var text: [UInt8] = []
    text.append(indenting: .object(members), depth: 0)
    return text + [0x0A]
  }

  private func object(of tree: NameTree, path: [String], _ colors: [NamedColor]) -> JSONObject {
    JSONObject(
      tree.members.map { member in
        let key = member.key
        switch member.node {
        case .group(let group):
          return .init(key, .object(object(of: group, path: path + [key], colors)))
        case .color(let index):
          return .init(key, token(colors[index], path: path + [key]))
        }
      }
    )
  }

  private func token(_ named: NamedColor, path: [String]) -> JSON {
    let name = TextRule.name.cleaned(named.name) ?? ""
    var ours = JSONObject([.init("id", JSON("\(named.id)"))])
    if path.joined(separator: "/") != name { ours["name"] = JSON(name) }
    // The format has no HSB.
    let color = named.color.space == .hsb ? named.color.converted(to: .srgb) : named.color
    if named.color.space == .hsb { ours["color"] = JSON(named.color.css) }
    var value = JSONObject([
      .init("colorSpace", JSON(color.space.cssName)),
      .init("components", .array(color.components.map { $0.map { JSON($0) } ?? "none" })),
    ])
    if color.alpha != 1 { value["alpha"] = color.alpha.map { JSON($0) } ?? "none" }
    value["hex"] = JSON(color.opaque.hex)
    var token = JSONObject([.init("$type", "color"), .init("$value", .object(value))])
    if !named.note.isEmpty { token["$description"] = JSON(named.note) }
    token["$extensions"] = [Self.vendor: .object(ours)]
    return .object(token)
  }
}

/// The tokens of a document, with what their groups say about them.
private struct TokenTree {
  static let depthLimit = 32

  /// The results of resolving tokens, by their places among all.
  private final class Known {
    var kinds: [Int: Bool] = [:]
    var colors: [Int: Result<Color, FormatError>] = [:]
  }

  struct Token {
    /// Its place among all; nil for a part of a value.
    let index: Int?
    /// The keys that lead to it.
    let path: [String]
    /// The places of these among the members around them.
    let indexes: [Int]
    let object: JSON
    /// The type that the token, or the nearest group around it, declares.
    let type: String?

    var value: JSON { object["$value"] ?? object["value"] ?? .null }
    var isLegacy: Bool { object["$value"] == nil }
  }

  private(set) var tokens: [Token] = []
  private let known = Known()
  private var indexes: [String: Int] = [:]

  init(_ document: JSON) {
    collect(document, path: [], indexes: [], type: nil)
    for (index, token) in tokens.enumerated() {
      let path = token.path.joined(separator: ".")
      if indexes[path] == nil { indexes[path] = index }
      // Tokens Studio puts sets around the groups, and leaves them out where it refers to a token.
      let short = token.path.dropFirst().joined(separator: ".")
      if token.path.count > 1, indexes[short] == nil { indexes[short] = index }
    }
  }

  private mutating func collect(
    _ node: JSON,
    path: [String],
    indexes: [Int],
    type: String?
  ) {
    guard let object = node.objectValue, path.count < Self.depthLimit else { return }
    let named = (object["$type"] ?? (object["value"] == nil ? nil : object["type"]))?.stringValue
    let type = named ?? type
    let legacy = object["value"].map { $0.stringValue != nil || $0["r"] != nil } ?? false
    if object["$value"] != nil || legacy {
      tokens.append(
        Token(index: tokens.count, path: path, indexes: indexes, object: node, type: type)
      )
      return
    }
    for (index, member) in object.members.enumerated() {
      // "$root" is a token of the group itself, all else with a dollar belongs to the format.
      guard !member.key.hasPrefix("$") || member.key == "$root" else { continue }
      collect(
        member.value,
        path: path + [member.key],
        indexes: indexes + [index],
        type: type
      )
    }
  }

  /// Whether the colors are texts of a kind that was there before CSS had other spaces than sRGB.
  ///
  /// The format has objects; its drafts had hexadecimal digits, and older tools read those, `rgb()` and `hsl()`.
  var hasOldTexts: Bool {
    var isOld = false
    for token in tokens where isColor(token) && target(of: token) == nil {
      guard let text = token.value.stringValue else { return false }
      let isNew = ["oklch(", "oklab(", "lch(", "lab(", "color(", "hwb("].contains {
        text.hasPrefix($0)
      }
      guard !isNew else { return false }
      isOld = true
    }
    return isOld
  }

  /// Returns whether a token is a color: by what it says; without a word, an old one by its value.
  func isColor(_ token: Token) -> Bool {
    follow(token, \.kinds, circular: false) { token in
      if let type = token.type { return type == "color" }
      if target(of: token) != nil { return nil }
      return token.isLegacy && (try? Self.color(of: token.value)) != nil
    }
  }

  /// The color of a token, through all that stand for others.
  func color(of token: Token, steps: Int = 0) throws(FormatError) -> Color {
    let circular = Result<Color, FormatError>.failure(.badFile("the token stands for itself"))
    guard steps < Self.depthLimit else { return try circular.get() }
    let found = follow(token, \.colors, circular: circular) { token in
      guard target(of: token) == nil else { return nil }
      return Result { () throws(FormatError) in
        guard let text = token.value.stringValue else { return try Self.color(of: token.value) }
        if let color = try translucent(text, steps: steps) { return color }
        guard !text.contains("{") else { throw .badFile("nothing has the name \(text)") }
        return try Self.color(of: token.value)
      }
    }
    return try found.get()
  }

  /// Goes from a token to those it stands for until one has a value; all on the way have the same.
  private func follow<Value>(
    _ token: Token,
    _ kept: ReferenceWritableKeyPath<Known, [Int: Value]>,
    circular: Value,
    _ value: (Token) -> Value?
  ) -> Value {
    var (token, way, result) = (token, Set<Int>(), circular)
    while true {
      if let index = token.index {
        if let value = known[keyPath: kept][index] {
          result = value
          break
        }
        guard way.insert(index).inserted else { break }
      }
      if let own = value(token) {
        result = own
        break
      }
      guard let next = target(of: token) else { break }
      token = next
    }
    for index in way { known[keyPath: kept][index] = result }
    return result
  }

  /// The color of `rgba(#ff0000, 0.5)` or `rgba({a.b}, 50%)`, as Tokens Studio writes another's opacity.
  private func translucent(_ text: String, steps: Int) throws(FormatError) -> Color? {
    guard text.hasPrefix("rgba("), text.hasSuffix(")") else { return nil }
    let parts = text.dropFirst(5).dropLast().split(separator: ",").map { String($0).trimmed }
    guard parts.count == 2, parts[0].hasPrefix("#") || parts[0].hasPrefix("{") else { return nil }
    let isPercent = parts[1].hasSuffix("%")
    guard let number = Double(isPercent ? parts[1].dropLast() : parts[1][...]) else { return nil }
    let first = Token(
      index: nil,
      path: [],
      indexes: [],
      object: ["value": JSON(parts[0])],
      type: nil
    )
    guard let whole = target(of: first) ?? (parts[0].hasPrefix("#") ? first : nil) else {
      return nil
    }
    var color = try self.color(of: whole, steps: steps + 1)
    color.alpha = min(1, max(0, isPercent ? number / 100 : number))
    return color
  }

  /// The token that another stands for: `{a.b}`, or a pointer.
  private func target(of token: Token) -> Token? {
    if let pointer = token.value["$ref"]?.stringValue, pointer.hasPrefix("#/") {
      let keys = pointer.dropFirst(2).split(separator: "/", maxSplits: Self.depthLimit + 1)
        .filter { $0 != "$value" }
      let path = keys.map { $0.replacing("~1", with: "/").replacing("~0", with: "~") }
      return indexes[path.joined(separator: ".")].map { tokens[$0] }
    }
    guard let text = token.value.stringValue?.trimmed, text.hasPrefix("{"), text.hasSuffix("}")
    else {
      return nil
    }
    var path = text.dropFirst().dropLast().trimmingPrefix(" ")
    if path.hasSuffix(".value") { path = path.dropLast(6) }
    return indexes[String(path)].map { tokens[$0] }
  }

  /// The color of a value: components with a space, a text, or red, green, blue from 0 to 255.
  private static func color(of value: JSON) throws(FormatError) -> Color {
    if let text = value.stringValue {
      do {
        return try Color(css: text)
      } catch {
        throw .badFile(error.message)
      }
    }
    if let parts = channels(value, ["r", "g", "b"]) {
      var color = Color(.srgb, parts[0] / 255, parts[1] / 255, parts[2] / 255).nearestBytes
      color.alpha = value["a"]?.numberValue.map { min(1, max(0, $0)) } ?? 1
      return color
    }
    // Drafts of the format said 'channels'.
    let components = value["components"] ?? value["channels"]
    guard let space = value["colorSpace"]?.stringValue, let list = components?.arrayValue,
      list.count == 3
    else {
      if let text = value["hex"]?.stringValue, let color = Color(fileText: text) { return color }
      throw .badFile("the value is neither a text nor a color space with three components")
    }
    guard let space = ColorSpace(cssName: space) else {
      throw .badFile("there is no color space '\(space)'")
    }
    var parts: [Double?] = []
    for element in list {
      if element.stringValue == "none" {
        parts.append(nil)
      } else if let number = element.numberValue, number.isFinite {
        parts.append(number)
      } else {
        throw .badFile("a component is neither a number nor \"none\"")
      }
    }
    let isNone = value["alpha"]?.stringValue == "none"
    let alpha = isNone ? nil : min(1, max(0, value["alpha"]?.numberValue ?? 1))
    let color = Color(space, parts[0], parts[1], parts[2], alpha: alpha)
    guard alpha == 1, !parts.contains(nil) else { return color }
    return color.nearestBytes
  }

  private static func channels(_ value: JSON, _ keys: [String]) -> [Double]? {
    let parts = keys.compactMap { value[$0]?.numberValue }
    return parts.count == keys.count && parts.allSatisfy(\.isFinite) ? parts : nil
  }
}

extension [UInt8] {
  /// Appends a document as people read it: two spaces a level, lists on one line.
  fileprivate mutating func append(indenting document: JSON, depth: Int) {
    guard case .object(let object) = document, !object.members.isEmpty else {
      self += document.bytes
      return
    }
    append(UInt8(ascii: "{"))
    for (index, member) in object.members.enumerated() {
      self +=
        Array((index == 0 ? "\n" : ",\n").utf8) + [UInt8](repeating: 0x20, count: depth * 2 + 2)
      self += JSON(member.key).bytes + Array(": ".utf8)
      append(indenting: member.value, depth: depth + 1)
    }
    self += [0x0A] + [UInt8](repeating: 0x20, count: depth * 2) + [UInt8(ascii: "}")]
  }
}
