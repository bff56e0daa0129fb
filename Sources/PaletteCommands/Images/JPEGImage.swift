internal import CTurboJPEG

/// A JPEG image as sRGB pixels, not larger than their colors need.
///
/// Color profiles are not looked at. What is kept is bounded by `keptPixels`: a larger image is decoded at
/// a half, a quarter or an eighth of its size.
struct JPEGImage: PixelImage {
  /// The most pixels that are kept; counting more would find the same colors.
  private static let keptPixels = 4 << 20
  /// The bytes of a decoded pixel: red, green, blue and one that means nothing.
  private static let pixelBytes = 4

  private let pixels: [UInt8]

  /// The two bytes with which each JPEG image begins, and the beginning of the next marker.
  static let signature: [UInt8] = [0xFF, 0xD8, 0xFF]

  /// Reads an image.
  init(_ bytes: [UInt8]) throws(MalformedImage) {
    guard let decoder = tjInitDecompress() else {
      throw MalformedImage(reason: "there is no memory for it")
    }
    defer { tjDestroy(decoder) }
    var (width, height, sampling, space) = (Int32(0), Int32(0), Int32(0), Int32(0))
    let count = UInt(bytes.count)
    guard tjDecompressHeader3(decoder, bytes, count, &width, &height, &sampling, &space) == 0
    else { throw Self.malformed(decoder) }
    // One with several scans is unpacked whole, at whatever size it is decoded.
    try Self.check(width: Int(width), height: Int(height))
    let divisor = [1, 2, 4, 8].first { Self.count(width, height, $0) <= Self.keptPixels }
    guard let divisor else { throw MalformedImage(reason: "it has too many pixels") }
    var pixels = [UInt8](
      repeating: 0,
      count: Self.count(width, height, divisor) * Self.pixelBytes
    )
    let isDecoded = tjDecompress2(
      decoder,
      bytes,
      count,
      &pixels,
      Int32(Self.scaled(width, divisor)),
      0,
      Int32(Self.scaled(height, divisor)),
      Int32(TJPF_RGBX.rawValue),
      // Hundreds of scans of a small file would take minutes.
      TJFLAG_LIMITSCANS | TJFLAG_STOPONWARNING
    )
    guard isDecoded == 0 else { throw Self.malformed(decoder) }
    self.pixels = pixels
  }

  func forEachPixel(_ body: (Pixel) -> Void) {
    for start in stride(from: 0, to: pixels.count, by: Self.pixelBytes) {
      body(
        Pixel(red: pixels[start], green: pixels[start + 1], blue: pixels[start + 2], alpha: 255)
      )
    }
  }

  private static func scaled(_ size: Int32, _ divisor: Int) -> Int {
    (Int(size) + divisor - 1) / divisor
  }

  private static func count(_ width: Int32, _ height: Int32, _ divisor: Int) -> Int {
    scaled(width, divisor) * scaled(height, divisor)
  }

  /// The decoder's own words for what is wrong.
  private static func malformed(_ decoder: tjhandle) -> MalformedImage {
    MalformedImage(reason: String(cString: tjGetErrorStr2(decoder)))
  }
}
