/// The constant identity of a palette.
public struct PaletteID: Hashable, Sendable {
  /// The id of the palette's own record, which has the same bytes.
  public let record: RecordID

  /// Creates the id of the palette whose own record is `record`.
  public init(_ record: RecordID) {
    self.record = record
  }
}

extension PaletteID {
  /// The number of buckets in which palettes are compared.
  package static let buckets = 256

  /// The bucket in which the palette is compared: the last byte of its id, which is random.
  package var bucket: UInt8 { UInt8(truncatingIfNeeded: record.low) }
}

extension PaletteID: Comparable {
  /// Orders ids as their bytes, and so as their text.
  public static func < (left: Self, right: Self) -> Bool {
    left.record < right.record
  }
}

extension PaletteID: LosslessStringConvertible {
  /// Creates an id from its text, in either case.
  public init?(_ description: String) {
    guard let record = RecordID(description) else { return nil }
    self.init(record)
  }

  /// The id as text, lower case.
  public var description: String { record.description }
}
