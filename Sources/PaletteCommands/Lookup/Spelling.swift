/// Finds what somebody probably meant by a word that does not exist.
package enum Spelling {
  /// Longer words are not compared: the work grows with the square of the length.
  private static let lengthLimit = 64
  /// The number of candidates that are looked at.
  static let candidateLimit = 20_000
  /// The pairs of letters that are compared: a caller may have chosen the word and all candidates.
  static let pairLimit = 1_000_000

  /// The candidate with the fewest typing errors, if it has few for its length.
  ///
  /// Upper and lower case count as the same letter.
  package static func nearest(to word: String, among candidates: some Sequence<String>) -> String? {
    var errors = TypingErrors(in: word)
    return nearest(among: candidates, &errors)
  }

  static func nearest(
    among candidates: some Sequence<String>,
    _ errors: inout TypingErrors
  ) -> String? {
    guard !errors.word.isEmpty, errors.word.count <= lengthLimit else { return nil }
    var best: (candidate: String, errors: Int)?
    for candidate in candidates.prefix(candidateLimit) where errors.pairCount < pairLimit {
      // A letter has four bytes at most.
      guard candidate.utf8.count <= 4 * lengthLimit else { continue }
      // Canonically equivalent texts differ in their letters.
      if candidate == errors.text { return candidate }
      let other = TypingErrors.letters(of: candidate)
      let bound = best?.errors ?? max(1, min(errors.word.count, other.count) / 3) + 1
      guard other.count <= lengthLimit, abs(other.count - errors.word.count) < bound else {
        continue
      }
      if let count = errors.count(to: other, below: bound) { best = (candidate, count) }
    }
    return best?.candidate
  }

  /// The number of letters that were left out, added, replaced or swapped with their neighbour.
  package static func errors(between left: String, and right: String) -> Int {
    var errors = TypingErrors(in: left)
    return errors.count(to: TypingErrors.letters(of: right), below: .max) ?? .max
  }
}

/// Counts the typing errors between one word and others.
struct TypingErrors {
  let text: String
  let word: [UInt32]
  /// The pairs of letters that were compared.
  private(set) var pairCount = 0
  // The rows of the table of errors that are needed, kept to save allocations.
  private var beforeLast: [Int] = []
  private var last: [Int] = []
  private var current: [Int] = []

  init(in word: String) {
    text = word
    self.word = Self.letters(of: word)
  }

  static func letters(of word: String) -> [UInt32] { word.lowercased().unicodeScalars.map(\.value) }

  /// The errors between the word and another; nil if they are not below a bound.
  mutating func count(to other: [UInt32], below bound: Int) -> Int? {
    last.removeAll(keepingCapacity: true)
    last.append(contentsOf: 0...other.count)
    for row in word.indices {
      current.removeAll(keepingCapacity: true)
      current.append(row + 1)
      var least = row + 1
      for column in other.indices {
        let isSame = word[row] == other[column]
        var errors = min(last[column] + (isSame ? 0 : 1), last[column + 1] + 1, current[column] + 1)
        if row > 0, column > 0, word[row] == other[column - 1], word[row - 1] == other[column] {
          errors = min(errors, beforeLast[column - 1] + 1)
        }
        current.append(errors)
        least = min(least, errors)
      }
      pairCount += other.count
      // No later row has fewer errors than this one.
      guard least < bound else { return nil }
      swap(&beforeLast, &last)
      swap(&last, &current)
    }
    return last[other.count] < bound ? last[other.count] : nil
  }
}
