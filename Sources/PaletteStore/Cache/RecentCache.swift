/// Keeps what was used last, up to so many bytes, each value with the bytes that it is said to have.
///
/// It is a class because looking something up changes what is the oldest, and whoever reads a store
/// changes nothing of it.
package final class RecentCache<Key: Hashable, Value> {
  /// A value between the one used before it and the one used after it.
  private struct Entry {
    let key: Key
    var value: Value
    var bytes: Int
    var older: Int
    var newer: Int
  }

  private var byteLimit: Int
  private var entries: [Entry?] = []
  private var free: [Int] = []
  private var positions: [Key: Int] = [:]
  private var oldest = -1
  private var newest = -1
  /// The number of bytes the values have together.
  package private(set) var byteCount = 0

  /// Begins with nothing; the newest value is kept however large it is.
  package init(byteLimit: Int) {
    self.byteLimit = byteLimit
  }

  /// Keeps at most so many bytes from now on.
  package func limit(toBytes limit: Int) {
    byteLimit = limit
    evict()
  }

  /// The number of values that are kept.
  package var count: Int { positions.count }

  /// The value of a key, which counts as used now.
  package subscript(key: Key) -> Value? {
    guard let position = positions[key] else { return nil }
    use(position)
    return entries[position]?.value
  }

  /// Keeps a value, in place of the one that the key had.
  package func insert(_ value: Value, for key: Key, bytes: Int) {
    if let position = positions[key] {
      use(position)
      byteCount += bytes - (entries[position]?.bytes ?? 0)
      entries[position]?.value = value
      entries[position]?.bytes = bytes
    } else {
      let entry = Entry(key: key, value: value, bytes: bytes, older: -1, newer: -1)
      let position = free.popLast() ?? entries.count
      if position == entries.count { entries.append(entry) } else { entries[position] = entry }
      positions[key] = position
      byteCount += bytes
      link(position)
    }
    evict()
  }

  /// Changes the value of a key where it is; `body` gives the bytes that it has then.
  package func update(_ key: Key, _ body: (inout Value) -> Int) {
    guard let position = positions[key], var entry = entries[position] else { return }
    // Nobody else may hold the value while it is changed, or it would be copied.
    entries[position] = nil
    byteCount -= entry.bytes
    entry.bytes = body(&entry.value)
    byteCount += entry.bytes
    entries[position] = entry
    use(position)
    evict()
  }

  /// Forgets one value.
  package func remove(_ key: Key) {
    guard let position = positions.removeValue(forKey: key) else { return }
    byteCount -= entries[position]?.bytes ?? 0
    unlink(position)
    entries[position] = nil
    free.append(position)
  }

  /// Forgets everything.
  package func removeAll() {
    (entries, free, positions) = ([], [], [:])
    (oldest, newest, byteCount) = (-1, -1, 0)
  }

  private func evict() {
    while byteCount > byteLimit, oldest != newest, let entry = entries[oldest] {
      remove(entry.key)
    }
  }

  private func use(_ position: Int) {
    guard position != newest else { return }
    unlink(position)
    link(position)
  }

  /// Makes an entry the newest one.
  private func link(_ position: Int) {
    entries[position]?.older = newest
    entries[position]?.newer = -1
    if newest >= 0 { entries[newest]?.newer = position } else { oldest = position }
    newest = position
  }

  private func unlink(_ position: Int) {
    guard let entry = entries[position] else { return }
    if entry.older >= 0 { entries[entry.older]?.newer = entry.newer } else { oldest = entry.newer }
    if entry.newer >= 0 { entries[entry.newer]?.older = entry.older } else { newest = entry.older }
  }
}
