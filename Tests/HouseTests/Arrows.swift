/// Which place of a target uses names that another place of it declares.
struct Arrows {
  /// A grain at which a target is looked at.
  enum Grain {
    /// Each folder is a place.
    case folders
    /// Each file is a place, together with the files that extend its type: `T.swift` and `T+X.swift`.
    case files

    /// The place of a file.
    fileprivate func place(of path: String) -> String {
      switch self {
      case .folders: path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
      case .files: String(path.split(separator: "/").last?.prefix { $0 != "+" && $0 != "." } ?? "")
      }
    }
  }

  /// For each place the ones that it uses, each with a name that it uses from there.
  private(set) var uses: [String: [String: String]] = [:]
  /// The number of files of each place.
  private(set) var fileCounts: [String: Int] = [:]

  /// Draws the arrows of files: their paths in the target, and their code.
  init(_ files: [(path: String, text: SourceText)], between grain: Grain = .folders) {
    var places: [String: Set<String>] = [:]
    for file in files {
      fileCounts[grain.place(of: file.path), default: 0] += 1
      for name in file.text.declarations {
        places[name, default: []].insert(grain.place(of: file.path))
      }
    }
    for file in files {
      let own = grain.place(of: file.path)
      for word in file.text.words.sorted() {
        // A name that several places declare says nothing.
        guard let found = places[word], found.count == 1, let other = found.first, other != own
        else { continue }
        uses[own, default: [:]][other] = "\(word) in \(file.path)"
      }
    }
  }

  /// The arrows that are part of a cycle, each in words.
  var cycles: [String] {
    var found: [String] = []
    for (from, others) in uses {
      for (to, why) in others where reaches(from, from: to) {
        found.append("\(from) -> \(to): \(why)")
      }
    }
    return found.sorted()
  }

  /// The largest set of places that all need each other, and the number of their files.
  var largestCircle: (places: [String], files: Int) {
    let reached = Dictionary(
      uniqueKeysWithValues: fileCounts.keys.map { ($0, places(reachedFrom: $0)) }
    )
    let circles = reached.map { place, others in
      ([place] + others.filter { $0 != place && reached[$0]?.contains(place) == true }).sorted()
    }
    let counted = circles.map { circle in
      (places: circle, files: circle.reduce(0) { $0 + (fileCounts[$1] ?? 0) })
    }
    return counted.max { $0.files < $1.files } ?? ([], 0)
  }

  private func places(reachedFrom start: String) -> Set<String> {
    var known: Set<String> = []
    var next = [start]
    while let place = next.popLast() {
      next += (uses[place] ?? [:]).keys.filter { known.insert($0).inserted }
    }
    return known
  }

  private func reaches(_ goal: String, from start: String) -> Bool {
    start == goal || places(reachedFrom: start).contains(goal)
  }
}
