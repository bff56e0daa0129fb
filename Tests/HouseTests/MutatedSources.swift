import Foundation

/// Source files as `Scripts/mutants-apply` leaves them: all deliberate bugs one after the other, each
/// in what those before it made of the file.
struct MutatedSources {
  /// The names of the deliberate bugs.
  private(set) var names: [String] = []
  /// Which of them do not find their code exactly once.
  private(set) var problems: [String] = []
  private let read: (String) throws -> String
  private var texts: [String: String] = [:]

  private var path = ""
  private var search = ""
  private var replacement = ""
  /// How many edits the bug that is read has so far; nil between two lists.
  private var edits: Int?

  init(reading read: @escaping (String) throws -> String) {
    self.read = read
  }

  /// Applies the deliberate bugs of a list.
  mutating func apply(_ list: String) throws {
    for line in list.split(separator: "\n") {
      switch line.first {
      case "-":
        if !replacement.isEmpty { try replace() }
        search += line.dropFirst() + "\n"
      case "+": replacement += line.dropFirst() + "\n"
      case _ where line.hasPrefix("mutant "):
        try endMutant()
        names.append(String(line.dropFirst("mutant ".count)))
        edits = 0
      case _ where line.hasPrefix("file "):
        try replace()
        path = String(line.dropFirst("file ".count))
      default: break
      }
    }
    try endMutant()
  }

  private mutating func endMutant() throws {
    try replace()
    if edits == 0, let name = names.last { problems.append("\(name) changes nothing") }
    edits = nil
  }

  private mutating func replace() throws {
    guard !search.isEmpty else { return }
    let parts = try (texts[path] ?? read(path)).components(separatedBy: search)
    if parts.count == 2 {
      let number = replacement.replacing("MUTANT", with: "(activeMutant == \(names.count))")
      texts[path] = parts.joined(separator: number)
    } else {
      problems.append("\(names.last ?? ""): \(parts.count - 1) times in \(path):\n\(search)")
    }
    edits? += 1
    search = ""
    replacement = ""
  }
}
