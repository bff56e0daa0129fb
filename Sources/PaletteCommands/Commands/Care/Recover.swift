internal import PaletteMerge
internal import PaletteModel
internal import PalettePlatform
internal import PaletteStore

extension Command {
  package static let recover = Command(
    "recover",
    .care,
    .alone,
    view: .recovery,
    summary: "Replaces the library by a backup",
    details: [
      "The library continues as a new node and the old one is kept aside. Asks first on a "
        + "terminal and needs --yes elsewhere; works only while no node runs.",
      "Rights that the old library had revoked stay revoked, as far as it can still be read.",
    ],
    positionals: [Positional("FILE", "a file that `hued backup` wrote", content: .path)],
    examples: [.init("hued recover ~/hued.backup", "go back to the copy")],
    isMethod: false,
    question: .about("file", before: "Replace the library by '", after: "'?")
  ) { call in
    let file = try call.parameters.text("file")
    guard PalettePlatform.access(file, F_OK) == 0 || errno != ENOENT else {
      throw APIError(code: "not-found", message: "there is no backup '\(file)'")
    }
    let folder = try LibraryFolder(call.library.location.home)
    let digits = call.library.now.description.utf8.filter { byte in
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
    try call.library.report(Progress("Checking the backup"))
    let summary: RecoverySummary
    do {
      summary = try ChangeStore.recover(
        folder,
        from: file,
        timestamp: String(decoding: digits, as: UTF8.self)
      ) { done, total throws(StoreError) in
        try call.library.report(inStore: Progress("Recovering", .pages, done: done, of: total))
      }
    } catch let error as StoreError where error.code == .interrupted {
      throw APIError.interrupted("the library is as it was")
    } catch let error as StoreError where error.code == .notALibrary {
      throw APIError(
        code: APIError(error).code,
        message: error.message,
        hint: "name a file that 'hued backup' wrote; the library is as it was"
      )
    }
    let store = try call.library.creating()
    return RecoveryAnswer(
      file: file,
      recovery: summary,
      totals: try store.totals(),
      node: store.node
    )
  }
  .with(\.work, "Recovering")
  .with(\.needsNoNode)
}

/// The library as it is now, and where the old one was kept.
package struct RecoveryAnswer: ObjectAnswer {
  let file: String
  let recovery: RecoverySummary
  let totals: LibraryTotals
  let node: NodeID

  package static let fields: [Field<Self>] = [
    Field("file") { $0.file }, Field("bytes") { $0.recovery.backup.bytes },
    Field("pages") { $0.recovery.backup.pages }, Field("palettes") { $0.totals.palettes },
    Field("colors") { $0.totals.colors }, Field("node") { $0.node.description },
    Field("kept") { $0.recovery.keptAs },
    Field("revoked", "rights that stay revoked; null where the old library could not tell") {
      $0.recovery.revoked
    },
  ]
}

extension Received where Form == RecoveryAnswer {
  package var file: String { text("file") }
  package var palettes: Int { integer("palettes") ?? 0 }
  package var colors: Int { integer("colors") ?? 0 }
  package var kept: String? { optionalText("kept") }
  package var revoked: Int? { integer("revoked") }
}
