import PaletteFormats
import PaletteModel

/// Which entry of a file is which entry of another version of it.
///
/// Pairs are made by id, by name and color, by name and color in fewer digits, by name, by color, each n-th
/// with the n-th, and then by position where as many are left between two pairs on both sides.
struct LinkPairing {
  /// For each new entry the index of its old one; nil for one that has none.
  private(set) var oldIndexes: [Int?]
  private var isTaken: [Bool]

  /// Pairs the entries of a file with those of an older version.
  ///
  /// - Parameters:
  ///   - entries: What the file holds.
  ///   - old: What it held.
  ///   - ids: The color that each of the old entries is.
  ///   - reach: How much a pair may differ.
  init(of entries: [FileEntry], with old: [FileEntry], ids: [RecordID], reach: Reach) {
    oldIndexes = Array(repeating: nil, count: entries.count)
    isTaken = Array(repeating: false, count: old.count)
    guard !isUnchanged(entries, old) else { return }
    pair({ entries[$0].id }, with: { ids[$0] })
    pair(
      { Key(entries[$0].name, entries[$0].color) },
      with: { Key(old[$0].name, old[$0].color) }
    )
    // A program may write the same color in another way, with fewer digits.
    pair({ Key(rounding: entries[$0]) }, with: { Key(rounding: old[$0]) })
    guard reach > .equal else {
      // And leave names away.
      pair(
        { entries[$0].name == nil ? Key(rounding: entries[$0]) : nil },
        with: { Key(rounding: FileEntry(color: old[$0].color)) }
      )
      return
    }
    pair({ entries[$0].name.map { Key($0, nil) } }, with: { Key(old[$0].name, nil) })
    pair({ Key(nil, entries[$0].color) }, with: { Key(nil, old[$0].color) })
    pair({ Key(nil, entries[$0].color) }, with: { Key(nil, old[$0].color.rounded) })
    if reach == .position { pairByPosition(entries) }
  }

  /// What makes a pair, each with those before it.
  enum Reach: Int, Comparable {
    /// The same id, or the same name and color, were it in hexadecimal digits; a line without a name
    /// may have any.
    case equal
    /// The same name or color.
    case part
    /// The same position between two pairs.
    case position

    static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
  }

  /// Most often a file is as it was, or one entry has other content.
  private mutating func isUnchanged(_ entries: [FileEntry], _ old: [FileEntry]) -> Bool {
    guard entries.count == old.count,
      zip(entries, old).allSatisfy({ $0.keeps($1) })
    else { return false }
    oldIndexes = Array(old.indices)
    return true
  }

  /// Pairs what has no pair yet and has a key in common, in order.
  private mutating func pair<Value: Hashable>(
    _ key: (Int) -> Value?,
    with oldKey: (Int) -> Value
  ) {
    guard isTaken.contains(false) else { return }
    // Each key's queue is a chain through `later`, from the first free entry to the last.
    var first: [Value: Int] = [:]
    var later = [Int?](repeating: nil, count: isTaken.count)
    for index in isTaken.indices.reversed() where !isTaken[index] {
      later[index] = first.updateValue(index, forKey: oldKey(index))
    }
    for index in oldIndexes.indices where oldIndexes[index] == nil {
      guard let key = key(index), let match = first[key] else { continue }
      oldIndexes[index] = match
      isTaken[match] = true
      first[key] = later[match]
    }
  }

  private mutating func pairByPosition(_ entries: [FileEntry]) {
    var start = 0
    while start < oldIndexes.count {
      guard oldIndexes[start] == nil else {
        start += 1
        continue
      }
      var end = start
      while end < oldIndexes.count, oldIndexes[end] == nil { end += 1 }
      let before = start > 0 ? (oldIndexes[start - 1] ?? -1) + 1 : 0
      let after = end < oldIndexes.count ? oldIndexes[end] ?? isTaken.count : isTaken.count
      // What has an id of its own is no other line with other content.
      if before + (end - start) == after, !isTaken[before..<after].contains(true),
        entries[start..<end].allSatisfy({ $0.id == nil })
      {
        for (index, match) in zip(start..<end, before..<after) {
          oldIndexes[index] = match
          isTaken[match] = true
        }
      }
      start = end
    }
  }

  /// What a pair has in common; names are equal byte for byte.
  private struct Key: Hashable {
    let name: [UInt8]?
    let color: Color?

    init(_ name: String?, _ color: Color?) {
      self.name = name.map { Array($0.utf8) }
      self.color = color
    }

    init(rounding entry: FileEntry) {
      self.init(entry.name, entry.color.rounded)
    }
  }
}
