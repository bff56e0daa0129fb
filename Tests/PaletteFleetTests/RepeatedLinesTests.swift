import PalettePeers
import Testing

@testable import PaletteFleet
@testable import PaletteNode

/// The lines of a hub whose edits fail.
struct RepeatedLinesTests {
  private let lines = RepeatedLines()

  private func count(_ line: NodeLog, _ seconds: Range<Int>) -> Int {
    seconds.count { lines.allows(line, at: Double($0)) }
  }

  @Test func whatFailsEveryEditIsToldOnceAMinute() {
    #expect(count(NodeLog(.warning, .storage, "changes could not be stored: full"), 0..<150) == 3)
    #expect(count(NodeLog(.warning, .storage, "changes could not be stored: away"), 150..<160) == 1)
  }

  @Test func aLibraryThatCannotBeOpenedIsToldOnceAMinute() {
    #expect(count(NodeLog(.warning, .fleet, "library sea cannot be opened: full"), 0..<60) == 1)
    #expect(count(NodeLog(.warning, .fleet, "library sky cannot be opened: full"), 0..<60) == 1)
  }

  @Test func everythingElseIsTold() {
    #expect(count(NodeLog(.warning, .lostTail, "the database has lost the end"), 0..<9) == 9)
    #expect(count(NodeLog(.warning, .database, "the database does not answer"), 0..<9) == 9)
    #expect(count(NodeLog(.info, .storage, "the library is compacted"), 0..<9) == 9)
  }

  @Test func asManyAsThereAreAreNotRemembered() {
    for number in 0..<5_000 {
      #expect(lines.allows(NodeLog(.error, .storage, "\(number)"), at: 0))
    }
    #expect(!lines.allows(NodeLog(.error, .storage, "4999"), at: 1))
  }
}
