import Foundation
import PaletteCommands
import PaletteFormats
import PaletteJSON
import Testing

@testable import hued

struct DockerfileTests {
  private let lines: [String]

  init() throws {
    lines = try Repository.lines("Scripts/Dockerfile")
  }

  /// The words of an instruction that is written as a list.
  private func words(_ instruction: String) throws -> [String] {
    let line = try #require(lines.last { $0.hasPrefix(instruction + " [") })
    return try JSONDecoder().decode(
      [String].self,
      from: Data(line.dropFirst(instruction.count + 1).utf8)
    )
  }

  @Test func theImageServesBeyondItself() throws {
    #expect(try words("ENTRYPOINT") == ["hued"])
    let invocation = try Repository.invocation(try words("CMD"))
    #expect(invocation.command == .serve)
    #expect(invocation["listen"].stringValue == "0.0.0.0:4833")
    #expect(lines.contains("EXPOSE 4833"))
  }

  @Test func theImageIsNotRunAsRoot() throws {
    let user = try #require(lines.lastIndex { $0.hasPrefix("USER ") })
    #expect(lines[user] == "USER 10001:10001")
    #expect(lines[user...].contains { $0.hasPrefix("RUN ") } == false)
  }

  @Test func whatIsCopiedIsThereAndNotIgnored() throws {
    let sources = lines.compactMap { line -> String? in
      let words = line.split(separator: " ")
      return words.first == "COPY" && !line.contains("--from") ? words[1].description : nil
    }
    #expect(sources.count == 5)
    let ignored = try Repository.lines(".dockerignore")
    #expect(ignored.first == "*")
    #expect(ignored.dropFirst().sorted() == sources.map { "!\($0)" }.sorted())
    for source in sources {
      #expect(FileManager.default.fileExists(atPath: Repository.path(source)), "\(source)")
    }
  }
}
