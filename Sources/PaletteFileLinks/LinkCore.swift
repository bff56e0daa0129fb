package import PaletteFormats
package import PaletteModel
package import PaletteStore

/// Decides what a linked file and its palette have to tell each other.
///
/// It is asked with both sides as they are, and says the one next step; the caller carries the step out, reports
/// that and asks again, until there is rest. Nothing here waits, reads or writes, and the answer depends
/// on nothing but the two sides and the last versions of the file.
///
/// A program saves an edit of the version that it has read, which need not be the last one. The content alone
/// tells which: the edit is taken from the version that differs least from the saved file.
package struct LinkCore: Sendable {
  /// What is where the file should be.
  package enum Side: Sendable {
    /// A file that could be read.
    case file(LinkedFile)
    /// Nothing.
    case missing
    /// Something that cannot be read, and why.
    case unusable(String)
  }

  /// What comes next.
  package enum Step: Sendable {
    /// Nothing: both say the same, and said so before.
    case rest
    /// Both say the same: remember this version.
    case remember(LinkVersion)
    /// Somebody changed the file: the palette is to be edited.
    case edit(LinkEdit)
    /// The palette changed: this is to replace the file, which then is this version.
    case write(LinkedFile, LinkVersion)
    /// The file may not be written to its end: look again after a while, and say then that it is settled.
    case wait
    /// Neither side may follow the other for now.
    case pause(StoredLink.State, String)
  }

  /// The palette.
  package let palette: PaletteID
  /// The format of the file.
  package let format: any FileFormat
  /// What the file held when both sides last said the same, or when an edit was taken from it.
  private var base: LinkVersion?
  /// What it holds if it was written before this began: one of two versions, nobody knows which.
  private var uncertain: LinkVersion?
  /// Versions from before the base, the oldest first: one that was linked or saved by a program, and some of
  /// those that were written over it.
  private var earlier: [LinkVersion] = []
  /// The file as a program left it; nil where it is not known, or where this link made the file.
  private var origin: LinkOrigin?
  /// The file as it is looked at, where it was not written by this link.
  private var saved: [UInt8]?
  /// The fingerprints of what was written last, and of what is being written.
  private var written: [FileFingerprint] = []
  /// True if there was nothing where the file is to be when it was looked at last.
  private var isBlank = false
  /// The number of earlier versions that are kept, and of those that are kept however large they are.
  ///
  /// A program that saves one that is not kept any more removes what has come since.
  private static let earlierLimits = (versions: 32, large: 4)
  /// The number of lines that all of them may have together where there are more than `large`.
  private static let lineLimit = 4_096

  /// Creates the core of a link, with what was kept of it before; nil for a new one.
  package init(palette: PaletteID, format: any FileFormat, kept: [UInt8]? = nil) {
    self.palette = palette
    self.format = format
    guard let kept = kept.flatMap(KeptLink.init) else { return }
    base = kept.versions.first ?? nil
    uncertain = kept.versions.count > 1 ? kept.versions[1] : nil
    earlier = kept.versions.dropFirst(2).compactMap(\.self)
    origin = kept.origin
    written = kept.written
  }

  /// True if the two sides never said the same.
  var isNew: Bool { base == nil }

  /// What is to be kept of the link, so that another one can go on.
  package var kept: [UInt8]? {
    guard base != nil || uncertain != nil else { return nil }
    return KeptLink(versions: [base, uncertain] + earlier, origin: origin, written: written).bytes
  }

  // MARK: Deciding

  /// Says what comes next.
  ///
  /// - Parameters:
  ///   - side: What is where the file should be.
  ///   - palette: The palette; nil while it is dropped.
  ///   - isSettled: Whether the file has been as it is for long enough to be whole.
  /// - Returns: The one next step.
  package mutating func next(
    _ side: Side,
    _ palette: LinkedPalette?,
    isSettled: Bool = true
  ) -> Step {
    guard let palette else { return .pause(.paused, "the palette was dropped") }
    if origin?.name == nil { origin?.name = palette.name }
    if base?.name == nil { base?.name = palette.name }
    switch side {
    case .unusable(let reason): return .pause(.paused, reason)
    case .missing:
      isBlank = true
      return base == nil
        ? writing(palette, over: nil) : .pause(.paused, "the file is gone")
    case .file(let file):
      isBlank = file.isBlank
      if base == nil, isBlank { return writing(palette, over: nil) }
      switch file.contents {
      case .failure(let error):
        return file.isBlank
          ? .pause(.paused, "the file is empty") : .pause(.broken, error.message)
      case .success(let contents): return next(file, contents, palette, isSettled)
      }
    }
  }

  private mutating func next(
    _ file: LinkedFile,
    _ contents: FileContents,
    _ palette: LinkedPalette,
    _ isSettled: Bool
  ) -> Step {
    guard contents.entries.count <= ChangeStore.linkedColorLimit else {
      return .pause(.broken, "the file has more than \(ChangeStore.linkedColorLimit) colors")
    }
    settleBase(contents)
    // A program may have gone back to what was written before the last time.
    saved = written.last == FileFingerprint(of: file.bytes) ? nil : file.bytes
    guard let base else { return linking(file, contents, palette) }
    if contents.entries.isEmpty, !base.lines.isEmpty, !palette.colors.isEmpty {
      return .pause(.paused, "the file holds no colors any more")
    }
    let isBase = base.isHeld(by: contents)
    if isBase, let saved {
      origin = LinkOrigin(bytes: saved, ids: base.lines.map(\.id), name: base.name)
    }
    if isBase, base.digest == palette.digest, base.name == palette.name { return .rest }
    if !isBase {
      // The last version shows whether a file is whole; a program may have changed an earlier one.
      let edit = LinkEdit(from: base, to: contents, in: palette.id)
      if contents.skipped.count > base.skipped, edit.keptLines < base.lines.count,
        let last = contents.skipped.last
      {
        return .pause(.broken, "\(last.at) of the file is no color any more: \(last.reason)")
      }
      if edit.isTruncation, !isSettled { return .wait }
      // What was written here is of the last version, whatever others it is like.
      return step(saved == nil ? edit : likeliest(edit, contents), palette, over: file)
    }
    return writing(palette, over: file)
  }

  /// What comes of a file that is not the base.
  private mutating func step(
    _ edit: LinkEdit,
    _ palette: LinkedPalette,
    over file: LinkedFile
  ) -> Step {
    var edit = edit
    // What follows others in a file that was written here has done so since.
    edit.isConsequence = saved == nil && edit.isOfReferences
    guard !edit.isEmpty else {
      // It was saved as it was, but for the way in which a program writes.
      carriedOut(edit)
      return writing(palette, over: file)
    }
    // What says all that the palette says is its own file, or a copy of another one's, whatever was
    // there before.
    let step = writing(palette, over: file)
    if case .remember = step, edit.newTitle == nil {
      earlier = []
      return step
    }
    if edit.hasStrangers(in: palette.colors.map(\.color)),
      let shown = try? LinkedFile(writing: palette, as: format)
    {
      edit.adopt(from: shown.version(of: palette))
    }
    return .edit(edit)
  }

  /// The edit of the version from which a file differs least, of which `edit` is that of the base.
  private func likeliest(_ edit: LinkEdit, _ contents: FileContents) -> LinkEdit {
    // A file that is exactly as it was before the last write was put back, which is an edit.
    guard !earlier.contains(where: { $0.isHeld(by: contents) }) else { return edit }
    let edits = earlier.map { LinkEdit(from: $0, to: contents, in: palette) } + [edit]
    let versions = edits.map(\.old)
    // Of those that differ as much the oldest: it has seen least, so it removes and replaces least.
    return edits.dropFirst().reduce(edits[0]) {
      $1.isLikelier(than: $0, among: versions) ? $1 : $0
    }
  }

  /// The first time that a file which is there meets its palette.
  private mutating func linking(
    _ file: LinkedFile,
    _ contents: FileContents,
    _ palette: LinkedPalette
  ) -> Step {
    do throws(FormatError) {
      let shown = try LinkedFile(writing: palette, as: format)
      let edit = LinkEdit(linking: contents, to: shown.version(of: palette), in: palette.id)
      guard edit.isEmpty else { return .edit(edit) }
      // What it says is what those have who read it before it was linked.
      carriedOut(edit)
      return writing(palette, over: file)
    } catch {
      return .pause(.paused, error.message)
    }
  }

  /// Writes the palette, unless the file says the same.
  private func writing(_ palette: LinkedPalette, over file: LinkedFile?) -> Step {
    do throws(FormatError) {
      let following = following(palette, in: file)
      let written = try written(palette, over: file, following)
      if let file, file.saysTheSame(as: written, of: palette) {
        return .remember(file.version(of: palette, following: following, like: written))
      }
      return .write(written, written.version(of: palette, following: following))
    } catch {
      return .pause(.paused, error.message)
    }
  }

  /// The file with the palette in it: a patch of what a program left, else of what is there.
  private func written(
    _ palette: LinkedPalette,
    over file: LinkedFile?,
    _ following: [RecordID: FileEntry]
  ) throws(FormatError) -> LinkedFile {
    guard let file, !file.isBlank else { return try LinkedFile(writing: palette, as: format) }
    if let origin, saved == nil || saved == origin.bytes,
      let written = try? LinkedFile(
        writing: palette,
        as: format,
        over: origin,
        following: following
      )
    {
      return written
    }
    let ids = base?.lines.map(\.id) ?? []
    let current = LinkOrigin(bytes: file.bytes, ids: ids, name: base?.name)
    return try LinkedFile(writing: palette, as: format, over: current, following: following)
  }

  /// The entries of a file that stand for others, as they are now: until one gets its own color in the palette,
  /// it has that of the other.
  private func following(
    _ palette: LinkedPalette,
    in file: LinkedFile?
  ) -> [RecordID: FileEntry] {
    guard palette.acceptsEdits, let base, let contents = try? file?.contents.get(),
      contents.entries.contains(where: \.isReference), base.isHeld(by: contents)
    else { return [:] }
    var following: [RecordID: FileEntry] = [:]
    for (line, entry) in zip(base.lines, contents.entries) where entry.isReference {
      following[line.id] = entry
    }
    return following
  }

  /// True if the file that was just written has colors that the palette has to follow.
  func isAhead(_ file: LinkedFile, _ version: LinkVersion) -> Bool {
    (try? file.contents.get()).map { !version.isHeld(by: $0) } ?? false
  }

  /// Finds out which of two versions was in the file when this began.
  private mutating func settleBase(_ contents: FileContents) {
    guard let later = uncertain else { return }
    // Where it is neither, the later one may have been edited, or the one before; where nothing was
    // before, one that has nothing in common with what was written is somebody's own.
    let isWritten =
      base.map { !$0.isHeld(by: contents) }
      ?? (later.isHeld(by: contents)
        || LinkEdit(from: later, to: contents, in: palette).keptLines > 0)
    if isWritten { wrote(later) } else { failedToWrite() }
  }

  /// The version that the file holds once a step is done after which both sides say the same; nil after any other.
  func version(after step: Step) -> LinkVersion? {
    switch step {
    case .rest: base
    case .remember(let version), .write(_, let version): version
    case .edit, .wait, .pause: nil
    }
  }

  // MARK: What was done

  /// What the file holds and the palette says is this version.
  package mutating func remember(_ version: LinkVersion) {
    base = version
    uncertain = nil
    if let saved {
      origin = LinkOrigin(bytes: saved, ids: version.lines.map(\.id), name: version.name)
    }
  }

  /// An edit of the file is in the palette.
  package mutating func carriedOut(_ edit: LinkEdit) {
    base = edit.new
    uncertain = nil
    if let saved { origin = LinkOrigin(bytes: saved, ids: edit.new.lines.map(\.id)) }
    // The program that saved the file has what it saved.
    if !edit.isConsequence { earlier = [] }
  }

  /// The file is about to be replaced; from now on it may be either of two versions.
  package mutating func beginsWriting(_ file: LinkedFile, _ version: LinkVersion) {
    written = written.suffix(1) + [FileFingerprint(of: file.bytes)]
    // A file that was new to the link and said something is known again by what it says.
    if base != nil || isBlank { uncertain = version }
  }

  /// True if more versions are kept than there is room for.
  private var isLarge: Bool {
    earlier.count > Self.earlierLimits.large
      && earlier.reduce(0) { $0 + $1.lines.count } > Self.lineLimit
  }

  /// The file was replaced.
  package mutating func wrote(_ version: LinkVersion) {
    if let base { earlier.append(base) }
    // The first one was surely there for some program.
    while earlier.count > Self.earlierLimits.versions || isLarge { earlier.remove(at: 1) }
    base = version
    uncertain = nil
  }

  /// The file could not be replaced, and is what it was.
  package mutating func failedToWrite() {
    if uncertain != nil { written = written.dropLast() }
    uncertain = nil
  }
}
