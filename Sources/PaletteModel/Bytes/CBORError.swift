/// Why bytes are not the deterministic CBOR that was expected.
package enum CBORError: Error, Equatable {
  /// The bytes end inside an item.
  case truncated
  /// An item of another type stands here.
  case unexpectedType
  /// The value has a shorter or differently ordered encoding.
  case notDeterministic
  /// A text is not UTF-8.
  case invalidUTF8
  /// A float is infinite or no number.
  case notFinite
  /// Items are nested too deeply.
  case tooDeep
}
