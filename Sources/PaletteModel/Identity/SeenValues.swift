/// The live values of one record that somebody was shown, named by the dots that wrote them.
///
/// A change writes its registers together, and a value that was replaced never comes back. So whoever
/// has seen a dot has seen every value of it that is live now.
public struct SeenValues: Hashable, Sendable {
  // Most records have one dot, and need no list.
  private var first: Dot
  private var rest: [Dot] = []

  /// Creates the values of one change.
  public init(_ dot: Dot) {
    first = dot
  }

  /// Creates the values of changes, in any order; nil when there are none.
  public init?(_ dots: some Collection<Dot>) {
    guard let dot = dots.first else { return nil }
    self.init(dot)
    for dot in dots.dropFirst() { insert(dot) }
  }

  /// The dots, each once, in order.
  public var dots: [Dot] { [first] + rest }

  /// Returns whether the values of a change are among them.
  public func contains(_ dot: Dot) -> Bool { dot == first || rest.contains(inOrder: dot) }

  /// With the changes under new dots that have those, and those again where they do.
  package func following(_ renamed: [Dot: Dot]) -> SeenValues {
    guard !renamed.isEmpty else { return self }
    var known = self
    for var dot in dots {
      // A new dot is of an id that was new then, so there is no way back.
      while let next = renamed[dot], !known.contains(next) {
        known.insert(next)
        dot = next
      }
    }
    return known
  }

  /// Adds the values of a change.
  package mutating func insert(_ dot: Dot) {
    if dot == first { return }
    if dot < first {
      rest.insert(first, at: 0)
      first = dot
      return
    }
    let index = rest.index(inOrder: dot)
    if index == rest.endIndex || rest[index] != dot { rest.insert(dot, at: index) }
  }
}

extension SeenValues: LosslessStringConvertible {
  /// Reads what `description` wrote, and nothing else.
  public init?(_ description: String) {
    var dots: [Dot] = []
    for author in description.split(separator: ";", omittingEmptySubsequences: false) {
      let parts = author.split(separator: ":", omittingEmptySubsequences: false)
      guard parts.count == 2, let node = NodeID(String(parts[0])) else { return nil }
      for number in parts[1].split(separator: ",", omittingEmptySubsequences: false) {
        guard let sequence = UInt32(number), sequence > 0 else { return nil }
        dots.append(Dot(node, sequence))
      }
    }
    // Ascending, so that no dot has to be looked for among the others.
    guard let first = dots.first, zip(dots, dots.dropFirst()).allSatisfy({ $0 < $1 }) else {
      return nil
    }
    self.first = first
    rest = Array(dots.dropFirst())
    guard self.description.utf8.elementsEqual(description.utf8) else { return nil }
  }

  /// The dots as text, author by author: `node:sequence,sequence;node:sequence`.
  public var description: String {
    var bytes: [UInt8] = []
    append(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Writes the description somewhere.
  package func append(to bytes: inout [UInt8]) {
    Self.append(first.node, to: &bytes)
    Self.append(first.sequence, to: &bytes)
    var node = first.node
    for dot in rest {
      if dot.node == node {
        bytes.append(UInt8(ascii: ","))
      } else {
        bytes.append(UInt8(ascii: ";"))
        Self.append(dot.node, to: &bytes)
        node = dot.node
      }
      Self.append(dot.sequence, to: &bytes)
    }
  }

  private static func append(_ node: NodeID, to bytes: inout [UInt8]) {
    for nibble in 0..<16 {
      bytes.append(UInt8.hexDigit(node.rawValue >> UInt64(60 - 4 * nibble) & 15))
    }
    bytes.append(UInt8(ascii: ":"))
  }

  private static func append(_ sequence: UInt32, to bytes: inout [UInt8]) {
    var divisor: UInt32 = 1
    while sequence / divisor >= 10 { divisor *= 10 }
    while divisor > 0 {
      bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: sequence / divisor % 10))
      divisor /= 10
    }
  }
}
