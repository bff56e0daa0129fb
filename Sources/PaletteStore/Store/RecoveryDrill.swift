package import PaletteMerge
internal import PaletteModel

/// A recovery into a folder of its own, which shows whether a backup brings the library back.
///
/// The folder is in `$TMPDIR` or `/tmp`, needs as much room as the backup, and goes with the drill.
package struct RecoveryDrill: ~Copyable {
  /// The digest of the recovered library.
  package let digest: Digest
  /// The number of palettes and colors in it.
  package let totals: LibraryTotals

  // Closed before its folder goes.
  private let store: ChangeStore
  private let folder: TemporaryFolder

  /// Recovers a backup.
  ///
  /// - Parameters:
  ///   - backup: The backup; it is only read.
  ///   - report: Receives the number of pages copied, and of all; what it throws ends the drill.
  /// - Throws: `StoreError` when nothing can be recovered.
  package init(
    of backup: String,
    report: (Int, Int) throws(StoreError) -> Void = { _, _ in }
  ) throws(StoreError) {
    let folder = try TemporaryFolder()
    let library = try LibraryFolder(folder.path)
    _ = try ChangeStore.recover(library, from: backup, timestamp: "drill", report: report)
    let store = try ChangeStore(writing: library)
    let (digest, totals) = (try store.digest(), try store.totals())
    self.digest = digest
    self.totals = totals
    self.store = store
    self.folder = folder
  }

  /// Looks for what is wrong with the recovered library, and edits it.
  ///
  /// - Parameter name: The name of the palette that is made for it.
  /// - Returns: The problems, in words; nothing when all is well.
  /// - Throws: `StoreError` when the library cannot be read.
  package func problems(editingAs name: String = "Drill") throws(StoreError) -> [String] {
    var problems = try store.verify()
    var random = SystemRandomNumberGenerator()
    let palette = PaletteID(RecordID(using: &random))
    _ = try store.write { transaction throws(StoreError) in
      try transaction.palette(beginning: palette).author(
        .add(palette.record, [.name: RegisterValue(text: name)])
      )
    }
    if try store.summary(of: palette)?.name != name {
      problems.append("a palette that was made in it is not there")
    }
    return problems
  }
}
