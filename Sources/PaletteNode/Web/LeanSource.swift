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
        guard let end = Self.endOfComment(in: text) else { continue }
        isInComment = false
        lean.append(contentsOf: text[end...])
      } else if text.first != Self.slash {
        lean.append(contentsOf: text)
      } else if text.dropFirst().first == Self.star {
        // A cast such as `/** @type {X} */ (y)` is part of the code behind it.
        if let end = Self.endOfComment(in: text.dropFirst(2)) {
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

  /// The place behind the end of a comment that has begun.
  private static func endOfComment(in line: ArraySlice<UInt8>) -> Int? {
    var rest = line
    while let place = rest.firstIndex(of: star) {
      rest = rest[(place + 1)...]
      if rest.first == slash { return place + 2 }
    }
    return nil
  }
}
