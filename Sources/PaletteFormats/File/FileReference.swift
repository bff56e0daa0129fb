internal import PaletteModel

/// A place in the text of a file that names an entry of it: an alias, `var()`, `$name`.
public struct FileReference: Hashable, Sendable {
  /// The entries that define the name; several where a stylesheet says it in several rules.
  let targets: [Int]
  /// The range of the key of the entry, which another one replaces when the entry is renamed.
  let name: Range<Int>
  /// The range that a value can replace when the entry is gone; nil where none can.
  let whole: Range<Int>?
  /// The form of such a value.
  var form = Form.color
  /// The spelling of the name.
  var spelling = Spelling.key(.none)
  /// The ranges of the names of the groups before it, as far as it says them.
  var groups: [Range<Int>] = []

  /// The spelling of the name in a reference.
  enum Spelling: Hashable, Sendable {
    /// The key in quotes of its own, or in none.
    case key(Quoting)
    /// A part of a JSON pointer.
    case pointer
    /// A part of a path in a script, between dots or in brackets.
    case part

    /// True if the groups of the entry stand before it.
    var isPath: Bool { self == .part || self == .pointer || self == .key(.json) }
  }

  /// The form of the value that a reference stands for.
  enum Form: Hashable, Sendable {
    /// The color as its entry has it.
    case color
    /// The whole value of a design token.
    case token(hasObjects: Bool)
    /// The color with the opacity in front, as Android has it.
    case alphaFirst
    /// The value of `var()` where the variable is not there: an argument behind the others.
    case fallback
    /// The color as a text of a script, in quotes of this kind.
    case quoted(UInt8)
  }

  /// The text that replaces a part of the reference when the entry is called otherwise.
  ///
  /// - Parameters:
  ///   - key: The new key.
  ///   - prefix: The beginning of the names in its group.
  ///   - old: The same as it was.
  /// - Returns: The part and the text; nil where the reference cannot spell it.
  func changed(
    to key: String,
    in prefix: String,
    from old: String
  ) -> (range: Range<Int>, text: String)? {
    guard let name = name(of: key) else { return nil }
    guard !prefix.hasSameBytes(as: old) else { return (self.name, name) }
    let (before, after) = (old.split(separator: "/"), prefix.split(separator: "/"))
    let skipped = before.count - groups.count
    guard spelling.isPath, skipped >= 0, after.count >= skipped,
      before.prefix(skipped) == after.prefix(skipped)
    else { return nil }
    let parts = after.dropFirst(skipped).map { self.name(of: String($0)) }
    guard !parts.contains(nil) else { return nil }
    let path = parts.compactMap(\.self) + [name]
    let start = groups.first?.lowerBound ?? self.name.lowerBound
    let mark = spelling == .pointer ? "/" : "."
    return (start..<self.name.upperBound, path.joined(separator: mark))
  }

  /// The text that means a key; nil where the reference cannot spell it.
  func name(of key: String) -> String? {
    switch spelling {
    case .key(let quoting): return quoting.quoted(key)
    case .pointer:
      let escaped = key.replacingBytes(of: "~", with: "~0").replacingBytes(of: "/", with: "~1")
      return Quoting.json.quoted(escaped)
    case .part:
      let marks = Set(".[]'\"`\\/".utf8)
      return key.isEmpty || key.utf8.contains(where: marks.contains) ? nil : key
    }
  }
}
