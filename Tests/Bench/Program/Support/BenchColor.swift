import PaletteMerge
import PaletteModel
import PaletteStore
import PaletteTestSupport

/// A color as the workloads define it.
struct BenchColor {
  let id: RecordID
  var name: String
  /// Red, green, blue and alpha, most significant byte first.
  var rgba: UInt32
  /// The position in thousandths.
  var position: UInt64

  private static let adjectives = """
    quiet amber dusty vivid pale deep frosty mossy royal burnt soft neon stormy golden smoky coral
    """.split(separator: " ")
  private static let nouns = """
    harbor meadow ember canyon glacier orchid copper lagoon thistle saffron slate plum fern dune \
    cobalt rose
    """.split(separator: " ")

  /// The words that a draw stands for.
  static func words(_ draw: UInt64) -> String {
    "\(adjectives[Int(draw & 15)]) \(nouns[Int(draw >> 4 & 15)])"
  }

  /// The colors of a workload: three draws each, positions 0, 1, 2 and so on.
  static func colors(_ count: Int, seed: UInt64 = 1) -> [BenchColor] {
    var random = SeededRandom(seed: seed)
    return (0..<count).map { index in
      let id = RecordID(high: random.next(), low: random.next())
      let draw = random.next()
      return BenchColor(
        id: id,
        name: "\(words(draw)) \(index)",
        rgba: UInt32(truncatingIfNeeded: draw >> 32),
        position: UInt64(index) * 1000
      )
    }
  }

  /// The same as a named color.
  var namedColor: NamedColor { NamedColor(id: id, name: name, color: Self.color(rgba)) }

  /// The position as a place: eight bytes that sort as the number does.
  var place: Place { Self.place(position) }

  static func color(_ rgba: UInt32) -> Color {
    func part(_ shift: UInt32) -> Double { Double(rgba >> shift & 255) / 255 }
    return Color(.srgb, part(24), part(16), part(8), alpha: part(0))
  }

  static func place(_ position: UInt64) -> Place {
    let bytes = withUnsafeBytes(of: position.bigEndian) { [UInt8]($0) }
    guard let place = Place(bytes: bytes) else { preconditionFailure("eight bytes are a place") }
    return place
  }
}

extension BenchColor {
  /// Reads back what a library lists.
  init(_ listed: ListedColor) {
    func part(_ component: Double?, _ shift: UInt32) -> UInt32 {
      UInt32(((component ?? 0) * 255).rounded()) << shift
    }
    let color = listed.color.color
    id = listed.color.id
    name = listed.color.name
    rgba =
      part(color.first, 24) | part(color.second, 16) | part(color.third, 8) | part(color.alpha, 0)
    position = listed.place.bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }
}
