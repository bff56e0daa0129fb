import Foundation
import PaletteMerge
import PaletteModel
import PaletteStore
import Testing

struct MovedFileTests {
  private let palette = PaletteID(RecordID(high: 1, low: 1))

  private func name(_ text: String, in store: ChangeStore) throws(StoreError) {
    try store.write { transaction throws(StoreError) in
      let edit = Edit.set(palette.record, [.name: RegisterValue(text: text)])
      _ = try transaction.palette(beginning: palette).act([edit])
    }
  }

  @Test func nothingIsSavedIntoAFileThatWasSetAside() throws {
    let scratch = try Scratch()
    let folder = try scratch.library()
    let store = try ChangeStore(writing: folder)
    try name("first", in: store)
    let aside = scratch.file("aside")
    try FileManager.default.moveItem(atPath: folder.databasePath, toPath: aside)
    for _ in 0..<2 {
      let error = #expect(throws: StoreError.self) { try name("lost", in: store) }
      #expect(error?.code == .cannotOpen)
    }
    #expect(throws: StoreError.self) {
      try store.group { try? name("lost", in: store) }
    }
    #expect(throws: StoreError.self) { try store.checkUsability() }
    try FileManager.default.moveItem(atPath: aside, toPath: folder.databasePath)
    try store.checkUsability()
    #expect(store.writeFailure == nil)
    try name("second", in: store)
    #expect(try store.summary(of: palette)?.name == "second")
  }

  @Test func nothingIsSavedIntoAFileInWhosePlaceAnotherOneIs() throws {
    let scratch = try Scratch()
    let folder = try scratch.library()
    let store = try ChangeStore(writing: folder)
    try name("first", in: store)
    let bytes = try bytes(folder.databasePath)
    try write(bytes, to: scratch.file("other"))
    #expect(rename(scratch.file("other"), folder.databasePath) == 0)
    let error = #expect(throws: StoreError.self) { try name("lost", in: store) }
    #expect(error?.code == .cannotOpen)
  }
}

@Suite(.enabled(if: Mount.isPossible))
struct UsabilityTests {
  @Test func aFullDiskIsRememberedUntilAWriteSucceeds() throws {
    let scratch = try Scratch()
    let mount = try Mount(tmpfsAt: scratch.path, bytes: 1 << 20)
    let store = try ChangeStore(writing: try scratch.library())
    let palette = PaletteID(RecordID(high: 1, low: 1))
    try store.checkUsability()
    let error = #expect(throws: StoreError.self) {
      for number in 0..<200 {
        try store.write { transaction throws(StoreError) in
          let note = RegisterValue(text: "\(number)" + String(repeating: "n", count: 16_000))
          _ = try transaction.palette(beginning: palette).act([.set(palette.record, [.name: note])])
        }
      }
    }
    #expect(error?.code == .diskFull && store.writeFailure?.code == .diskFull)
    try mount.resize(bytes: 8 << 20)
    try store.checkUsability()
    #expect(store.writeFailure == nil)
  }
}
