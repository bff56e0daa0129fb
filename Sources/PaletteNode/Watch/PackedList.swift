internal import PaletteMerge
internal import PaletteModel
internal import PaletteStore

/// The colors of a list in a third of the memory, for as long as nobody changes it.
struct PackedList {
  let count: Int
  private let bytes: [UInt8]

  /// The memory of the colors.
  var byteCount: Int { bytes.count }

  init(_ colors: [ListedColor]) {
    count = colors.count
    var writer = Writer()
    writer.bytes.reserveCapacity(colors.count * 80)
    for color in colors { writer.write(color) }
    bytes = Array(writer.bytes)
  }

  /// The colors as they were given.
  var colors: [ListedColor] {
    bytes.withUnsafeBytes { bytes in
      var reader = Reader(bytes: bytes)
      return (0..<count).map { _ in reader.color() }
    }
  }

  /// The parts of a color that are present, beside the components, whose flags are 1, 2, 4 and 8.
  private enum Flag {
    static let isOpaque: UInt8 = 16
    static let hasSeen: UInt8 = 32
  }

  private struct Writer {
    var bytes: [UInt8] = []
    /// The author of the last value; most of a list is one author's.
    private var author = NodeID(0)

    mutating func write(_ listed: ListedColor) {
      write(listed.color.id.high)
      write(listed.color.id.low)
      write(listed.place.bytes)
      write(listed.color.color, hasSeen: listed.seen != nil)
      write(Array(listed.color.name.utf8))
      for register in Register.optional { write(Array(listed.color[text: register].utf8)) }
      write(listed.conflicts.count)
      for register in listed.conflicts { write(Int(register.rawValue)) }
      guard let dots = listed.seen?.dots else { return }
      write(dots.count)
      for dot in dots {
        let isSame = dot.node == author
        write(Int(dot.sequence) << 1 | (isSame ? 0 : 1))
        if !isSame { write(dot.node.rawValue) }
        author = dot.node
      }
    }

    private mutating func write(_ color: Color, hasSeen: Bool) {
      bytes.append(color.space.rawValue)
      let isOpaque = color.alpha == 1
      var flags = (isOpaque ? Flag.isOpaque : 0) | (hasSeen ? Flag.hasSeen : 0)
      let components = [color.first, color.second, color.third, isOpaque ? nil : color.alpha]
      for (index, component) in components.enumerated() where component != nil {
        flags |= 1 << UInt8(index)
      }
      bytes.append(flags)
      for case let component? in components { write(component.bitPattern) }
    }

    private mutating func write(_ text: [UInt8]) {
      write(text.count)
      bytes += text
    }

    /// A number in as many bytes as it needs, seven bits in each.
    private mutating func write(_ number: Int) {
      var rest = number
      while rest > 127 {
        bytes.append(UInt8(rest & 127 | 128))
        rest >>= 7
      }
      bytes.append(UInt8(rest))
    }

    private mutating func write(_ number: UInt64) {
      withUnsafeBytes(of: number) { bytes.append(contentsOf: $0) }
    }
  }

  private struct Reader {
    let bytes: UnsafeRawBufferPointer
    private var offset = 0
    private var author = NodeID(0)

    init(bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    mutating func color() -> ListedColor {
      let id = RecordID(high: word(), low: word())
      let place = text { Place($0) }
      let (color, hasSeen) = components()
      let name = text { String(decoding: $0, as: UTF8.self) }
      var named = NamedColor(id: id, name: name, color: color)
      for register in Register.optional {
        named[text: register] = text { String(decoding: $0, as: UTF8.self) }
      }
      let conflicts = (0..<number()).map { _ in
        Register(rawValue: UInt16(truncatingIfNeeded: number()))
      }
      var seen: SeenValues?
      if hasSeen {
        seen = SeenValues(
          (0..<number()).map { _ in
            let sequence = number()
            if sequence & 1 != 0 { author = NodeID(word()) }
            return Dot(author, UInt32(truncatingIfNeeded: sequence >> 1))
          }
        )
      }
      guard let place else { preconditionFailure("what was packed had a place") }
      return ListedColor(
        color: named,
        place: place,
        conflicts: conflicts,
        seen: seen
      )
    }

    private mutating func components() -> (color: Color, hasSeen: Bool) {
      guard let space = ColorSpace(rawValue: byte()) else {
        preconditionFailure("what was packed had a space")
      }
      let flags = byte()
      let values = (UInt8(0)..<4).map { index in
        flags & (1 << index) == 0 ? nil : Double(bitPattern: word())
      }
      let alpha = flags & Flag.isOpaque == 0 ? values[3] : 1
      let color = Color(space, values[0], values[1], values[2], alpha: alpha)
      return (color, flags & Flag.hasSeen != 0)
    }

    private mutating func text<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
      let count = number()
      defer { offset += count }
      return body(UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count]))
    }

    private mutating func number() -> Int {
      var result = 0
      var shift = 0
      while true {
        let byte = byte()
        result |= Int(byte & 127) << shift
        guard byte > 127 else { return result }
        shift += 7
      }
    }

    private mutating func byte() -> UInt8 {
      defer { offset += 1 }
      return bytes[offset]
    }

    private mutating func word() -> UInt64 {
      defer { offset += 8 }
      return bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
    }
  }
}
