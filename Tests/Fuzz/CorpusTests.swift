import Foundation
import Testing

/// Every input that was kept, every crash that was fixed, and the seeds, without libFuzzer.
struct CorpusTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("Corpus")

  @Test(arguments: FuzzTarget.all.map(\.name))
  func propertiesHold(_ name: String) throws {
    let target = try #require(FuzzTarget.all.first { $0.name == name })
    for (index, seed) in try target.seeds().enumerated() {
      do { try target.check(seed) } catch { Issue.record("seed \(index): \(error)") }
      #expect(seed.count <= target.lengthLimit)
    }
    let inputs = try FileManager.default.contentsOfDirectory(
      at: Self.folder.appendingPathComponent(name),
      includingPropertiesForKeys: nil
    )
    #expect(!inputs.isEmpty)
    for input in inputs {
      let bytes = [UInt8](try Data(contentsOf: input))
      do { try target.check(bytes) } catch {
        Issue.record("\(name)/\(input.lastPathComponent): \(error)")
      }
    }
  }

  @Test func everyFolderHasATarget() throws {
    let folders = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
    #expect(Set(folders) == Set(FuzzTarget.all.map(\.name)))
  }
}
