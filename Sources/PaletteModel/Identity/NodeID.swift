/// The random 64-bit id of a node, written as sixteen lower-case hexadecimal digits.
public struct NodeID: Hashable, Sendable {
  /// The id as a number; the order of numbers breaks ties between equal stamps.
  public let rawValue: UInt64

  /// Creates an id from a number.
  public init(_ rawValue: UInt64) {
    self.rawValue = rawValue
  }

  /// Creates a random id.
  public init(using random: inout some RandomNumberGenerator) {
    rawValue = random.next()
  }
}

extension NodeID: Comparable {
  /// Orders ids as unsigned numbers.
  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

extension NodeID: LosslessStringConvertible {
  /// Creates an id from exactly sixteen hexadecimal digits.
  public init?(_ description: String) {
    guard description.utf8.count == 16, let value = UInt64(hexDigits: description.utf8) else {
      return nil
    }
    self.init(value)
  }

  /// The id as text.
  public var description: String { rawValue.hexDigits }
}
