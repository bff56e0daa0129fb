public import PaletteModel

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

  /// The registers without which a color is not shown.
  package static let required: [Register] = [.name, .color, .place]

  /// The registers that a color may lack, in the order of their numbers.
  ///
  /// Each holds a text, and an empty one says the same as none. Later versions may add some: a value of
  /// another type, which versions that do not know the register take too, is shown as none.
  package static let optional: [Register] = [.note]

  /// The registers that this version shows, in the order of their numbers.
  ///
  /// All others are kept and relayed as they come. The store has two columns for each, and bits in
  /// `RecordFlags`, which follow from this list: a new register is a new migration, see
  /// `LibrarySchema`.
  public static let known = required + optional

  /// A value for each register of `known`.
  @usableFromInline package typealias PerKnown<Value> = [4 of Value]

  /// The words for the registers of `known`.
  private static let words: PerKnown<String> = ["name", "color", "place", "note"]

  /// True for a register that this version shows.
  public var isKnown: Bool { knownIndex != nil }

  /// The number of registers in `known`, as a constant.
  @inlinable package static var knownCount: Int { PerKnown<Bool>.count }

  /// The indexes of the optional registers in `known`, as constants: lists of 100,000 colors look at them for each.
  @inlinable package static var optionalIndexes: Range<Int> { 3..<knownCount }

  /// The index in `known`; nil for a register that this version does not show.
  @inlinable package var knownIndex: Int? {
    // That of the first four is their number: merging asks for every value.
    rawValue < 4 ? Int(rawValue) : Self.known.firstIndex(of: self)
  }

  /// The register at an index of `known`.
  @inlinable package init(knownIndex index: Int) {
    self = index < 4 ? Register(rawValue: UInt16(index)) : Self.known[index]
  }
}

/// The registers that a color may lack, by number.
extension NamedColor {
  /// The text of an optional register; empty where there is none.
  @inlinable package subscript(text register: Register) -> String {
    get {
      switch register {
      case .note: note
      default: ""
      }
    }
    set {
      switch register {
      case .note: note = newValue
      default: break
      }
    }
  }
}

extension Register: Comparable {
  /// Orders registers by their numbers.
  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

extension Register: LosslessStringConvertible {
  /// Creates a register from its word, or from its number when this version has no word for it.
  public init?(_ description: String) {
    if let index = Self.words.indices.first(where: { Self.words[$0] == description }) {
      self = Self.known[index]
    } else {
      guard let register = UInt16(description).map(Register.init), !register.isKnown else {
        return nil
      }
      self = register
    }
  }

  /// The word for the register, or its number when this version has none.
  public var description: String {
    knownIndex.map { Self.words[$0] } ?? String(rawValue)
  }
}

/// The value of one register, exactly as it is encoded in changes.
///
/// The encoding of a value is unique, so two values are equal exactly when their bytes are.
public struct RegisterValue: Hashable, Sendable {
  /// The item's bytes, as a value of its own where they fit: most values are short, and a list has
  /// hundreds of thousands of them.
  @usableFromInline package let storage: ShortBytes

  /// Copies one deterministic CBOR item.
  package init(encoded: UnsafeRawBufferPointer) {
    storage = ShortBytes(encoded)
  }

  package init(encoded: [UInt8]) {
    storage = encoded.withUnsafeBytes { ShortBytes($0) }
  }

  /// The value of a register that holds a text.
  public init(text: String) {
    var text = text
    storage = text.withUTF8 { ShortBytes(major: 3, UnsafeRawBufferPointer($0)) }
  }

  /// The value of a place register, from the bytes of a place.
  public init(placeBytes: some Collection<UInt8>) {
    let bytes = placeBytes.withContiguousStorageIfAvailable {
      ShortBytes(major: 2, UnsafeRawBufferPointer($0))
    }
    storage = bytes ?? Array(placeBytes).withUnsafeBytes { ShortBytes(major: 2, $0) }
  }

  /// The value of a place register, from the bytes of a place.
  package init(placeBytes: UnsafeRawBufferPointer) {
    storage = ShortBytes(major: 2, placeBytes)
  }

  /// The value of a register that holds a text, from valid UTF-8.
  package init(textBytes: UnsafeRawBufferPointer) {
    storage = ShortBytes(major: 3, textBytes)
  }

  /// The value of a color register.
  public init(color: Color) {
    if let (red, green, blue, alpha) = color.exactBytes {
      // The most frequent value of all, without a detour.
      let bytes = (UInt8(alpha == 255 ? 0x43 : 0x44), red, green, blue, alpha)
      storage = withUnsafeBytes(of: bytes) {
        ShortBytes(UnsafeRawBufferPointer(rebasing: $0.prefix(alpha == 255 ? 4 : 5)))
      }
    } else {
      var writer = CBORWriter(reservingCapacity: 40)
      writer.write(color)
      storage = writer.bytes.withUnsafeBytes { ShortBytes($0) }
    }
  }

  /// One deterministic CBOR item.
  public var encoded: [UInt8] { withEncoded { [UInt8]($0) } }

  /// Lends the bytes of the item to `body`.
  @inlinable package func withEncoded<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try storage.withBytes(body)
  }

  /// The text; nil when the value is none.
  public var text: String? {
    withUTF8 { $0.map { String(decoding: $0, as: UTF8.self) } }
  }

  /// The bytes of a place; nil when the value is no byte string.
  public var placeBytes: [UInt8]? {
    withPlaceBytes { $0.map { [UInt8]($0) } }
  }

  /// The color; nil when the value is none.
  public var color: Color? {
    withEncoded { buffer in
      var reader = CBORReader(buffer)
      return try? reader.readColor()
    }
  }

  /// Lends the UTF-8 of a text to `body`; nil when the value is no text.
  @inlinable package func withUTF8<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer?) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try withEncoded { (item) throws(Failure) in try body(Self.content(of: item, major: 3)) }
  }

  /// Lends the bytes of a place to `body`; nil when the value is no byte string.
  @inlinable package func withPlaceBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer?) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try withEncoded { (item) throws(Failure) in try body(Self.content(of: item, major: 2)) }
  }

  /// The content of a byte string (major type 2) or a text (3); nil if the item is neither.
  ///
  /// The item was checked to be deterministic CBOR before it became a value.
  @usableFromInline package static func content(
    of item: UnsafeRawBufferPointer,
    major: UInt8
  ) -> UnsafeRawBufferPointer? {
    guard let head = item.first, head >> 5 == major else { return nil }
    // The length follows the head in 0, 1, 2 or 4 bytes.
    let start = head & 31 < 24 ? 1 : 1 + 1 << Int(head & 31 - 24)
    return UnsafeRawBufferPointer(rebasing: item.dropFirst(start))
  }
}
