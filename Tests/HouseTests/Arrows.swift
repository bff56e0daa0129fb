import Foundation

/// Which folder of a target uses names that another folder of it declares.
struct Arrows {
  /// For each folder the ones that it uses, each with a name that it uses from there.
  private(set) var uses: [String: [String: String]] = [:]

  /// Draws the arrows of files: their paths in the target, and their code.
  init(_ files: [(path: String, text: SourceText)]) {
    var folders: [String: Set<String>] = [:]
    for file in files {
      for name in file.text.declarations {
        folders[name, default: []].insert(Self.folder(file.path))
      }
    }
    for file in files {
      let own = Self.folder(file.path)
      for word in file.text.words.sorted() {
        // A name that several folders declare says nothing.
        guard let found = folders[word], found.count == 1, let other = found.first, other != own
        else { continue }
        uses[own, default: [:]][other] = "\(word) in \(file.path)"
      }
    }
  }

  /// Reads the files of a target.
  init(target: URL) throws {
    var files: [(path: String, text: SourceText)] = []
    let paths = FileManager.default.enumerator(atPath: target.path)
    while let path = paths?.nextObject() as? String {
      guard path.hasSuffix(".swift") else { continue }
      let source = try String(contentsOf: target.appending(path: path), encoding: .utf8)
      files.append((path, SourceText(source)))
    }
    self.init(files)
  }

  private static func folder(_ path: String) -> String {
    path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
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

  private func reaches(_ goal: String, from start: String) -> Bool {
    var known: Set<String> = [start]
    var next = [start]
    while let folder = next.popLast() {
      if folder == goal { return true }
      next += (uses[folder] ?? [:]).keys.filter { known.insert($0).inserted }
    }
    return false
  }
}
