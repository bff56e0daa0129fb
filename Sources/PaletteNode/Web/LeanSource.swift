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
        isInComment = !text.contains(Self.end)
      } else if text.starts(with: Self.beginning) {
        // A cast such as `/** @type {X} */ (y)` is part of the code behind it.
        if !text.contains(Self.end) {
          isInComment = true
        } else if !text.ends(with: Self.end) {
          lean.append(contentsOf: text)
        }
      } else if !text.starts(with: Self.line) {
        lean.append(contentsOf: text)
      }
    }
    bytes = lean
  }

  private static let line = Array("//".utf8)
  private static let beginning = Array("/*".utf8)
  private static let end = Array("*/".utf8)
}

extension Collection<UInt8> {
  fileprivate func ends(with other: [UInt8]) -> Bool {
    count >= other.count && suffix(other.count).elementsEqual(other)
  }

  fileprivate func contains(_ other: [UInt8]) -> Bool {
    indices.contains { self[$0...].starts(with: other) }
  }
}
