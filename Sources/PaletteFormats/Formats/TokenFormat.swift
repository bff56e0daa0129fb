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
    let tree = TokenTree(document, fileBytes: file.bytes.count)
    guard !tree.budget.isSpent else { throw .longPaths }
    guard tree.tokens.count <= FileLimit.colors else { throw .tooMany("tokens", FileLimit.colors) }
    let text = file.contentBytes
    let outline = JSONOutline(of: text)
    let hasObjects = tree.tokens.contains { $0.object["$value"]?["colorSpace"] != nil }
    let texts: EntrySlot.Meaning =
      tree.hasNewTexts || !hasObjects ? .color(.json) : .tokenText(hasObjects: true)
    var contents = FileContents()
    contents.title = document["$extensions"]?[Self.vendor]?["name"]?.stringValue
      .flatMap(TextRule.name.cleaned)
    let ours = outline.value(of: "$extensions", in: text)?.value(of: Self.vendor, in: text)
    contents.titlePlace = ours?.value(of: "name", in: text).map {
      TitlePlace(range: $0.range.inner, quoting: .json)
    }
    contents.limit = tree.hasOldTexts ? .bytes(hasAlpha: true) : .format
    // Tokens may be sizes and fonts alone.
    contents.isPalette = contents.title != nil
    var colors: Set<String> = []
    for token in tree.tokens where tree.isColor(token) {
      do throws(FormatError) {
        var entry = try entry(token, tree)
        entry.place =
          token.isInherited
          ? Self.place(ofInherited: token, in: outline)
          : place(of: token, in: outline, text, texts: texts, hasObjects: hasObjects)
        contents.entries.append(entry)
        colors.insert(token.path.joined(separator: "/"))
      } catch {
        let path = token.path.joined(separator: ".")
        contents.skipped.append(SkippedEntry(at: path, reason: error.message))
      }
    }
    var others = TokenGroups(tree, besides: colors, fileBytes: text.count)
    others.collect(outline, text, path: "")
    guard !others.budget.isSpent else { throw .longPaths }
    (contents.groupPlaces, contents.taken) = (others.places, others.keys)
    contents.hasKeyTwice = others.hasKeyTwice
    for path in tree.orphans {
      let reason = "it extends no group that is there"
      contents.skipped.append(SkippedEntry(at: path.joined(separator: "."), reason: reason))
    }
    return contents
  }

  func references(in text: [UInt8], to entries: [FileEntry]) -> [FileReference] {
    TokenReferences(in: text, to: entries).found
  }

  /// The place of a token that a group has from another one: where it says so.
  private static func place(
    ofInherited token: TokenTree.Token,
    in outline: JSONOutline
  ) -> EntryPlace? {
    var node = outline
    var place = 0
    for index in token.indexes {
      guard index < node.members.count else { return nil }
      place = node.members[index].key.lowerBound
      node = node.members[index].value
    }
    let range = place..<place
    return EntryPlace(
      range: range,
      lineEnd: nil,
      slots: [EntrySlot(range: range, meaning: .inherited)]
    )
  }

  func tidied(_ text: [UInt8]) -> [UInt8] { JSONOutline.withoutTrailingCommas(text) }

  /// The place of a token, and the parts of it by their meaning.
  private func place(
    of token: TokenTree.Token,
    in outline: JSONOutline,
    _ text: [UInt8],
    texts: EntrySlot.Meaning,
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
    } else if isText, case .tokenText = texts {
      let meaning = EntrySlot.Meaning.tokenText(hasObjects: !token.isLegacy)
      slots.append(EntrySlot(range: value.range, meaning: meaning))
    } else if isText {
      slots.append(EntrySlot(range: value.range.inner, meaning: texts))
    } else {
      slots.append(EntrySlot(range: value.range, meaning: .tokenValue))
    }
    let note = node.value(of: "$description", in: text) ?? node.value(of: "description", in: text)
    if let note, let member = node.members.firstIndex(where: { $0.value.range == note.range }) {
      let range = Self.range(of: member, in: node)
      let meaning = EntrySlot.Meaning.noteMember(
        before: String(decoding: text[range.lowerBound...note.range.lowerBound], as: UTF8.self),
        after: String(decoding: text[note.range.inner.upperBound..<range.upperBound], as: UTF8.self)
      )
      slots.append(EntrySlot(range: range, meaning: meaning))
    } else {
      let end = value.range.upperBound
      slots.append(EntrySlot(range: end..<end, meaning: .missingNote))
    }
    slots += Self.own(of: node, ours: ours, in: text)
    if let type = Self.type(of: token, in: node, text) { slots.append(type) }
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
    place.isMember = true
    return place
  }

  /// The range of a member with the comma before it, or, where it is the first, the one behind it.
  private static func range(of index: Int, in node: JSONOutline) -> Range<Int> {
    let member = node.members[index]
    if index > 0 {
      return node.members[index - 1].value.range.upperBound..<member.value.range.upperBound
    }
    let end =
      node.members.count > 1 ? node.members[1].key.lowerBound : member.value.range.upperBound
    return member.key.lowerBound..<end
  }

  /// The place of the type that a token has from a group around it.
  private static func type(
    of token: TokenTree.Token,
    in node: JSONOutline,
    _ text: [UInt8]
  ) -> EntrySlot? {
    guard let type = token.type, token.typeDepth < token.path.count,
      let start = node.members.first?.key.lowerBound
    else { return nil }
    let key = token.isLegacy ? "type" : "$type"
    let space = text[..<start].reversed().prefix { $0 <= 0x20 }.reversed()
    let lead = space.isEmpty ? " " : String(decoding: space, as: UTF8.self)
    return EntrySlot(
      range: start..<start,
      meaning: .needed(
        outside: token.path.prefix(token.typeDepth).map { $0 + "/" }.joined(),
        text: "\"\(key)\": \(JSON(type).text),\(lead)"
      )
    )
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
      let range = range(of: index, in: node)
      slots.append(EntrySlot(range: range, meaning: .own))
    }
    return slots
  }

  private func entry(_ token: TokenTree.Token, _ tree: TokenTree) throws(FormatError) -> FileEntry {
    let ours = token.isInherited ? nil : token.object["$extensions"]?[Self.vendor]
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

/// The groups of a document, and the paths of what is no color in it.
private struct TokenGroups {
  private(set) var places: [String: Range<Int>] = [:]
  private(set) var keys: Set<String> = []
  private(set) var hasKeyTwice = false
  private let tokens: Set<String>
  private let colors: Set<String>
  /// The bytes left for paths; the groups are not complete once they are spent.
  private(set) var budget: PathBudget

  init(_ tree: TokenTree, besides colors: Set<String>, fileBytes: Int) {
    budget = PathBudget(fileBytes: fileBytes)
    tokens = Set(tree.tokens.lazy.filter { !$0.isInherited }.map { $0.path.joined(separator: "/") })
    self.colors = colors
  }

  /// Takes the members of a group.
  mutating func collect(_ node: JSONOutline, _ text: [UInt8], path: String) {
    var own: Set<String> = []
    for member in node.members {
      let key = Quoting.json.plain(String(decoding: text[member.key.inner], as: UTF8.self))
      if !own.insert(key).inserted { hasKeyTwice = true }
      let name = path + key
      guard !key.hasPrefix("$") else { continue }
      guard budget.take(CollectionOfOne(name)) else { return }
      if !colors.contains(name) { keys.insert(name) }
      guard !tokens.contains(name), text[member.value.range].first == UInt8(ascii: "{") else {
        continue
      }
      places[name + "/"] = member.key.lowerBound..<member.value.range.upperBound
      collect(member.value, text, path: name + "/")
    }
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
