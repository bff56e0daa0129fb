import Foundation
import Testing

/// Every deliberate bug still finds the code that it changes.
///
/// `Scripts/mutants-apply` stops at the first one that does not, which nobody sees before the night.
struct MutantsTests {
  private static let root = SwiftFile.root

  /// The files of deliberate bugs, in the order in which the script is given them.
  private static var lists: [String] {
    get throws {
      let folder = root.appending(path: "Tests/Mutants")
      return try FileManager.default.contentsOfDirectory(atPath: folder.path)
        .filter { $0.hasSuffix(".txt") }.sorted()
        .map { try String(contentsOf: folder.appending(path: $0), encoding: .utf8) }
    }
  }

  @Test func everyMutantFindsItsCodeExactlyOnce() throws {
    var sources = MutatedSources { path in
      try String(contentsOf: Self.root.appending(path: path), encoding: .utf8)
    }
    for list in try Self.lists { try sources.apply(list) }
    #expect(sources.problems.isEmpty, "\(sources.problems.joined(separator: "\n"))")
    #expect(sources.names.count > 80)
    #expect(Set(sources.names).count == sources.names.count, "two mutants have one name")
  }

  @Test func findsCodeThatMovedOrIsThereTwice() throws {
    var sources = MutatedSources { _ in "  one()\n  two()\n  two()\n  four()\n" }
    try sources.apply(
      """
      # A comment.
      mutant of-what-moved
      file A.swift
      -  gone()
      +  if !MUTANT { gone() }

      mutant of-what-is-there-twice
      file A.swift
      -  two()
      +  if !MUTANT { two() }

      mutant of-what-is-there
      file A.swift
      -  one()
      +  if !MUTANT { one() }
      -  two()
      -  four()
      +  if !MUTANT { two() }
      +  four()

      mutant of-what-another-changed
      file A.swift
      -  one()
      +  one(MUTANT)

      mutant without-an-edit
      file A.swift
      """
    )
    #expect(
      sources.problems == [
        "of-what-moved: 0 times in A.swift:\n  gone()\n",
        "of-what-is-there-twice: 2 times in A.swift:\n  two()\n",
        "of-what-another-changed: 0 times in A.swift:\n  one()\n",
        "without-an-edit changes nothing",
      ]
    )
  }
}
