import Foundation
import PaletteTestSupport

/// Waits until a condition that announces itself to nobody holds.
func eventually(_ what: String, seconds: Double = 10, _ condition: () throws -> Bool) throws {
  let deadline = Date(timeIntervalSinceNow: TestPatience.seconds(seconds))
  while try !condition() {
    guard Date() < deadline else { throw TimedOut(description: "no \(what) in \(seconds) s") }
    usleep(2000)
  }
}
