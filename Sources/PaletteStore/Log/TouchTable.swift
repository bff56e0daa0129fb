import PaletteModel

/// A key of a `TouchTable`: two words that tell it from every other one.
protocol TouchKey: Equatable {
  var words: (UInt64, UInt64) { get }
}

extension RecordID: TouchKey {}

extension Dot: TouchKey {
  var words: (UInt64, UInt64) { (node.rawValue, UInt64(sequence)) }
}

/// What a transaction has touched, by its name.
///
/// It is a hash table that is asked several times for every change, and a list as long as it is short:
/// most transactions touch a record or two. Nothing is removed, so that an index leads to its value for
/// good.
struct TouchTable<Key: TouchKey, Value> {
  private let hash = SeededHash()
  private(set) var keys: [Key] = []
  var values: [Value] = []
  /// For each slot one more than the index of its key, 0 where it is empty; no slots in a short list.
  private var slots: [UInt32] = []

  /// The most keys that are looked at one by one.
  private static var listLimit: Int { 8 }

  var isEmpty: Bool { keys.isEmpty }

  /// The value of a key.
  subscript(key: Key) -> Value? { index(of: key).map { values[$0] } }

  /// Where the value of a key is.
  func index(of key: Key) -> Int? {
    guard !slots.isEmpty else { return keys.firstIndex(of: key) }
    let found = slots[slot(of: key)]
    return found == 0 ? nil : Int(found) - 1
  }

  /// Puts a value in the place of the one that the key has, if it has one.
  ///
  /// - Returns: Where it is.
  @discardableResult
  mutating func put(_ value: Value, for key: Key) -> Int {
    if slots.isEmpty, keys.count < Self.listLimit {
      if let index = index(of: key) {
        values[index] = value
        return index
      }
      keys.append(key)
      values.append(value)
      return keys.count - 1
    }
    if 2 * (keys.count + 1) > slots.count { grow(to: max(4 * Self.listLimit, 2 * slots.count)) }
    let slot = slot(of: key)
    if slots[slot] != 0 {
      values[Int(slots[slot]) - 1] = value
      return Int(slots[slot]) - 1
    }
    keys.append(key)
    values.append(value)
    slots[slot] = UInt32(keys.count)
    return keys.count - 1
  }

  /// Tells of every key, its value, and where that is.
  func tell(_ body: (Key, Value, Int) -> Void) {
    for index in keys.indices { body(keys[index], values[index], index) }
  }

  /// Makes room for as many keys more.
  mutating func reserve(_ count: Int) {
    var size = max(16, slots.count)
    while size < 2 * (keys.count + count) { size *= 2 }
    guard size > slots.count else { return }
    keys.reserveCapacity(keys.count + count)
    values.reserveCapacity(keys.count + count)
    grow(to: size)
  }

  private mutating func grow(to size: Int) {
    slots = [UInt32](repeating: 0, count: size)
    for index in keys.indices { slots[slot(of: keys[index])] = UInt32(index + 1) }
  }

  /// The slot that holds a key, or the empty one where it belongs.
  private func slot(of key: Key) -> Int {
    let mask = slots.count - 1
    var slot = Int(truncatingIfNeeded: hash.value(of: key.words) >> 32) & mask
    while slots[slot] != 0, keys[Int(slots[slot]) - 1] != key { slot = (slot + 1) & mask }
    return slot
  }
}
