internal import PaletteModel

/// A palette's colors in their order, to be moved and removed one at a time at the same cost
/// however many they are.
struct ColorChain {
  private struct Link {
    var color: NamedColor
    var previous: RecordID?
    var next: RecordID?
  }

  /// The most steps that all positions given as numbers may take together.
  private static let stepLimit = 5_000_000

  private var links: [RecordID: Link] = [:]
  private var first: RecordID?
  /// The last color's id; nil where there is none.
  private(set) var last: RecordID?
  private var steps = 0

  /// Creates a chain of colors, no two of which have the same id.
  init(_ colors: [NamedColor]) {
    links.reserveCapacity(colors.count)
    for color in colors { insert(color, after: last) }
  }

  /// The colors in their order.
  var colors: [NamedColor] {
    var colors: [NamedColor] = []
    colors.reserveCapacity(links.count)
    var id = first
    while let link = id.flatMap({ links[$0] }) {
      colors.append(link.color)
      id = link.next
    }
    return colors
  }

  /// Returns whether a color is in the chain.
  func contains(_ id: RecordID) -> Bool { links[id] != nil }

  /// The color before another; nil before the first.
  func color(before id: RecordID) -> RecordID? { links[id]?.previous }

  /// The color before an index; nil before the first.
  mutating func color(before index: Int) throws -> RecordID? {
    let index = try Position.checked(index, upTo: links.count)
    let isNearer = index > links.count / 2
    let distance = isNearer ? links.count - index : index
    steps += distance
    guard steps <= Self.stepLimit else {
      throw APIError(
        code: "too-large",
        message: "these are too many positions given as numbers for one action",
        hint: "give 'before' or 'after' with a color"
      )
    }
    if isNearer {
      var id = last
      for _ in 0..<distance { id = id.flatMap { links[$0]?.previous } }
      return id
    }
    guard distance > 0 else { return nil }
    var id = first
    for _ in 1..<distance { id = id.flatMap { links[$0]?.next } }
    return id
  }

  /// Edits a color.
  ///
  /// - Returns: Whether it is in the chain.
  mutating func change(_ id: RecordID, _ body: (inout NamedColor) -> Void) -> Bool {
    guard var link = links[id] else { return false }
    body(&link.color)
    links[id] = link
    return true
  }

  /// Inserts a color behind another, or as the first.
  mutating func insert(_ color: NamedColor, after previous: RecordID?) {
    let next = previous.map { links[$0]?.next } ?? first
    links[color.id] = Link(color: color, previous: previous, next: next)
    if let previous { links[previous]?.next = color.id } else { first = color.id }
    if let next { links[next]?.previous = color.id } else { last = color.id }
  }

  /// Takes a color out.
  ///
  /// - Returns: The color; nil where it is not in the chain.
  mutating func remove(_ id: RecordID) -> NamedColor? {
    guard let link = links.removeValue(forKey: id) else { return nil }
    if let previous = link.previous { links[previous]?.next = link.next } else { first = link.next }
    if let next = link.next { links[next]?.previous = link.previous } else { last = link.previous }
    return link.color
  }
}
