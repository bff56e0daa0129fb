/// A script or a stylesheet as it travels: without indentation, and without the comments that have lines of
/// their own, which are a quarter of the page.
///
/// Every line stays where it is, so what a browser says of a line is true of the file.
struct LeanSource {
  let bytes: [UInt8]

  init(_ source: [UInt8]) {
    var lean: [UInt8] = []
    lean.reserveCapacity(source.count)
    var isInComment = false
    for line in source.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      if !lean.isEmpty || line.startIndex > source.startIndex { lean.append(UInt8(ascii: "\n")) }
      let text = line.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
      if isInComment {
        isInComment = Self.endOfComment(in: text) == nil
      } else if text.first != Self.slash {
        lean.append(contentsOf: text)
      } else if text.dropFirst().first == Self.star {
        // A cast such as `/** @type {X} */ (y)` is part of the code behind it.
        if let end = Self.endOfComment(in: text) {
          if end < text.endIndex { lean.append(contentsOf: text) }
        } else {
          isInComment = true
        }
      } else if text.dropFirst().first != Self.slash {
        lean.append(contentsOf: text)
      }
    }
    bytes = lean
  }

  private static let slash = UInt8(ascii: "/")
  private static let star = UInt8(ascii: "*")

  /// The place behind the first comment that ends in a line.
  private static func endOfComment(in line: ArraySlice<UInt8>) -> Int? {
    var rest = line
    while let place = rest.firstIndex(of: star) {
      rest = rest[(place + 1)...]
      if rest.first == slash { return place + 2 }
    }
    return nil
  }
}
