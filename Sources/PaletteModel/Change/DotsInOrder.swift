/// Dots that ascend, of which there may be thousands.
extension [Dot] {
  /// Where the first one is that is not before a dot.
  func index(inOrder dot: Dot) -> Int {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = low + (high - low) / 2
      if self[middle] < dot { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Whether a dot is among them.
  func contains(inOrder dot: Dot) -> Bool {
    let index = index(inOrder: dot)
    return index < endIndex && self[index] == dot
  }
}
