import PaletteModel

/// What a transaction has touched, by its name.
///
/// Nothing is removed, so that an index leads to its value for good.
struct TouchTable<Key: Hashable, Value> {
  private(set) var keys: [Key] = []
  var values: [Value] = []
  private var positions: [Key: Int] = [:]

  var isEmpty: Bool { keys.isEmpty }

  /// The value of a key.
  subscript(key: Key) -> Value? { positions[key].map { values[$0] } }

  /// Where the value of a key is.
  func index(of key: Key) -> Int? { positions[key] }

  /// Puts a value in the place of the one that the key has, if it has one.
  ///
  /// - Returns: Where it is.
  @discardableResult
  mutating func put(_ value: Value, for key: Key) -> Int {
    if let index = positions[key] {
      values[index] = value
      return index
    }
    positions[key] = keys.count
    keys.append(key)
    values.append(value)
    return keys.count - 1
  }

  /// Tells of every key, its value, and where that is.
  func tell(_ body: (Key, Value, Int) -> Void) {
    for index in keys.indices { body(keys[index], values[index], index) }
  }

  /// Makes room for as many keys more.
  mutating func reserve(_ count: Int) {
    keys.reserveCapacity(keys.count + count)
    values.reserveCapacity(keys.count + count)
    positions.reserveCapacity(keys.count + count)
  }
}
