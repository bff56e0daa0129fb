/// An image of which the pixels can be counted.
protocol PixelImage {
  /// Calls `body` with each pixel, in no particular order.
  func forEachPixel(_ body: (Pixel) -> Void)
}

extension PixelImage {
  /// The most pixels that are read: those of a camera, at most 512 MiB while they are unpacked.
  private static var pixelLimit: Int { 64 << 20 }

  /// Refuses the size that a header claims where it is none, or too large.
  static func check(width: Int, height: Int) throws(MalformedImage) {
    guard width > 0, height > 0 else { throw MalformedImage(reason: "it has no pixels") }
    guard width <= pixelLimit / height else {
      throw MalformedImage(reason: "it has more than \(pixelLimit >> 20) megapixels")
    }
  }
}

/// A pixel; alpha is not premultiplied.
struct Pixel: Equatable {
  let red: UInt8
  let green: UInt8
  let blue: UInt8
  let alpha: UInt8
}

/// An image that cannot be read, and why.
struct MalformedImage: Error, Equatable {
  let reason: String
}
