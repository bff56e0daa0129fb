/// The room between two neighbouring places, either of which may be missing.
struct PlaceGap {
  /// The bytes of the neighbour before the gap; none at the beginning of the palette.
  let lower: [UInt8]
  /// The bytes of the neighbour after the gap; nil at the end of the palette.
  let upper: [UInt8]?

  /// Bytes that lie, with anything appended, strictly inside the gap; nil when there is no room.
  ///
  /// At an open end that is a 3-byte number, one away from the neighbour's: repeated appends by
  /// several nodes do not grow. Inside, it lies 1/256 of the gap away from the neighbour that is
  /// `newer`, because the next insertion is most likely to come on its other side.
  func midpoint(newer: PlaceNeighbour) -> [UInt8]? {
    switch (lower.isEmpty, upper) {
    case (true, nil):
      return Self.bytes(ofHead: 0x80_0000)
    case (false, nil):
      let head = Self.head(of: lower) + 1
      // Only foreign places come close to the last number; beyond it, the gap ends at infinity.
      return head < 0xFF_FFFF ? Self.bytes(ofHead: head) : inside(newer: .after)
    case (true, let upper?):
      let head = Self.head(of: upper) - 1
      return head > 0 ? Self.bytes(ofHead: head) : inside(newer: .before)
    case (false, .some):
      return inside(newer: newer)
    }
  }

  private func inside(newer: PlaceNeighbour) -> [UInt8]? {
    let length = max(lower.count, upper?.count ?? 0)
    // The missing bytes of the lower neighbour count as 0, an open upper end as 255 for ever.
    var end = 0
    while end <= length, lowerByte(end) == upperByte(end) { end += 1 }
    guard end <= length, lowerByte(end) < upperByte(end) else { return nil }
    var distance = 0
    while distance < 2 {
      distance = distance * 256 + upperByte(end) - lowerByte(end)
      end += 1
      guard end <= Place.maximumLength else { return nil }
    }
    if distance < 512 {
      distance = distance * 256 + upperByte(end) - lowerByte(end)
      end += 1
    }
    let step = max(1, distance >> 8)
    return shortened(newer == .after ? adding(step, end: end) : subtracting(step, end: end))
  }

  /// Drops zeros at the end, but never so many that the upper neighbour begins with the rest.
  private func shortened(_ midpoint: [UInt8]) -> [UInt8] {
    var result = midpoint[...]
    while result.last == 0, upper?.starts(with: result.dropLast()) != true {
      result.removeLast()
    }
    return Array(result)
  }

  /// The number that the first `end` bytes of the lower neighbour are, plus `step`.
  private func adding(_ step: Int, end: Int) -> [UInt8] {
    var result = (0..<end).map { UInt8(lowerByte($0)) }
    var carry = step
    for index in result.indices.reversed() where carry > 0 {
      carry += Int(result[index])
      result[index] = UInt8(carry & 255)
      carry >>= 8
    }
    return result
  }

  /// The number that the first `end` bytes of the upper neighbour are, minus `step`.
  private func subtracting(_ step: Int, end: Int) -> [UInt8] {
    var result = (0..<end).map { UInt8(upperByte($0)) }
    var borrow = step
    for index in result.indices.reversed() where borrow > 0 {
      let difference = Int(result[index]) - borrow
      result[index] = UInt8(truncatingIfNeeded: difference)
      borrow = -(difference >> 8)
    }
    return result
  }

  private func lowerByte(_ index: Int) -> Int {
    index < lower.count ? Int(lower[index]) : 0
  }

  private func upperByte(_ index: Int) -> Int {
    guard let upper else { return 255 }
    return index < upper.count ? Int(upper[index]) : 0
  }

  /// The first three bytes as a number, zeros standing for missing ones.
  private static func head(of bytes: [UInt8]) -> Int {
    (0..<3).reduce(0) { $0 << 8 | ($1 < bytes.count ? Int(bytes[$1]) : 0) }
  }

  private static func bytes(ofHead head: Int) -> [UInt8] {
    [UInt8(head >> 16), UInt8(head >> 8 & 255), UInt8(head & 255)]
  }
}
