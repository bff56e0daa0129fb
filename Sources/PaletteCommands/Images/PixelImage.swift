/// An image of which the pixels can be counted.
protocol PixelImage {
  /// Calls `body` with each pixel, in no particular order.
  func forEachPixel(_ body: (Pixel) -> Void)
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
