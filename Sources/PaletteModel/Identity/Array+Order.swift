/// Elements that ascend, of which there may be thousands.
extension Array where Element: Comparable {
  /// The index of the first element that is not before another.
  @inlinable
  package func index(inOrder element: Element) -> Int {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = low + (high - low) / 2
      if self[middle] < element { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Returns whether an element is among them.
  @inlinable
  package func contains(inOrder element: Element) -> Bool {
    let index = index(inOrder: element)
    return index < endIndex && self[index] == element
  }
}
