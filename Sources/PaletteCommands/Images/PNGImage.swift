internal import CZlib

/// A PNG image as sRGB pixels of 8 bits: every color type and bit depth, interlaced or not.
///
/// Color profiles and gamma are not looked at. What is read is bounded by the size that the header
/// says, and that by the limit of all images.
struct PNGImage: PixelImage {
  typealias Malformed = MalformedImage

  private let header: Header
  private var palette: [UInt8] = []
  /// Alpha of palette entries, or the color that is transparent.
  private var transparency: [UInt8] = []

  /// The scanlines of all passes, each with its filter's byte in front, filters undone.
  private var scanlines: [UInt8] = []
  private let passes: [Pass]

  /// Reads an image.
  init(_ bytes: [UInt8]) throws(Malformed) {
    guard bytes.starts(with: Self.signature) else { throw Malformed(reason: "it is no PNG") }
    var chunks = Chunks(rest: bytes[Self.signature.count...])
    guard let first = try chunks.next(), first.kind == "IHDR" else {
      throw Malformed(reason: "it does not begin with a header")
    }
    header = try Header(first.data)
    passes = Pass.all(of: header)
    var packed: [UInt8] = []
    while let chunk = try chunks.next(), chunk.kind != "IEND" {
      switch chunk.kind {
      case "PLTE": palette = Array(chunk.data)
      case "tRNS": transparency = Array(chunk.data)
      case "IDAT": packed += chunk.data
      default:
        // An upper-case letter in front says that the image is not understood without it.
        guard chunk.kind.first?.isLowercase == true else {
          throw Malformed(reason: "it has an unknown part '\(chunk.kind)'")
        }
      }
    }
    guard header.kind != .indexed || (!palette.isEmpty && palette.count.isMultiple(of: 3)) else {
      throw Malformed(reason: "it has no palette")
    }
    scanlines = try Self.unpack(packed, count: passes.reduce(0) { $0 + $1.byteCount })
    try undoFilters()
  }

  static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  /// Calls `body` with each pixel, in no particular order.
  func forEachPixel(_ body: (Pixel) -> Void) {
    var start = 0
    for pass in passes {
      for _ in 0..<pass.height {
        for column in 0..<pass.width { body(pixel(at: column, ofLineAt: start + 1)) }
        start += pass.lineLength
      }
    }
  }

  private func pixel(at column: Int, ofLineAt start: Int) -> Pixel {
    func sample(_ channel: Int) -> Int {
      let index = column * header.kind.channels + channel
      switch header.depth {
      case 16: return Int(scanlines[start + index * 2]) << 8 | Int(scanlines[start + index * 2 + 1])
      case 8: return Int(scanlines[start + index])
      default:
        let bit = index * header.depth
        let shift = 8 - header.depth - bit % 8
        return Int(scanlines[start + bit / 8]) >> shift & (1 << header.depth - 1)
      }
    }
    let most = 1 << header.depth - 1
    func byte(_ sample: Int) -> UInt8 { UInt8((sample * 255 + most / 2) / most) }
    func isTransparent(_ samples: [Int]) -> Bool {
      transparency.count == samples.count * 2
        && samples.indices.allSatisfy { index in
          Int(transparency[index * 2]) << 8 | Int(transparency[index * 2 + 1]) == samples[index]
        }
    }
    switch header.kind {
    case .grey:
      let value = sample(0)
      let grey = byte(value)
      return Pixel(
        red: grey,
        green: grey,
        blue: grey,
        alpha: isTransparent([value]) ? 0 : 255
      )
    case .rgb:
      let (red, green, blue) = (sample(0), sample(1), sample(2))
      let alpha: UInt8 = !transparency.isEmpty && isTransparent([red, green, blue]) ? 0 : 255
      return Pixel(red: byte(red), green: byte(green), blue: byte(blue), alpha: alpha)
    case .indexed:
      // An index behind the end of the palette is black, as elsewhere.
      let index = sample(0)
      let isKnown = index * 3 + 2 < palette.count
      func part(_ offset: Int) -> UInt8 { isKnown ? palette[index * 3 + offset] : 0 }
      let alpha = index < transparency.count ? transparency[index] : 255
      return Pixel(red: part(0), green: part(1), blue: part(2), alpha: alpha)
    case .greyAlpha:
      let grey = byte(sample(0))
      return Pixel(red: grey, green: grey, blue: grey, alpha: byte(sample(1)))
    case .rgba:
      return Pixel(
        red: byte(sample(0)),
        green: byte(sample(1)),
        blue: byte(sample(2)),
        alpha: byte(sample(3))
      )
    }
  }

  /// Expands zlib's format to exactly so many bytes.
  private static func unpack(_ packed: [UInt8], count: Int) throws(Malformed) -> [UInt8] {
    var length = uLongf(count)
    var status = Z_OK
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { output, filled in
      status = uncompress(output.baseAddress, &length, packed, uLong(packed.count))
      filled = status == Z_OK ? Int(length) : 0
    }
    guard status == Z_OK, bytes.count == count else {
      throw Malformed(reason: "its pixels are damaged")
    }
    return bytes
  }

  /// Makes every scanline what it was before it was filtered.
  private mutating func undoFilters() throws(Malformed) {
    let distance = max(1, header.depth * header.kind.channels / 8)
    var start = 0
    for pass in passes {
      for line in 0..<pass.height {
        let filter = scanlines[start]
        guard filter <= 4 else { throw Malformed(reason: "its pixels are damaged") }
        if filter > 0 {
          for index in (start + 1)..<(start + pass.lineLength) {
            let hasLeft = index - start > distance
            let left = hasLeft ? Int(scanlines[index - distance]) : 0
            let above = line > 0 ? Int(scanlines[index - pass.lineLength]) : 0
            let corner =
              hasLeft && line > 0 ? Int(scanlines[index - pass.lineLength - distance]) : 0
            let guess =
              switch filter {
              case 1: left
              case 2: above
              case 3: (left + above) / 2
              default: Self.paeth(left, above, corner)
              }
            scanlines[index] &+= UInt8(guess)
          }
        }
        start += pass.lineLength
      }
    }
  }

  private static func paeth(_ left: Int, _ above: Int, _ corner: Int) -> Int {
    let estimate = left + above - corner
    let (toLeft, toAbove) = (abs(estimate - left), abs(estimate - above))
    let toCorner = abs(estimate - corner)
    if toLeft <= toAbove, toLeft <= toCorner { return left }
    return toAbove <= toCorner ? above : corner
  }
}

extension PNGImage {
  /// The channels of a pixel; the raw values are those of the format.
  fileprivate enum Kind: UInt8 {
    case grey = 0
    case rgb = 2
    case indexed = 3
    case greyAlpha = 4
    case rgba = 6

    var channels: Int {
      switch self {
      case .grey, .indexed: 1
      case .greyAlpha: 2
      case .rgb: 3
      case .rgba: 4
      }
    }

    var depths: [Int] {
      switch self {
      case .grey: [1, 2, 4, 8, 16]
      case .indexed: [1, 2, 4, 8]
      case .rgb, .greyAlpha, .rgba: [8, 16]
      }
    }
  }

  /// The first chunk.
  fileprivate struct Header {
    let width: Int
    let height: Int
    let depth: Int
    let kind: Kind
    let isInterlaced: Bool

    init(_ data: ArraySlice<UInt8>) throws(Malformed) {
      let data = Array(data)
      guard data.count == 13, let kind = Kind(rawValue: data[9]),
        kind.depths.contains(Int(data[8])), data[10] == 0, data[11] == 0, data[12] < 2
      else { throw Malformed(reason: "its header is damaged") }
      width = PNGImage.number(data[0..<4])
      height = PNGImage.number(data[4..<8])
      try PNGImage.check(width: width, height: height)
      depth = Int(data[8])
      self.kind = kind
      isInterlaced = data[12] == 1
    }
  }

  /// A part of the pixels that is stored together.
  fileprivate struct Pass {
    let width: Int
    let height: Int
    /// The bytes of a scanline with its filter's byte.
    let lineLength: Int

    var byteCount: Int { height * lineLength }

    private init(_ header: Header, width: Int, height: Int) {
      self.width = width
      self.height = height
      lineLength = 1 + (width * header.depth * header.kind.channels + 7) / 8
    }

    /// The passes that have pixels: one, or up to seven of Adam7.
    static func all(of header: Header) -> [Pass] {
      guard header.isInterlaced else {
        return [Pass(header, width: header.width, height: header.height)]
      }
      let grid = [
        (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2),
        (0, 1, 1, 2),
      ]
      return grid.map { x, y, stepX, stepY in
        Pass(
          header,
          width: (header.width - x + stepX - 1) / stepX,
          height: (header.height - y + stepY - 1) / stepY
        )
      }
      .filter { $0.width > 0 && $0.height > 0 }
    }
  }

  /// The chunks of a file, each checked.
  fileprivate struct Chunks {
    var rest: ArraySlice<UInt8>

    /// The next chunk; nil at the end of the file.
    mutating func next() throws(Malformed) -> (kind: String, data: ArraySlice<UInt8>)? {
      guard !rest.isEmpty else { return nil }
      guard rest.count >= 12 else { throw Malformed(reason: "its end is missing") }
      let length = PNGImage.number(rest.prefix(4))
      guard length <= rest.count - 12 else { throw Malformed(reason: "its end is missing") }
      let start = rest.startIndex + 4
      let named = Array(rest[start..<(start + 4 + length)])
      let sum = PNGImage.number(rest[(start + 4 + length)..<(start + 8 + length)])
      guard crc32(0, named, uInt(named.count)) == uLong(sum) else {
        throw Malformed(reason: "it is damaged")
      }
      rest = rest[(start + 8 + length)...]
      return (String(decoding: named.prefix(4), as: UTF8.self), named[4...])
    }
  }

  fileprivate static func number(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.reduce(0) { $0 << 8 | Int($1) }
  }
}
