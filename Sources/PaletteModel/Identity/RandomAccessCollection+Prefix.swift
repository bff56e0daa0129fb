extension RandomAccessCollection {
  /// The end of the longest prefix whose elements fulfil a condition, found by halves: no element
  /// behind one that fails fulfils it.
  @inlinable
  package func endOfPrefix<Failure>(
    while condition: (Element) throws(Failure) -> Bool
  ) throws(Failure) -> Index {
    var start = startIndex
    var count = self.count
    while count > 0 {
      let half = count / 2
      let middle = index(start, offsetBy: half)
      if try condition(self[middle]) {
        start = index(after: middle)
        count -= half + 1
      } else {
        count = half
      }
    }
    return start
  }
}
