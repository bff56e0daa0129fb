/// The positions of keys in the order in which they came.
///
/// Most palettes have few authors, and up to eight keys looking at each is faster than hashing.
struct KeyPositions<Key: Hashable> {
  private var keys: [Key] = []
  /// Empty while there are few keys.
  private var positions: [Key: Int] = [:]

  private static var fewKeys: Int { 8 }

  /// The position of a key, if it is there.
  func position(of key: Key) -> Int? {
    keys.count <= Self.fewKeys ? keys.firstIndex(of: key) : positions[key]
  }

  /// Adds a key that is not there yet, and returns its position.
  @discardableResult
  mutating func append(_ key: Key) -> Int {
    keys.append(key)
    if keys.count > Self.fewKeys {
      for position in (positions.isEmpty ? 0 : keys.count - 1)..<keys.count {
        positions[keys[position]] = position
      }
    }
    return keys.count - 1
  }
}
