import Foundation
import PalettePlatform
import PaletteTestSupport
import Testing

/// A node in a process of its own, that is gone with the test.
final class RunningNode {
  let home: String
  let url: String
  let link: String
  private let process = Process()
  private let output = Pipe()
  private let logFile: String

  /// Starts a node and waits until it is ready.
  ///
  /// - Parameters:
  ///   - home: Where its library is.
  ///   - arguments: The options of `serve`.
  ///   - descriptors: How many file descriptors it may use; nil for the usual number.
  /// - Throws: An error when it does not become ready.
  init(
    home: String,
    _ arguments: [String] = ["--listen", "127.0.0.1:0"],
    descriptors: Int? = nil
  ) throws {
    self.home = home
    logFile = home + ".log"
    try Data().write(to: URL(fileURLWithPath: logFile))
    process.executableURL = URL(fileURLWithPath: descriptors == nil ? Shell.hued : "/bin/sh")
    let limiting = descriptors.map {
      ["-c", #"ulimit -n \#($0) && exec "$0" "$@""#, Shell.hued]
    }
    process.arguments = (limiting ?? []) + ["serve"] + arguments
    process.environment = ["HUED_HOME": home, "HOME": "/nowhere"]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = FileHandle(forWritingAtPath: logFile)
    try process.run()
    let lines = Self.lines(2, of: output.fileHandleForReading)
    let log = try String(contentsOfFile: logFile, encoding: .utf8)
    try #require(lines.count == 2, "\(lines) \(log)")
    url = String(lines[0].dropFirst("hued ready ".count))
    link = String(lines[1].dropFirst("open ".count))
  }

  deinit {
    guard process.isRunning else { return }
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  var processID: Int32 { process.processIdentifier }
  var port: String { String(url.split(separator: ":").last ?? "") }
  var code: String { String(link.split(separator: "#").last ?? "") }
  var log: String { (try? String(contentsOfFile: logFile, encoding: .utf8)) ?? "" }

  /// Waits until the log has a text.
  func waitForLog(_ text: String) throws {
    let end = ContinuousClock.now + .patiently(seconds: 10)
    while !log.contains(text) {
      try #require(ContinuousClock.now < end, "no '\(text)' in \(log)")
      usleep(10_000)
    }
  }

  /// What is left of the standard output.
  var restOfOutput: String {
    String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
  }

  func hued(_ arguments: String...) throws -> Shell.Result {
    try Shell.run(Shell.hued, arguments, home: home)
  }

  /// Ends the node and waits for it.
  func end(_ signal: CInt = SIGTERM) -> (status: Int32, isSignal: Bool) {
    kill(process.processIdentifier, signal)
    process.waitUntilExit()
    return (process.terminationStatus, process.terminationReason == .uncaughtSignal)
  }

  static func lines(_ count: Int, of handle: FileHandle) -> [String] {
    var bytes = Data()
    while bytes.count(where: { $0 == UInt8(ascii: "\n") }) < count {
      let more = handle.availableData
      if more.isEmpty { break }
      bytes += more
    }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }
}
