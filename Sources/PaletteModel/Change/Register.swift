/// A part of a record that is edited and merged by itself.
///
/// Registers are open-ended: one that this version does not know is kept, relayed and digested.
public struct Register: Hashable, Sendable, RawRepresentable {
  /// The number that stands for the register in changes.
  public let rawValue: UInt16

  /// Creates a register from its number, known or not.
  public init(rawValue: UInt16) {
    self.rawValue = rawValue
  }

  /// The name of a color or of a palette.
  public static let name = Register(rawValue: 0)
  /// The color value.
  public static let color = Register(rawValue: 1)
  /// The position in the palette's order.
  public static let place = Register(rawValue: 2)
  /// The note.
  public static let note = Register(rawValue: 3)

  /// The registers that this version knows, in the order of their numbers.
  public static let known: [Register] = [.name, .color, .place, .note]

  /// True for a register that this version shows.
  public var isKnown: Bool { rawValue < 4 }
}

extension Register: Comparable {
  /// Orders registers by their numbers.
  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

extension Register: LosslessStringConvertible {
  /// Creates a register from its word, or from its number when this version has no word for it.
  public init?(_ description: String) {
    switch description {
    case "name": self = .name
    case "color": self = .color
    case "place": self = .place
    case "note": self = .note
    default:
      guard let number = UInt16(description), number > 3 else { return nil }
      self.init(rawValue: number)
    }
  }

  /// The word for the register, or its number when this version has none.
  public var description: String {
    switch self {
    case .name: "name"
    case .color: "color"
    case .place: "place"
    case .note: "note"
    default: String(rawValue)
    }
  }
}
