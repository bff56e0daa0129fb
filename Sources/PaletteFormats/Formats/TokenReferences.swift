/// The places in a document of design tokens that name a token: aliases, and pointers.
struct TokenReferences {
  /// The references in the order of the text.
  private(set) var found: [FileReference] = []
  private let text: [UInt8]
  /// The entries by the ranges of their keys.
  private var keys: [Int: Int] = [:]
  private var paths: [String: Int] = [:]
  private let hasObjects: Bool

  /// Finds the references to entries of a document.
  init(in text: [UInt8], to entries: [FileEntry]) {
    self.text = text
    var hasObjects = false
    for (index, entry) in entries.enumerated() {
      for slot in entry.place?.slots ?? [] {
        if case .key = slot.meaning { keys[slot.range.lowerBound] = index }
        if case .tokenValue = slot.meaning { hasObjects = true }
      }
    }
    self.hasObjects = hasObjects
    let outline = JSONOutline(of: text)
    name(outline, path: [])
    find(in: outline, key: nil, around: nil)
  }

  /// Finds the paths of the entries; sets of Tokens Studio are left out where it refers to a token.
  private mutating func name(_ node: JSONOutline, path: [String]) {
    for member in node.members {
      let path = path + [plain(member.key.inner)]
      if let entry = keys[member.key.inner.lowerBound] {
        for path in [path[...], path.dropFirst()] where !path.isEmpty {
          let name = path.joined(separator: ".")
          if paths[name] == nil { paths[name] = entry }
        }
      } else {
        name(member.value, path: path)
      }
    }
  }

  private func plain(_ range: Range<Int>) -> String {
    Quoting.json.plain(String(decoding: text[range], as: UTF8.self))
  }

  /// Looks for references in a value, which has a key in a value around it.
  private mutating func find(in node: JSONOutline, key: String?, around: JSONOutline?) {
    for member in node.members {
      find(in: member.value, key: plain(member.key.inner), around: node)
    }
    for element in node.elements { find(in: element, key: nil, around: node) }
    guard node.range.count > 2, text[node.range.lowerBound] == UInt8(ascii: "\"") else { return }
    if key == "$ref" { return pointer(node, around: around) }
    let inner = node.range.inner
    var open: Int?
    for place in inner {
      if text[place] == UInt8(ascii: "{") { open = place }
      guard text[place] == UInt8(ascii: "}"), let start = open else { continue }
      let isAll = start == inner.lowerBound && place + 1 == inner.upperBound
      alias(start..<(place + 1), whole: isAll ? node.range : nil)
      open = nil
    }
  }

  /// Adds `{a.b}`, perhaps with `.value` behind it.
  private mutating func alias(_ braces: Range<Int>, whole: Range<Int>?) {
    var path = braces.inner
    while let first = text[path].first, first == 0x20 { path.removeFirst() }
    while let last = text[path].last, last == 0x20 { path.removeLast() }
    for end in [".value", ".$value"] where text[path].count > end.utf8.count {
      let start = path.upperBound - end.utf8.count
      if text[start..<path.upperBound].elementsEqual(end.utf8) {
        path = path.lowerBound..<start
        break
      }
    }
    guard let target = paths[plain(path)] else { return }
    let dot = text[path].lastIndex(of: UInt8(ascii: "."))
    let name = (dot.map { $0 + 1 } ?? path.lowerBound)..<path.upperBound
    found.append(
      FileReference(
        targets: [target],
        name: name,
        whole: whole ?? braces,
        form: whole == nil ? .color : .token(hasObjects: hasObjects),
        spelling: .key(.json),
        groups: text[path].split(separator: UInt8(ascii: ".")).dropLast().map(\.indices)
      )
    )
  }

  /// Adds `#/a/b/$value`.
  private mutating func pointer(_ node: JSONOutline, around: JSONOutline?) {
    var path = node.range.inner
    guard text[path].starts(with: "#/".utf8) else { return }
    path = (path.lowerBound + 2)..<path.upperBound
    let end = Array("/$value".utf8)
    if text[path].count > end.count, text[path].suffix(end.count).elementsEqual(end) {
      path = path.lowerBound..<(path.upperBound - end.count)
    }
    let keys = plain(path).split(separator: "/", omittingEmptySubsequences: false)
      .map { $0.replacing("~1", with: "/").replacing("~0", with: "~") }
    guard let target = paths[keys.joined(separator: ".")] else { return }
    let slash = text[path].lastIndex(of: UInt8(ascii: "/"))
    let name = (slash.map { $0 + 1 } ?? path.lowerBound)..<path.upperBound
    found.append(
      FileReference(
        targets: [target],
        name: name,
        whole: around?.range,
        form: .token(hasObjects: true),
        spelling: .pointer,
        groups: text[path].split(separator: UInt8(ascii: "/")).dropLast().map(\.indices)
      )
    )
  }
}
