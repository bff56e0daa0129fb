import Foundation
import PaletteCommands
import Testing

@testable import hued

struct ServiceUnitTests {
  static let units = ["Scripts/hued.service", "Scripts/hued-user.service"]

  /// The settings of a unit in order, as `Section.Key=value`.
  private func settings(of unit: String) throws -> [String] {
    var section = ""
    return try Repository.lines(unit).compactMap { line in
      if line.hasPrefix("[") {
        section = String(line.dropFirst().dropLast())
        return nil
      }
      return "\(section).\(line)"
    }
  }

  @Test(arguments: units) func startsServe(unit: String) throws {
    let start = try #require(try settings(of: unit).first { $0.hasPrefix("Service.ExecStart=") })
    let shell = try #require(start.firstMatch(of: /\/bin\/sh -c '(.*)'$/)?.output.1)
    // What the administrator adds is not known here.
    let plain = shell.replacing(" $HUED_FLAGS", with: "")
    #expect(plain != shell)
    #expect(try Repository.invocations(in: String(plain)).map(\.command) == [.serve])
    #expect(plain.hasSuffix(#">"$RUNTIME_DIRECTORY/ready""#), "the page link is no log line")
  }

  @Test(arguments: units) func theExampleOfFlagsIsRight(unit: String) throws {
    guard let example = try Repository.text(unit).firstMatch(of: /HUED_FLAGS="(.*)"/) else {
      #expect(unit.contains("user"))
      return
    }
    let words = example.output.1.split(separator: " ").map(String.init)
    #expect(try Repository.invocation(["serve"] + words).command == .serve)
  }

  @Test(arguments: units) func takesNoPrivilege(unit: String) throws {
    let settings = try settings(of: unit)
    for key in [
      "NoNewPrivileges", "MemoryDenyWriteExecute", "LockPersonality", "RestrictNamespaces",
    ] {
      #expect(settings.contains("Service.\(key)=yes"), "\(key)")
    }
    #expect(settings.contains("Service.SystemCallFilter=@system-service"))
  }

  @Test func theServiceWritesOnlyItsState() throws {
    let settings = try settings(of: "Scripts/hued.service")
    for setting in [
      "User=hued", "CapabilityBoundingSet=", "ProtectSystem=strict", "ProtectHome=yes",
      "StateDirectory=hued hued-backups", "StateDirectoryMode=0700", "UMask=0077",
      "Environment=HUED_HOME=/var/lib/hued",
    ] {
      #expect(settings.contains("Service.\(setting)"), "\(setting)")
    }
    #expect(!settings.contains { $0.contains("ReadWritePaths") })
  }

  @Test(
    .enabled(if: Shell.isInstalled("systemd-analyze")),
    arguments: units + ["Scripts/hued.socket"]
  )
  func systemdFindsNoFault(unit: String) throws {
    let folder = try TemporaryFolder()
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.path)
    let mode = unit.contains("user") ? ["--user"] : []
    let result = try Shell.run(
      "systemd-analyze",
      mode + ["verify", "--man=no", Repository.path(unit)],
      variables: ["XDG_RUNTIME_DIR": folder.path, "HOME": folder.path]
    )
    #expect(result.status == 0)
    #expect(result.error == "")
  }
}
