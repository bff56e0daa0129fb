/// The longest part of a list of different numbers that is in ascending order already.
///
/// What it leaves out is the smallest set of elements that must move to sort the list.
package struct IncreasingSubsequence {
  /// For each element, whether it belongs to the part.
  package let contains: [Bool]
  /// How many comparisons it took.
  package let comparisons: Int

  /// Finds the part in O(n log n), or in O(n) when the list is ascending.
  package init(of values: [Int32]) {
    /// Position of the smallest value that ends an ascending part of each length.
    var ends: [Int32] = []
    /// Position before each one in its part, -1 for none.
    var previous = [Int32](repeating: -1, count: values.count)
    var comparisons = 0
    for position in values.indices {
      let value = values[position]
      comparisons += 1
      var length = ends.count
      if let last = ends.last, values[Int(last)] > value {
        length = 0
        var upper = ends.count - 1
        while length < upper {
          comparisons += 1
          let middle = (length + upper) / 2
          if values[Int(ends[middle])] < value { length = middle + 1 } else { upper = middle }
        }
      }
      if length > 0 { previous[position] = ends[length - 1] }
      if length == ends.count {
        ends.append(Int32(position))
      } else {
        ends[length] = Int32(position)
      }
    }
    var contains = [Bool](repeating: false, count: values.count)
    var position = ends.last ?? -1
    while position >= 0 {
      contains[Int(position)] = true
      position = previous[Int(position)]
    }
    self.contains = contains
    self.comparisons = comparisons
  }
}
