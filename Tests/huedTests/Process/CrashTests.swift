import Foundation
import PaletteCommands
import PaletteFormats
import PaletteJSON
import PalettePlatform
import PaletteTestSupport
import Testing

/// The program ended at any moment, and several of it at once.
@Suite(.timeLimit(.minutes(15 * TestPatience.factor)))
struct CrashTests {
  private func start(_ arguments: [String], _ home: TestHome) throws -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Shell.hued)
    process.arguments = arguments
    process.environment = ["HUED_HOME": home.path]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    return process
  }

  @Test func whatWasAcknowledgedIsThere() throws {
    let home = try TestHome()
    try home.document("new", "Sea")
    var generator = SystemRandomNumberGenerator()
    var delays: [UInt32] = []
    var acknowledged: [String] = []
    for index in 0..<20 {
      let process = try start(["add", "Sea", "#0000\(10 + index)", "n\(index)"], home)
      delays.append(UInt32.random(in: 0..<40_000, using: &generator))
      usleep(delays[index])
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      if process.terminationReason == .exit {
        #expect(process.terminationStatus == 0)
        acknowledged.append("n\(index)")
      }
    }
    let colors = try #require(try home.document("list", "Sea")["colors"].arrayValue)
    let names = colors.compactMap { $0["name"].stringValue }
    #expect(Set(acknowledged).isSubset(of: names), "killed after \(delays) µs")
    for color in colors {
      let number = Int(color["name"].stringValue?.dropFirst() ?? "") ?? -1
      #expect(color["hex"].stringValue == "#0000\(10 + number)", "killed after \(delays) µs")
    }
    #expect(Set(names).count == names.count)
    #expect(
      try home.document("doctor", "--full")["ok"].boolValue == true,
      "killed after \(delays) µs"
    )
  }

  @Test func severalAtOnceWaitForOneAnother() throws {
    let home = try TestHome()
    try home.document("new", "Sea")
    for round in 0..<3 {
      let processes = try (0..<8).map { try start(["add", "Sea", "red", "\(round)-\($0)"], home) }
      for process in processes {
        process.waitUntilExit()
        #expect(process.terminationStatus == 0 && process.terminationReason == .exit)
      }
    }
    let expected = (0..<3).flatMap { round in (0..<8).map { "\(round)-\($0)" } }
    #expect(try home.names("Sea").sorted() == expected)
    #expect(try home.document("doctor", "--full")["ok"].boolValue == true)
  }
}
