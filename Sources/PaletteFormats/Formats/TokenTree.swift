internal import PaletteJSON
internal import PaletteModel

/// The tokens of a document, with what their groups say about them.
struct TokenTree {
  static let depthLimit = 32

  /// The results of resolving tokens, by their places among all.
  private final class Known {
    var kinds: [Int: Bool] = [:]
    var colors: [Int: Result<Color, FormatError>] = [:]
  }

  struct Token {
    /// Its place among all; nil for a part of a value.
    let index: Int?
    /// True if a group has it from the one that it extends.
    var isInherited = false
    /// The keys that lead to it.
    let path: [String]
    /// The places of these among the members around them.
    let indexes: [Int]
    let object: JSON
    /// The type that the token, or the nearest group around it, declares.
    let type: String?
    /// The number of keys that lead to what declares it.
    let typeDepth: Int

    var value: JSON { object["$value"] ?? object["value"] ?? .null }
    var isLegacy: Bool { object["$value"] == nil }

    /// The kind of change that Tokens Studio makes of the value, so that the color is another one.
    var modification: String? {
      guard let change = object["$extensions"]?["studio.tokens"]?["modify"] else { return nil }
      return TextRule.name.cleaned(change["type"]?.stringValue ?? "") ?? "modify"
    }
  }

  /// The most groups and tokens that are looked at to find out what groups have from others.
  private static let inheritanceLimit = 100_000

  private(set) var tokens: [Token] = []
  /// The groups that extend what is not there, or what has too much.
  private(set) var orphans: [[String]] = []
  /// The bytes left for paths; the tokens are not complete once they are spent.
  private(set) var budget: PathBudget
  private let known = Known()
  private let document: JSON
  private var indexes: [String: Int] = [:]
  private var inheritedCount = 0
  /// The members by their keys of groups that others extend, by the keys that lead to the group.
  private var membersOfGroups: [[String]: KeyedMembers] = [:]

  /// Collects the tokens of a document.
  ///
  /// - Parameters:
  ///   - document: The document.
  ///   - fileBytes: The size of its file.
  init(_ document: JSON, fileBytes: Int) {
    self.document = document
    budget = PathBudget(fileBytes: fileBytes)
    collect(document, path: [], indexes: [], type: nil)
    guard !budget.isSpent else { return }
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
    type: (name: String, depth: Int)?,
    inheriting: (depth: Int, own: JSON?)? = nil
  ) {
    guard let object = node.objectValue, path.count < Self.depthLimit, !budget.isSpent else {
      return
    }
    let named = (object["$type"] ?? (object["value"] == nil ? nil : object["type"]))?.stringValue
    let type = named.map { ($0, path.count) } ?? type
    let legacy = object["value"].map { $0.stringValue != nil || $0["r"] != nil } ?? false
    if object["$value"] != nil || legacy {
      guard budget.take(path) else { return }
      tokens.append(
        Token(
          index: tokens.count,
          isInherited: inheriting != nil,
          path: path,
          indexes: indexes,
          object: node,
          type: type?.name,
          typeDepth: type?.depth ?? 0
        )
      )
      return
    }
    let own = ownMembers(inheriting?.own, beside: object)
    for (index, member) in object.members.enumerated() {
      let place = inheriting == nil ? indexes + [index] : indexes
      if member.key == "$extends" {
        inherit(
          from: member.value,
          path: path,
          indexes: place,
          (inheriting?.depth ?? 0, inheriting == nil ? node : inheriting?.own)
        )
      }
      // "$root" is a token of the group itself, all else with a dollar belongs to the format.
      guard !member.key.hasPrefix("$") || member.key == "$root" else { continue }
      var next = inheriting
      if inheriting != nil {
        inheritedCount += 1
        guard inheritedCount <= Self.inheritanceLimit else { return }
        let own = own?[member.key]
        // A token of the group's own stands for the one that it would have.
        guard own.map({ !Self.isToken($0) && !Self.isToken(member.value) }) ?? true else {
          continue
        }
        next?.own = own
      }
      collect(
        member.value,
        path: path + [member.key],
        indexes: place,
        type: type,
        inheriting: next
      )
    }
  }

  /// The members that a group has itself, to be looked up for each that it would have from another one.
  private mutating func ownMembers(_ own: JSON?, beside other: JSONObject) -> KeyedMembers? {
    guard let own = own?.objectValue else { return nil }
    let isLarge = min(own.members.count, other.members.count) > KeyedMembers.fewMembers
    if isLarge { inheritedCount += own.members.count }
    return KeyedMembers(own, isLarge: isLarge && inheritedCount <= Self.inheritanceLimit)
  }

  private static func isToken(_ node: JSON) -> Bool {
    node["$value"] != nil || node["value"]?.stringValue != nil
  }

  /// Adds the tokens that a group has from another one.
  private mutating func inherit(
    from reference: JSON,
    path: [String],
    indexes: [Int],
    _ inheriting: (depth: Int, own: JSON?)
  ) {
    inheritedCount += 1
    guard let keys = Self.keys(of: reference), inheriting.depth < Self.depthLimit,
      inheritedCount <= Self.inheritanceLimit
    else { return addOrphan(path) }
    var (node, type) = (document, document["$type"]?.stringValue.map { ($0, 0) })
    for (depth, key) in keys.enumerated() {
      guard let next = member(key, of: node, at: keys[..<depth]) else { return addOrphan(path) }
      node = next
      type = node["$type"]?.stringValue.map { ($0, path.count) } ?? type
    }
    guard !Self.isToken(node) else { return addOrphan(path) }
    collect(
      node,
      path: path,
      indexes: indexes,
      type: type,
      inheriting: (inheriting.depth + 1, inheriting.own)
    )
  }

  private mutating func addOrphan(_ path: [String]) {
    if budget.take(path) { orphans.append(path) }
  }

  /// The member of a group that others extend.
  private mutating func member(_ key: String, of node: JSON, at path: ArraySlice<String>) -> JSON? {
    guard let object = node.objectValue, object.members.count > KeyedMembers.fewMembers else {
      return node[key]
    }
    let path = Array(path)
    if let members = membersOfGroups[path] { return members[key] }
    let members = KeyedMembers(object, isLarge: true)
    membersOfGroups[path] = members
    return members[key]
  }

  /// The keys that lead to a group: `{a.b}`, or a pointer.
  private static func keys(of reference: JSON) -> [String]? {
    let text = (reference.stringValue ?? reference["$ref"]?.stringValue)?.trimmed ?? ""
    if text.hasPrefix("#/") {
      return text.dropFirst(2).split(separator: "/", maxSplits: depthLimit)
        .map { String($0).replacing("~1", with: "/").replacing("~0", with: "~") }
    }
    guard text.hasPrefix("{"), text.hasSuffix("}") else { return nil }
    return text.dropFirst().dropLast().split(separator: ".", maxSplits: depthLimit)
      .map { String($0).trimmed }
  }

  /// True if the colors are texts of a kind that was there before CSS had other spaces than sRGB.
  ///
  /// The format has objects; its drafts had hexadecimal digits, and older tools read those, `rgb()` and `hsl()`.
  var hasOldTexts: Bool {
    var isOld = false
    for token in tokens where isColor(token) && target(of: token) == nil {
      guard let text = token.value.stringValue else {
        // Objects of channels are older still.
        guard token.value["r"] == nil else { continue }
        return false
      }
      guard !Self.isNew(text) else { return false }
      isOld = true
    }
    return isOld
  }

  /// True if a color is the text of a function that CSS got after these drafts.
  var hasNewTexts: Bool {
    tokens.contains { token in token.value.stringValue.map(Self.isNew) ?? false }
  }

  private static func isNew(_ text: String) -> Bool {
    ["oklch(", "oklab(", "lch(", "lab(", "color(", "hwb("].contains { text.hasPrefix($0) }
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
      if let change = token.modification {
        return .failure(.badFile("Tokens Studio changes its color (\(change)) by rules of its own"))
      }
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

  /// Follows the references of a token to one with a value, which all tokens on the way share.
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
      type: nil,
      typeDepth: 0
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

/// The members of an object by their keys.
private struct KeyedMembers {
  /// The most members of an object in which a key is found as fast without more.
  static let fewMembers = 16

  private let object: JSONObject
  /// The indexes of the members by the bytes of their keys; nil if there are few.
  private var indexes: [[UInt8]: Int]?

  init(_ object: JSONObject, isLarge: Bool) {
    self.object = object
    guard isLarge else { return }
    let keys = object.members.enumerated().map { (Array($1.key.utf8), $0) }
    indexes = Dictionary(keys) { $1 }
  }

  /// The value of the last member with a key.
  subscript(key: String) -> JSON? {
    guard let indexes else { return object[key] }
    return indexes[Array(key.utf8)].map { object.members[$0].value }
  }
}
