package import PaletteModel

/// Finds the palette or color that an argument names: by exact name, else by the beginning of its id.
package struct Lookup {
  /// One thing that can be named.
  package struct Candidate {
    package let id: RecordID
    let name: String

    package init(id: RecordID, name: String) {
      self.id = id
      self.name = name
    }
  }

  /// The fewest characters of an id that are taken for its beginning.
  static let shortestPrefix = 4
  /// How many candidates an error lists.
  static let listedCandidates = 10

  /// What is looked for, such as `palette`.
  let kind: String
  /// How to see what there is, for the hint when nothing is near.
  let listing: String

  /// Looks for a palette.
  package static let palette = Lookup(kind: "palette", listing: "'hued palettes' lists them")

  /// Looks for a palette that was dropped.
  static let droppedPalette = Lookup(
    kind: "dropped palette",
    listing: "'hued palettes' lists those that are not dropped"
  )

  /// Looks for a color of a palette.
  static let color = Lookup(kind: "color", listing: "'hued list PALETTE' lists them")

  /// Looks for a color that was removed from a palette.
  static let removedColor = Lookup(
    kind: "removed color",
    listing: "'hued history PALETTE' tells what was removed"
  )

  /// The index of the one candidate that the argument names.
  /// - Throws: `ambiguous` with the candidates, or `not-found` with what may have been meant.
  func index(of argument: String, among candidates: [Candidate]) throws(APIError) -> Int {
    let indexes = matches(of: argument, among: candidates)
    guard let first = indexes.first else {
      throw notFound(argument, among: candidates.lazy.map(\.name))
    }
    guard indexes.count == 1 else {
      throw ambiguous(argument, indexes.map { candidates[$0] }, count: indexes.count)
    }
    return first
  }

  /// All candidates that the argument names; names that are equal to it hide prefixes of ids.
  package func matches(of argument: String, among candidates: [Candidate]) -> [Int] {
    let name = argument.trimmed
    let named = candidates.indices.filter { candidates[$0].name.hasSameBytes(as: name) }
    guard named.isEmpty, let range = RecordID.range(withPrefix: name) else { return named }
    return candidates.indices.filter { range.contains(candidates[$0].id) }
  }

  /// The error where several are named; of many, some are enough to show.
  func ambiguous(_ argument: String, _ candidates: [Candidate], count: Int) -> APIError {
    let listed = candidates.prefix(Self.listedCandidates).map { "\($0.id) (\($0.name))" }
    let rest = count - listed.count
    return APIError(
      code: "ambiguous",
      message: "'\(argument)' fits \(count) \(kind)s",
      hint: "say which by the beginning of its id: " + listed.joined(separator: ", ")
        + (rest > 0 ? " and \(rest) more" : "")
    )
  }

  /// The error where nothing is named, with the nearest of some names.
  func notFound(_ argument: String, among names: some Sequence<String>) -> APIError {
    let nearest = Spelling.nearest(to: argument.trimmed, among: names)
    return APIError(
      code: "not-found",
      message: "there is no \(kind) '\(argument)'",
      hint: nearest.map { "did you mean '\($0)'?" } ?? listing
    )
  }
}

extension RecordID {
  /// The ids whose text begins so, in either case; nil for what is too short or begins no id.
  static func range(withPrefix prefix: String) -> ClosedRange<RecordID>? {
    let lowest = Array("00000000-0000-0000-0000-000000000000".utf8)
    let highest = Array("ffffffff-ffff-ffff-ffff-ffffffffffff".utf8)
    let count = prefix.utf8.count
    guard (Lookup.shortestPrefix...lowest.count).contains(count),
      let first = RecordID(String(decoding: prefix.utf8 + lowest[count...], as: UTF8.self)),
      let last = RecordID(String(decoding: prefix.utf8 + highest[count...], as: UTF8.self))
    else { return nil }
    return first...last
  }
}
