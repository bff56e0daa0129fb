/// Finds what somebody probably meant by a word that does not exist.
package enum Spelling {
  /// Longer words are not compared: the work grows with the square of the length.
  private static let lengthLimit = 64
  /// The number of candidates that are looked at.
  static let candidateLimit = 20_000

  /// The candidate with the fewest typing errors, if it has few for its length.
  ///
  /// Upper and lower case count as the same letter.
  package static func nearest(to word: String, among candidates: some Sequence<String>) -> String? {
    let letters = Array(word.lowercased())
    guard !letters.isEmpty, letters.count <= lengthLimit else { return nil }
    var best: (candidate: String, errors: Int)?
    for candidate in candidates.prefix(candidateLimit) {
      let length = candidate.count
      let bound = best?.errors ?? max(1, min(letters.count, length) / 3) + 1
      guard length <= lengthLimit, abs(length - letters.count) < bound else { continue }
      let errors = errors(between: letters, and: Array(candidate.lowercased()))
      if errors < bound { best = (candidate, errors) }
    }
    return best?.candidate
  }

  /// The number of letters that were left out, added, replaced or swapped with their neighbour.
  package static func errors(between left: [Character], and right: [Character]) -> Int {
    var beforeLast = [Int](repeating: 0, count: right.count + 1)
    var last = Array(0...right.count)
    for row in left.indices {
      var current = [row + 1]
      for column in right.indices {
        let isSame = left[row] == right[column]
        var errors = min(last[column] + (isSame ? 0 : 1), last[column + 1] + 1, current[column] + 1)
        if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
          errors = min(errors, beforeLast[column - 1] + 1)
        }
        current.append(errors)
      }
      (beforeLast, last) = (last, current)
    }
    return last[right.count]
  }
}
