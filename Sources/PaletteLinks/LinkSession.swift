internal import PaletteFormats
public import PaletteModel
public import PaletteStore

/// One linked file while it is followed: when both sides are looked at, and what is done then.
///
/// Events come in with the time at which they happen, and what is to be done comes out, in order. It
/// decides with `LinkCore`; the clock, the file, the palette and what is kept are others'.
public struct LinkSession: Sendable {
  /// What happens.
  public enum Event: Sendable {
    /// Something of the palette is durable now.
    case paletteChanged
    /// Somebody writes to the file, and is not done.
    case fileBegun
    /// The file, or what its name stands for, may be another now.
    case fileChanged
    /// Somebody read the file.
    case fileRead
    /// What was to be woken for is due, and the palette is this; nil while it is dropped.
    case due(LinkedPalette?)
    /// It is time to look for what nobody tells, as on network file systems.
    case polled
    /// Whether the file is the one that is known.
    case peeked(isSame: Bool)
    /// A look is over.
    case looked(LinkLook.Outcome)
    /// An edit of the file is in the palette, as it was carried out.
    case edited(LinkEdit)
    /// The file was replaced, and is this one now.
    case replaced(FileStamp)
    /// The file was not replaced: it is not the one any more that was to be.
    case replacedByOthers
    /// Something that was to be done could not be, and why.
    case failed(String)
  }

  /// What is to be done.
  public enum Action: Sendable {
    /// Say after so many milliseconds that it is due, and not when that was said before.
    case wake(afterMilliseconds: Int64)
    /// Finish a look.
    case look(LinkLook)
    /// See whether the file is this one still.
    case peek(FileStamp?)
    /// Make an edit of the file a part of the palette, and in the same transaction keep what comes of it.
    case edit(LinkEdit, keeping: @Sendable (LinkEdit) -> StoredLink)
    /// Keep this; where that fails, nothing that follows may be done.
    case save(StoredLink)
    /// Replace the file, if it is the one with this stamp; nil for none.
    case replace(with: [UInt8], FileStamp?)
    /// Find out anew which folders lead to the file.
    case watch
    /// Tell that file and palette follow each other again.
    case resumed
    /// Tell that they do not for now, and keep why.
    case paused(StoredLink.State, String)
  }

  /// How long a file, or a palette, has to be quiet before it is looked at, in milliseconds.
  private static let quietMilliseconds: (file: Int64, palette: Int64) = (30, 20)
  /// The longest that looks are put off because there is always something new.
  private static let patienceMilliseconds: Int64 = 120
  /// How long a file that somebody has open is waited for after the last write to it.
  private static let openMilliseconds: Int64 = 1_000
  /// How long one that somebody goes on writing to is waited for.
  private static let writingMilliseconds: Int64 = 10_000
  /// How often a paused link is looked at although nothing was heard.
  private static let retryMilliseconds: Int64 = 5_000
  /// How long a file that lost its end has to stay so.
  private static let truncationMilliseconds: Int64 = 200
  /// How long there is at least between two writes, and how much longer for each color.
  private static let writeInterval = (milliseconds: Int64(80), colorsPerMillisecond: 100)

  /// The path of the file.
  public let file: String
  /// The file that the path led to when it was linked.
  public let target: String
  /// Whether file and palette follow each other.
  public private(set) var state: StoredLink.State
  /// Why they do not.
  public private(set) var error: String?
  private var core: LinkCore
  /// The file as it was last seen.
  private var known: (stamp: FileStamp, file: LinkedFile)?
  /// Whether both sides were looked at since the session began.
  private var isLookedAt = false
  /// Whether a look or a write is on its way.
  private var isBusy = false
  /// Whether there is something to do when that is over.
  private var hasNews = false
  /// Whether a wake is on its way, and since when looks are put off.
  private var isWaiting = false
  private var firstNews: Int64?
  /// Whether the file has been as it is for long enough to be whole.
  private var isSettled = false
  /// Since when somebody has the file open to write to it, and when that was seen last.
  private var writing: (since: Int64, last: Int64)?
  /// Whether it was told that the file may be another than was seen last, and before the last look.
  private var hasHeard = false
  private var wasTold = false
  /// How many times the file was read for a look and that was not told yet.
  private var ownReads = 0
  /// How many times somebody read the file while a look was on its way.
  private var readsWhileBusy = 0
  /// Whether the file is being replaced, or was and that was not told yet: who read it had the old one.
  private var awaitsOwnChange = false
  /// Whether somebody read the file while it was about to be replaced.
  private var isOldRead = false
  /// Whether somebody read what it was replaced with, before it was known that it was.
  private var isNewRead = false
  /// Whether the file says what it said when the two sides last met.
  private var isKnownAsBase = false
  /// Whether somebody read the file, and it cannot be told whether as it is or as it was.
  private var mayBeRead = false
  /// When a paused link is looked at again although nothing was heard.
  private var retry: Int64 = 0
  /// When the file was written last.
  private var lastWrite: Int64?
  /// What the file is being replaced with.
  private var replacement: (file: LinkedFile, version: LinkVersion)?
  /// Whether what is kept is older than what is known.
  private var isUnsaved = false

  /// Takes up a link as it was kept; nil where this version has no such format.
  public init?(_ stored: StoredLink) {
    guard let format = try? FormatRegistry.standard.format(named: stored.format) else { return nil }
    file = stored.file
    target = stored.target
    core = LinkCore(palette: stored.palette, format: format, kept: stored.base)
    state = stored.state
    error = stored.error
  }

  /// The palette.
  public var palette: PaletteID { core.palette }

  /// Whether both sides were looked at, and nothing is on its way.
  public var isAtRest: Bool { isLookedAt && !isBusy }

  private func stored(_ core: LinkCore) -> StoredLink {
    StoredLink(
      file: file,
      target: target,
      palette: core.palette,
      format: core.format.name,
      base: core.kept,
      state: state,
      error: error
    )
  }

  /// Says what is to be done; whoever begins a session says `paletteChanged` first.
  public mutating func handle(_ event: Event, at now: Int64) -> [Action] {
    switch event {
    case .paletteChanged: return wake(after: Self.quietMilliseconds.palette, now)
    case .fileBegun, .fileChanged, .fileRead: return hear(event, now)
    case .due(let palette): return look(at: palette)
    case .polled: return poll(now)
    case .peeked(let isSame):
      guard !isSame, known != nil else { return [] }
      return wake(after: Self.quietMilliseconds.file, now)
    case .looked(let outcome): return end(outcome, now)
    case .edited(let edit):
      core.carriedOut(edit)
      isUnsaved = false
      isKnownAsBase = true
      return wake(after: 0, now)
    case .replaced(let stamp):
      isBusy = false
      guard let (file, version) = replacement else { return [] }
      replacement = nil
      known = (stamp, file)
      // What that program writes next is based on what was there.
      if isOldRead { core.wasRead() }
      core.wrote(version)
      if isNewRead { core.wasRead() }
      return rest(now, saving: true)
    case .replacedByOthers:
      isBusy = false
      giveUpReplacing()
      return wake(after: Self.quietMilliseconds.file, now)
    case .failed(let reason):
      isBusy = false
      isUnsaved = true
      if replacement != nil { giveUpReplacing() }
      return pause(.paused, reason, now)
    }
  }

  /// The file is not what it was to be replaced with: who read it meanwhile may have it as it is.
  private mutating func giveUpReplacing() {
    replacement = nil
    awaitsOwnChange = false
    if isOldRead || isNewRead { mayBeRead = true }
    core.failedToWrite()
  }

  // MARK: When

  /// Has both sides looked at after a while; what is told meanwhile puts that off, for some time.
  private mutating func wake(
    after delay: Int64,
    _ now: Int64,
    atMost limit: Int64 = patienceMilliseconds
  ) -> [Action] {
    guard !isBusy else {
      hasNews = true
      return []
    }
    let first = firstNews ?? now
    firstNews = first
    var due = min(now + delay, max(now, first + limit))
    if let writing {
      // Its writer closes it; one that does not for long has written what it wanted.
      due = max(
        due,
        min(writing.last + Self.openMilliseconds, writing.since + Self.writingMilliseconds)
      )
    }
    isWaiting = true
    return [.wake(afterMilliseconds: max(0, due - now))]
  }

  private mutating func hear(_ event: Event, _ now: Int64) -> [Action] {
    if case .fileRead = event {
      if ownReads > 0 {
        ownReads -= 1
      } else if awaitsOwnChange {
        if replacement != nil {
          isOldRead = true
        } else if core.formerWasRead() {
          return [.save(stored(core))]
        }
      } else if replacement != nil {
        if hasHeard { mayBeRead = true } else { isNewRead = true }
      } else if isBusy {
        readsWhileBusy += 1
      } else if hasHeard || !isKnownAsBase {
        mayBeRead = true
      } else if core.wasRead() {
        return [.save(stored(core))]
      }
      return []
    }
    isSettled = false
    hasHeard = hasHeard || !awaitsOwnChange
    if case .fileBegun = event {
      writing = (writing?.since ?? now, now)
    } else {
      writing = nil
      awaitsOwnChange = false
    }
    return wake(after: Self.quietMilliseconds.file, now)
  }

  private mutating func poll(_ now: Int64) -> [Action] {
    guard !isWaiting, !isBusy else { return [] }
    guard state != .live, now >= retry else { return [.peek(known?.stamp)] }
    retry = now + Self.retryMilliseconds
    return [.watch] + wake(after: 0, now)
  }

  // MARK: One step

  private mutating func look(at palette: LinkedPalette?) -> [Action] {
    isWaiting = false
    firstNews = nil
    guard !isBusy else { return [] }
    if mayBeRead { core.mayHaveBeenRead() }
    mayBeRead = false
    (wasTold, hasHeard) = (hasHeard, false)
    isBusy = true
    hasNews = false
    writing = nil
    defer { isSettled = false }
    return [.look(LinkLook(at: file, core, known, palette, isSettled: isSettled))]
  }

  private mutating func end(_ outcome: LinkLook.Outcome, _ now: Int64) -> [Action] {
    isBusy = false
    core = outcome.core
    let wasKnownAsBase = isKnownAsBase && !wasTold && !hasHeard && !outcome.reads
    if known == nil, !isLookedAt, outcome.quietMilliseconds < Self.openMilliseconds {
      // Its writer may have begun before anybody listened, and go on.
      let last = now - max(0, outcome.quietMilliseconds)
      writing = writing ?? (last, last)
    }
    known = outcome.known
    let isUntold = outcome.reads && !wasTold && !hasHeard && !core.isNew
    countReads(outcome.reads, ofBase: wasKnownAsBase)
    isKnownAsBase = false
    guard let step = outcome.step else { return wake(after: Self.quietMilliseconds.file, now) }
    switch step {
    case .rest: return rest(now)
    case .remember(let version):
      core.remember(version)
      return rest(now, saving: true)
    case .wait:
      isSettled = true
      return wake(
        after: Self.truncationMilliseconds,
        now,
        atMost: Self.truncationMilliseconds
      )
    case .pause(let state, let reason):
      // Somebody goes on writing: what was read may be half of it.
      return writing == nil ? pause(state, reason, now) : wake(after: 0, now)
    case .edit(let edit):
      // Somebody goes on writing, or what was read may be based on what it is not compared with.
      if isUntold, writing == nil { writing = (now, now) }
      guard writing == nil, !mayBeRead else { return wake(after: 0, now) }
      // Who wrote it during the look may have read it then, too, which looks like the look's own reading.
      guard !hasHeard else { return wake(after: Self.quietMilliseconds.file, now) }
      return [
        .edit(edit) { [self] edit in
          var core = core
          core.carriedOut(edit)
          return stored(core)
        }
      ]
    case .write(let file, let version):
      return writing == nil ? write(file, version, now) : wake(after: 0, now)
    }
  }

  /// Tells what was read for a look from what others read: of each, the system tells alike.
  private mutating func countReads(_ isOwn: Bool, ofBase isBase: Bool) {
    if isOwn { if readsWhileBusy > 0 { readsWhileBusy -= 1 } else { ownReads += 1 } }
    if readsWhileBusy > 0 {
      if isBase { isUnsaved = core.wasRead() || isUnsaved } else { mayBeRead = true }
    }
    readsWhileBusy = 0
  }

  private mutating func write(
    _ file: LinkedFile,
    _ version: LinkVersion,
    _ now: Int64
  ) -> [Action] {
    let interval =
      Self.writeInterval.milliseconds
      + Int64(version.lines.count / Self.writeInterval.colorsPerMillisecond)
    if let lastWrite, now < lastWrite + interval {
      return wake(after: lastWrite + interval - now, now, atMost: interval)
    }
    lastWrite = now
    core.beginsWriting(version)
    replacement = (file, version)
    isBusy = true
    if mayBeRead { core.mayHaveBeenRead() }
    mayBeRead = false
    (isOldRead, isNewRead) = (false, false)
    awaitsOwnChange = true
    isUnsaved = true
    return [.save(stored(core)), .replace(with: file.bytes, known?.stamp)]
  }

  /// Both sides say the same.
  private mutating func rest(_ now: Int64, saving: Bool = false) -> [Action] {
    let wasPaused = state != .live || error != nil
    state = .live
    error = nil
    isLookedAt = true
    isKnownAsBase = true
    var actions: [Action] = wasPaused ? [.resumed, .watch] : []
    if saving || isUnsaved || wasPaused { actions.append(.save(stored(core))) }
    isUnsaved = false
    if hasNews { actions += wake(after: Self.quietMilliseconds.file, now) }
    return actions
  }

  private mutating func pause(
    _ state: StoredLink.State,
    _ reason: String,
    _ now: Int64
  ) -> [Action] {
    let isNew = self.state != state || error != reason
    self.state = state
    error = reason
    isLookedAt = true
    retry = now + Self.retryMilliseconds
    var actions: [Action] = isNew ? [.paused(state, reason), .watch] : [.watch]
    if hasNews { actions += wake(after: Self.quietMilliseconds.file, now) }
    return actions
  }
}
