import Foundation

/// Runs other programs.
enum Shell {
  struct Result {
    let output: String
    let error: String
    let status: Int32
    let endedBySignal: Bool
  }

  /// The program that this package builds.
  static var hued: String {
    URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appendingPathComponent("hued").path
  }

  static func isInstalled(_ name: String) -> Bool {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    return folders.contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(name)") }
  }

  static func run(
    _ program: String,
    _ arguments: [String],
    home: String = "/nowhere",
    variables: [String: String] = [:]
  ) throws -> Result {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [program] + arguments
    process.environment = [
      "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "", "HUED_HOME": home, "TERM": "dumb",
    ].merging(variables) { $1 }
    let output = Pipe()
    let error = Pipe()
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = error
    try process.run()
    let outputBytes = output.fileHandleForReading.readDataToEndOfFile()
    let errorBytes = error.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return Result(
      output: String(decoding: outputBytes, as: UTF8.self),
      error: String(decoding: errorBytes, as: UTF8.self),
      status: process.terminationStatus,
      endedBySignal: process.terminationReason == .uncaughtSignal
    )
  }
}
