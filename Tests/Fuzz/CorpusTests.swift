import Foundation
import Testing

/// Every input that was kept, every crash that was fixed, and the seeds, without libFuzzer.
struct CorpusTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

  /// The inputs of a file: one a line in hexadecimal digits; comments begin with `#`.
  private static func inputs(_ name: String) throws -> [(line: Int, bytes: [UInt8])] {
    let text = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    return try lines.filter { !$0.element.isEmpty && !$0.element.hasPrefix("#") }.map { line in
      let digits = Array(line.element.utf8)
      let bytes = try stride(from: 0, to: digits.count, by: 2).map { index in
        let pair = String(decoding: digits[index..<min(index + 2, digits.count)], as: UTF8.self)
        return try #require(UInt8(pair, radix: 16), "\(name):\(line.offset + 1)")
      }
      return (line.offset + 1, bytes)
    }
  }

  private static func names(_ folder: String) throws -> Set<String> {
    let path = Self.folder.appendingPathComponent(folder).path
    return Set(
      try FileManager.default.contentsOfDirectory(atPath: path).filter { $0.hasSuffix(".hex") }
        .map { String($0.dropLast(4)) }
    )
  }

  @Test(arguments: FuzzTarget.all.map(\.name))
  func propertiesHold(_ name: String) throws {
    let target = try #require(FuzzTarget.all.first { $0.name == name })
    for (index, seed) in try target.seeds().enumerated() {
      do { try target.check(seed) } catch { Issue.record("seed \(index): \(error)") }
    }
    for folder in ["Corpus", "Crashes"] where try Self.names(folder).contains(name) {
      let file = "\(folder)/\(name).hex"
      for (line, bytes) in try Self.inputs(file) {
        do { try target.check(bytes) } catch { Issue.record("\(file):\(line): \(error)") }
      }
    }
  }

  @Test func everyTargetHasInputs() throws {
    let targets = Set(FuzzTarget.all.map(\.name))
    #expect(try Self.names("Corpus") == targets)
    #expect(try Self.names("Crashes").isSubset(of: targets))
  }
}
