public import PaletteFormats
public import PaletteModel
public import PaletteStore

/// Decides what a linked file and its palette have to tell each other.
///
/// It is asked with both sides as they are, and says the one next step; whoever carries the step out tells so
/// and asks again, until there is rest. Nothing here waits, reads or writes, and the answer depends
/// on nothing but the two sides and the version of the file that both knew last.
public struct LinkCore: Sendable {
  /// What is where the file should be.
  public enum Side: Sendable {
    /// A file that could be read.
    case file(LinkedFile)
    /// Nothing.
    case missing
    /// Something that cannot be read, and why.
    case unusable(String)
  }

  /// What comes next.
  public enum Step: Sendable {
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
  public let palette: PaletteID
  /// The format of the file.
  public let format: any FileFormat
  /// What the file held when both sides last said the same, or when an edit was taken from it.
  private var base: LinkVersion?
  /// What it holds if it was written before this began: one of two versions, nobody knows which.
  private var uncertain: LinkVersion?
  /// The newest version that other programs may have read; nil where it is the base.
  private var loaded: LinkVersion?
  /// Whether the file may have been read since, though nobody can tell: the smaller edit is what was done.
  private var mayBeRead = false

  /// Creates the core of a link, with what was kept of it before; nil for a new one.
  public init(palette: PaletteID, format: any FileFormat, kept: [UInt8]? = nil) {
    self.palette = palette
    self.format = format
    let versions = kept.flatMap(LinkVersion.decode) ?? []
    base = versions.first ?? nil
    uncertain = versions.count > 1 ? versions[1] : nil
    loaded = versions.count > 2 ? versions[2] : nil
    mayBeRead = loaded != nil
  }

  /// Whether the two sides never said the same.
  var isNew: Bool { base == nil }

  /// What is to be kept of the link, so that another one can go on.
  public var kept: [UInt8]? {
    base.map { LinkVersion.encode(loaded == nil ? [$0, uncertain] : [$0, uncertain, loaded]) }
  }

  // MARK: Deciding

  /// Says what comes next.
  ///
  /// - Parameters:
  ///   - side: What is where the file should be.
  ///   - palette: The palette; nil while it is dropped.
  ///   - isSettled: Whether the file has been as it is for long enough to be whole.
  /// - Returns: The one next step.
  public mutating func next(
    _ side: Side,
    _ palette: LinkedPalette?,
    isSettled: Bool = true
  ) -> Step {
    guard let palette else { return .pause(.paused, "the palette was dropped") }
    switch side {
    case .unusable(let reason): return .pause(.paused, reason)
    case .missing:
      return base == nil
        ? writing(palette, over: nil) : .pause(.paused, "the file is gone")
    case .file(let file):
      if base == nil, file.isBlank { return writing(palette, over: nil) }
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
    guard let base else { return linking(file, contents, palette) }
    if contents.entries.isEmpty, !base.lines.isEmpty, !palette.colors.isEmpty {
      return .pause(.paused, "the file holds no colors any more")
    }
    let isBase = base.isHeld(by: contents)
    if isBase, base.digest == palette.digest { return .rest }
    if !isBase {
      // Whether a file is whole shows by what was there last. But what nobody has read since it was
      // written here is not what others changed; only who puts back exactly what was there before means to.
      var edit = LinkEdit(from: base, to: contents, in: palette.id)
      if edit.removes, contents.skipped.count > base.skipped, let last = contents.skipped.last {
        return .pause(.broken, "\(last.at) of the file is no color any more: \(last.reason)")
      }
      if edit.isTruncation, !isSettled { return .wait }
      if let loaded, !loaded.isHeld(by: contents) {
        let other = LinkEdit(from: loaded, to: contents, in: palette.id)
        if !mayBeRead || other.isLikelier(than: edit) { edit = other }
      }
      if !edit.isEmpty {
        // What says all that the palette says is its own file, or a copy of another one's, whatever was
        // there before.
        let step = writing(palette, over: file)
        if case .remember = step, edit.newTitle == nil { return step }
        if edit.hasStrangers(in: palette.colors.map(\.color)),
          let shown = try? LinkedFile(writing: palette, as: format)
        {
          edit.adopt(from: shown.version(of: palette))
        }
        return .edit(edit)
      }
    }
    return writing(palette, over: file)
  }

  /// The first time that a file which is there meets its palette.
  private func linking(
    _ file: LinkedFile,
    _ contents: FileContents,
    _ palette: LinkedPalette
  ) -> Step {
    do throws(FormatError) {
      let shown = try LinkedFile(writing: palette, as: format)
      let edit = LinkEdit(linking: contents, to: shown.version(of: palette), in: palette.id)
      return edit.isEmpty ? writing(palette, over: file) : .edit(edit)
    } catch {
      return .pause(.paused, error.message)
    }
  }

  /// Writes the palette, unless the file says the same.
  private func writing(_ palette: LinkedPalette, over file: LinkedFile?) -> Step {
    do throws(FormatError) {
      let written = try LinkedFile(
        writing: palette,
        as: format,
        over: file,
        ids: base?.lines.map(\.id) ?? []
      )
      if let file, file.saysTheSame(as: written, of: palette) {
        return .remember(file.version(of: palette))
      }
      return .write(written, written.version(of: palette))
    } catch {
      return .pause(.paused, error.message)
    }
  }

  /// Finds out which of two versions was in the file when this began.
  private mutating func settleBase(_ contents: FileContents) {
    guard let later = uncertain, let base else { return }
    uncertain = nil
    guard !later.isHeld(by: contents) else {
      self.base = later
      return
    }
    guard !base.isHeld(by: contents) else { return }
    // Whoever edited one of them has kept lines of it; where that tells nothing, less was done to it.
    let known = [base, later].map { version in
      LinkPairing(
        of: contents.entries,
        with: version.lines.map(\.entry),
        ids: version.lines.map(\.id),
        reach: .part
      ).oldIndexes.count { $0 != nil }
    }
    let sizes = [base, later].map { LinkEdit(from: $0, to: contents, in: palette).size }
    let isLater = known[0] == known[1] ? sizes[1] <= sizes[0] : known[1] > known[0]
    if isLater { self.base = later }
  }

  // MARK: What was done

  /// Another program read the file as it is, so what it writes next may be based on that.
  ///
  /// - Returns: Whether that is news.
  @discardableResult
  public mutating func wasRead() -> Bool {
    defer { loaded = nil }
    return loaded != nil
  }

  /// It cannot be told whether another program read the file as it is or as it was.
  mutating func mayHaveBeenRead() { mayBeRead = true }

  /// What the file holds and the palette says is this version.
  public mutating func remember(_ version: LinkVersion) {
    // Saying the same, it is what those have too who read the file before.
    base = version
    uncertain = nil
  }

  /// An edit of the file is in the palette.
  public mutating func carriedOut(_ edit: LinkEdit) {
    base = edit.new
    uncertain = nil
    // Whoever saved the file has what it saved.
    loaded = nil
  }

  /// The file is about to be replaced; from now on it may be either of two versions.
  public mutating func beginsWriting(_ version: LinkVersion) {
    // A file that was not there, or said nothing, is known again by what it says.
    if base != nil { uncertain = version }
  }

  /// The file was replaced.
  public mutating func wrote(_ version: LinkVersion) {
    if loaded == nil {
      loaded = base
      mayBeRead = false
    }
    base = version
    uncertain = nil
  }

  /// The file could not be replaced, and is what it was.
  public mutating func failedToWrite() { uncertain = nil }
}
