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
  /// True if the name is a part of a JSON pointer.
  var isPointer = false

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
  }
}
