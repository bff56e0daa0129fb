import Foundation
import PaletteCommands
import PalettePeers
import Testing

/// The words by which programs find lines of the log are those that are documented.
struct NodeLogTests {
  @Test func everyEventIsDocumented() throws {
    let article = URL(filePath: #filePath).deletingLastPathComponent().appending(
      path: "../../../Sources/PaletteNode/PaletteNode.docc/RunningAHub.md"
    )
    var documented: Set<String> = []
    for line in try String(contentsOf: article, encoding: .utf8).split(separator: "\n")
    where line.hasPrefix("| `") {
      let cell = line.split(separator: "|")[0]
      documented.formUnion(cell.matches(of: /`([a-z-]+)`/).map { String($0.1) })
    }
    #expect(documented == Set(LogEvent.allCases.map(\.rawValue)))
  }

  @Test func everyLoggedCommandNamesAnEvent() {
    let events = CommandTable.all.compactMap { $0.traits.logged?.event }
    #expect(events.count == 6)
    #expect(events.allSatisfy { LogEvent(rawValue: $0) != nil })
  }
}
