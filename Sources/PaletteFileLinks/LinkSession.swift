internal import PaletteFormats
package import PaletteModel
package import PaletteStore

/// One linked file while it is followed: when both sides are looked at, and what is done then.
///
/// Events come in with the time at which they happen, and what is to be done comes out, in order. It
/// decides with `LinkCore`; the clock, the file, the palette and what is kept are others'.
package struct LinkSession: Sendable {
  /// The event.
  package enum Event: Sendable {
    /// Something of the palette is durable now.
    case paletteChanged
    /// Somebody writes to the file, and is not done.
    case fileBegun
    /// The file, or the target of its path, may have been replaced.
    case fileChanged
    /// A wake is due; the palette as it is now, nil while it is dropped.
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
  package enum Action: Sendable {
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
    /// Find out again which folders lead to the file.
    case watch
    /// Tell that file and palette follow each other again.
    case resumed
    /// Tell that they do not for now, and keep why.
    case paused(StoredLink.State, String)
  }

  /// The time that a file, or a palette, has to be quiet before it is looked at, in milliseconds.
  private static let quietMilliseconds: (file: Int64, palette: Int64) = (30, 20)
  /// The longest that looks are put off because there is always something new.
  private static let patienceMilliseconds: Int64 = 120
  /// The time that a file that somebody has open is waited for after the last write to it.
  private static let openMilliseconds: Int64 = 1_000
  /// The time that one that somebody goes on writing to is waited for.
  private static let writingMilliseconds: Int64 = 10_000
  /// The interval at which a paused link is looked at although nothing was heard.
  private static let retryMilliseconds: Int64 = 5_000
  /// The time that a file that lost its end has to stay so.
  private static let truncationMilliseconds: Int64 = 200
  /// The time that there is at least between two writes, and how much longer for each color.
  private static let writeInterval = (milliseconds: Int64(80), colorsPerMillisecond: 100)

  /// The path of the file.
  package let file: String
  /// The file that the path led to when it was linked.
  package let target: String
  /// The state of the link.
  package private(set) var state: StoredLink.State
  /// The reason why file and palette do not follow each other; nil while they do.
  package private(set) var error: String?
  /// The differences of the file from the palette that its format makes.
  package private(set) var notes: [String] = []
  private var core: LinkCore
  /// The file as it was last seen.
  private var known: (stamp: FileStamp, file: LinkedFile)?
  private var phase = Phase.idle
  /// The time since when a program has the file open to write to it, and the time of its last write.
  private var writing: (since: Int64, last: Int64)?
  /// The time at which a paused link is looked at again although nothing was heard.
  private var retry: Int64 = 0
  /// The time of the last write of the palette.
  private var lastWrite: Int64?

  /// The point at which a session is.
  private enum Phase {
    /// Nothing is on its way.
    case idle
    /// A wake is on its way since the first news; a settled file has been as it is for long enough to be whole.
    case waiting(since: Int64, for: News, isSettled: Bool)
    /// A look is on its way for some news, and more may have come since.
    case looking(for: News, then: News)
    /// The file is being replaced with this, and news may have come since.
    case replacing(LinkedFile, LinkVersion, then: News)
  }

  /// The side of which there is news; of both, the file.
  private enum News: Comparable {
    case none, palette, file
  }

  /// Takes up a link as it was kept; nil where this version has no such format.
  package init?(_ stored: StoredLink) {
    guard let format = try? FormatRegistry.standard.format(named: stored.format) else { return nil }
    file = stored.file
    target = stored.target
    core = LinkCore(palette: stored.palette, format: format, kept: stored.base)
    state = stored.state
    error = stored.error
  }

  /// The palette.
  package var palette: PaletteID { core.palette }

  /// True if nothing is on its way.
  package var isAtRest: Bool {
    if case .idle = phase { true } else { false }
  }

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

  /// Says what is to be done; the first event of a session is `paletteChanged`.
  package mutating func handle(_ event: Event, at now: Int64) -> [Action] {
    switch event {
    case .paletteChanged: return wake(for: .palette, after: Self.quietMilliseconds.palette, now)
    case .fileBegun:
      writing = (writing?.since ?? now, now)
      return wake(for: .file, after: Self.quietMilliseconds.file, now)
    case .fileChanged:
      writing = nil
      return wake(for: .file, after: Self.quietMilliseconds.file, now)
    case .due(let palette): return look(at: palette)
    case .polled: return poll(now)
    case .peeked(let isSame):
      guard !isSame, known != nil else { return [] }
      return wake(for: .palette, after: Self.quietMilliseconds.file, now)
    case .looked(let outcome): return end(outcome, now)
    case .edited(let edit):
      core.carriedOut(edit)
      return wake(for: .palette, after: 0, now)
    case .replaced(let stamp):
      guard case .replacing(let file, let version, let news) = phase else { return [] }
      phase = .idle
      known = (stamp, file)
      core.wrote(version)
      let then = core.isAhead(file, version) ? max(news, .palette) : news
      return rest(now, then: then, saving: true)
    case .replacedByOthers:
      core.failedToWrite()
      phase = .idle
      return wake(for: .file, after: Self.quietMilliseconds.file, now)
    case .failed(let reason):
      let news = endPhase()
      return pause(.paused, reason, now, then: news)
    }
  }

  /// Gives up what is on its way, and returns the news since it began.
  private mutating func endPhase() -> News {
    defer { phase = .idle }
    switch phase {
    case .idle: return .none
    case .waiting(_, let news, _), .looking(_, let news): return news
    case .replacing(_, _, let news):
      core.failedToWrite()
      return news
    }
  }

  // MARK: When

  /// Asks for a look at both sides after a while; what is heard meanwhile puts that off, for some time.
  private mutating func wake(
    for news: News,
    after delay: Int64,
    _ now: Int64,
    atMost limit: Int64 = patienceMilliseconds,
    isSettled: Bool = false
  ) -> [Action] {
    var (first, all, isSettled) = (now, news, isSettled)
    switch phase {
    case .idle: break
    case .waiting(let since, let earlier, let wasSettled):
      (first, all) = (since, max(news, earlier))
      isSettled = isSettled || (wasSettled && news != .file)
    case .looking(let cause, let then):
      phase = .looking(for: cause, then: max(news, then))
      return []
    case .replacing(let file, let version, let then):
      phase = .replacing(file, version, then: max(news, then))
      return []
    }
    var due = min(now + delay, max(now, first + limit))
    if let writing {
      // Its writer closes it; one that does not for long has written what it wanted.
      due = max(
        due,
        min(writing.last + Self.openMilliseconds, writing.since + Self.writingMilliseconds)
      )
    }
    phase = .waiting(since: first, for: all, isSettled: isSettled)
    return [.wake(afterMilliseconds: max(0, due - now))]
  }

  private mutating func poll(_ now: Int64) -> [Action] {
    guard isAtRest else { return [] }
    guard state != .live, now >= retry else { return [.peek(known?.stamp)] }
    retry = now + Self.retryMilliseconds
    return [.watch] + wake(for: .palette, after: 0, now)
  }

  // MARK: One step

  private mutating func look(at palette: LinkedPalette?) -> [Action] {
    guard case .waiting(_, let news, let isSettled) = phase else { return [] }
    phase = .looking(for: news, then: .none)
    writing = nil
    return [.look(LinkLook(at: file, core, known, palette, isSettled: isSettled))]
  }

  private mutating func end(_ outcome: LinkLook.Outcome, _ now: Int64) -> [Action] {
    guard case .looking(let cause, let news) = phase else { return [] }
    phase = .idle
    core = outcome.core
    notes = outcome.notes ?? notes
    let isUntold = outcome.reads && cause != .file && news != .file
    if known == nil, isUntold, outcome.quietMilliseconds < Self.openMilliseconds {
      // Its writer may have begun before anything was heard of it, and go on.
      let last = now - max(0, outcome.quietMilliseconds)
      writing = writing ?? (last, last)
    }
    known = outcome.known
    guard let step = outcome.step else {
      return wake(for: max(cause, news), after: Self.quietMilliseconds.file, now)
    }
    switch step {
    case .rest: return rest(now, then: news)
    case .remember(let version):
      core.remember(version)
      return rest(now, then: news, saving: true)
    case .wait:
      return wake(
        for: cause,
        after: Self.truncationMilliseconds,
        now,
        atMost: Self.truncationMilliseconds,
        isSettled: news != .file
      )
    case .pause(let state, let reason):
      // A program goes on writing: what was read may be half of it.
      guard writing == nil else { return wake(for: cause, after: 0, now) }
      return pause(state, reason, now, then: news)
    case .edit(let edit):
      // What nobody told of may go on, too.
      if isUntold, !core.isNew, writing == nil { writing = (now, now) }
      guard writing == nil else { return wake(for: cause, after: 0, now) }
      // What was read may be from between two writes.
      guard news != .file else { return wake(for: news, after: Self.quietMilliseconds.file, now) }
      return [
        .edit(edit) { [self] edit in
          var core = core
          core.carriedOut(edit)
          return stored(core)
        }
      ]
    case .write(let file, let version):
      guard writing == nil else { return wake(for: cause, after: 0, now) }
      return write(file, version, now, then: news)
    }
  }

  private mutating func write(
    _ file: LinkedFile,
    _ version: LinkVersion,
    _ now: Int64,
    then news: News
  ) -> [Action] {
    let interval =
      Self.writeInterval.milliseconds
      + Int64(version.lines.count / Self.writeInterval.colorsPerMillisecond)
    if let lastWrite, now < lastWrite + interval {
      return wake(for: news, after: lastWrite + interval - now, now, atMost: interval)
    }
    lastWrite = now
    core.beginsWriting(file, version)
    phase = .replacing(file, version, then: news)
    return [.save(stored(core)), .replace(with: file.bytes, known?.stamp)]
  }

  /// Both sides say the same.
  private mutating func rest(_ now: Int64, then news: News, saving: Bool = false) -> [Action] {
    let wasPaused = state != .live || error != nil
    (state, error) = (.live, nil)
    var actions: [Action] = wasPaused ? [.resumed, .watch] : []
    if saving || wasPaused { actions.append(.save(stored(core))) }
    return actions + again(for: news, now)
  }

  private mutating func pause(
    _ state: StoredLink.State,
    _ reason: String,
    _ now: Int64,
    then news: News
  ) -> [Action] {
    let isNew = self.state != state || error != reason
    (self.state, error) = (state, reason)
    retry = now + Self.retryMilliseconds
    return (isNew ? [.paused(state, reason), .watch] : [.watch]) + again(for: news, now)
  }

  /// Looks once more where there was news during the last step.
  private mutating func again(for news: News, _ now: Int64) -> [Action] {
    news == .none ? [] : wake(for: news, after: Self.quietMilliseconds.file, now)
  }
}
