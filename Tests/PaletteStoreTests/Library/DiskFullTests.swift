import Foundation
import PaletteStore
import Testing

@Suite(.enabled(if: Mount.isPossible))
struct DiskFullTests {
  @Test func keepsWhatIsDurableAndRecovers() throws {
    let scratch = try Scratch()
    let mount = try Mount(tmpfsAt: scratch.path, bytes: 1 << 20)
    let folder = try scratch.library()
    let library = try folder.opened()
    var durable = 0
    let word = String(repeating: "w", count: 10_000)
    let error = #expect(throws: StoreError.self) {
      while durable < 1_000 {
        try library.connection.transaction { () throws(StoreError) in
          try library.connection.add(word)
        }
        durable += 1
      }
    }
    #expect(error?.code == .diskFull)
    #expect(error?.hint?.contains("space") == true)
    #expect(durable > 5)
    #expect(library.connection.isInTransaction == false)
    #expect(try library.connection.words().count == durable)
    #expect(try folder.words()?.count == durable)

    try mount.resize(bytes: 8 << 20)
    try library.connection.add(word)
    #expect(try library.connection.words().count == durable + 1)
    #expect(try library.connection.integrityCheck().isEmpty)
  }

  @Test(arguments: [8_192, 16_384, 32_768, 65_536, 98_304])
  func creationLeavesNoHalfLibrary(bytes: Int) throws {
    let scratch = try Scratch()
    let mount = try Mount(tmpfsAt: scratch.path, bytes: bytes)
    let folder = try scratch.library()
    do {
      try folder.add("word")
    } catch {
      #expect(error.code == .diskFull, "\(error)")
      #expect(try [nil, []].contains(folder.words()))
    }
    try mount.resize(bytes: 8 << 20)
    try folder.add("after")
    #expect(try folder.words()?.last == "after")
  }
}
