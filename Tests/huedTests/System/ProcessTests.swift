import Foundation
import PalettePlatform
import PaletteTestSupport
import Testing

@testable import hued

/// The program as the shell sees it.
@Suite(.timeLimit(.minutes(15 * TestPatience.factor)))
struct ProcessTests {
  @Test func tellsItsVersionAndTouchesNothing() throws {
    let folder = try TemporaryFolder()
    for arguments in [["--version"], ["--help"], ["help", "add"], ["completion", "bash"]] {
      let result = try Shell.run(Shell.hued, arguments, home: folder.file("home"))
      #expect(result.status == 0)
      #expect(!result.output.isEmpty)
      #expect(result.error == "")
    }
    #expect(try folder.names.isEmpty)
  }

  @Test(arguments: [
    ("--version > /dev/full", "1\n"), ("--version >&-", "1\n"), ("bogus", "2\n"),
    ("--version 2>&- <&-", "hued 0.1.0\n0\n"), ("new $'\\xff'", "2\n"),
  ])
  func exitsAsTheContractSays(_ arguments: String, _ output: String) throws {
    let result = try Shell.run("bash", ["-c", "'\(Shell.hued)' \(arguments); echo $?"])
    #expect(result.output == output)
  }

  @Test func endsQuietlyBehindAClosedPipe() throws {
    let line = "set -o pipefail; '\(Shell.hued)' man | true; echo ${PIPESTATUS[0]}"
    let result = try Shell.run("bash", ["-c", line])
    #expect(result.output == "0\n")
    #expect(result.error == "")
  }

  @Test func timesOut() throws {
    let folder = try TemporaryFolder()
    #expect(mkfifo(folder.file("pipe"), 0o600) == 0)
    let result = try Shell.run(
      Shell.hued,
      ["import", folder.file("pipe"), "--timeout", "0.05", "--json"]
    )
    #expect(result.status == 124)
    #expect(result.error.hasPrefix(#"{"error":{"code":"timed-out","#))
    #expect(result.output == "")
  }

  @Test func tellsAnInterruption() throws {
    let folder = try TemporaryFolder()
    let pipe = folder.file("pipe")
    #expect(mkfifo(pipe, 0o600) == 0)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Shell.hued)
    process.arguments = ["import", pipe]
    process.standardError = FileHandle.nullDevice
    try process.run()
    // Opening returns as soon as the other side reads, and it watches for signals before.
    let descriptor = open(pipe, O_WRONLY)
    kill(process.processIdentifier, SIGINT)
    process.waitUntilExit()
    close(descriptor)
    #expect(process.terminationReason == .exit)
    #expect(process.terminationStatus == 130)
  }
}
