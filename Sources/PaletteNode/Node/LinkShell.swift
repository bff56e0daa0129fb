internal import PaletteCommands
internal import PaletteFormats
internal import PaletteLinks
internal import PaletteModel
internal import PalettePeers
internal import PaletteStore
internal import WebSocket

/// Keeps linked files and their palettes together: carries out what `LinkCore` decides.
///
/// Files are looked at, read, compared and written on a thread of their own; the palette is read and edited
/// on the loop's.
final class LinkShell {
  /// One linked file.
  private final class Link {
    let file: String
    var core: LinkCore
    var state: StoredLink.State
    var error: String?
    /// The file as it was last seen.
    var known: (stamp: LinkedPath.Stamp, file: LinkedFile)?
    /// The folders and names that lead to it.
    var hops: [(folder: String, name: String)] = []
    /// Whether something is being done for it.
    var isBusy = false
    /// Whether there is something to do when that is over.
    var hasNews = false
    /// Whether the file has been as it is for long enough to be whole.
    var isSettled = false
    /// Since when somebody has the file open to write to it, and when that was seen last.
    var writing: (since: Int64, last: Int64)?
    /// How many times this node read the file and was not told so yet.
    var ownReads = 0
    /// How many times somebody read the file while something was done for it.
    var readsWhileBusy = 0
    /// Whether somebody else read the file as it is.
    var wasRead = false
    /// When a paused link is looked at again although nothing was heard.
    var retry: Int64 = 0
    /// Whether both sides were looked at since the link began.
    var isLookedAt = false
    var timer: TimerID?
    /// Since when looks are put off, in milliseconds.
    var firstNews: Int64?
    /// When the file was written last.
    var lastWrite: Int64 = 0

    init(_ stored: StoredLink, _ format: any FileFormat) {
      file = stored.file
      core = LinkCore(palette: stored.palette, format: format, kept: stored.base)
      state = stored.state
      error = stored.error
    }

    var stored: StoredLink {
      StoredLink(
        file: file,
        palette: core.palette,
        format: core.format.name,
        base: core.kept,
        state: state,
        error: error
      )
    }
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
  /// How often files are looked at of which nobody tells anything, as on network file systems.
  private static let pollSeconds = 2

  /// Is told that an edit of a file was committed.
  var onCommit: () -> Void = {}

  private unowned let loop: EventLoop
  private let store: ChangeStore
  private let log: (NodeLog) -> Void
  /// Made for the first link: most nodes have none.
  private var worker: LinkWorker?
  private var watch: FolderWatch?
  private var links: [String: Link] = [:]

  /// Creates what keeps links, with none yet.
  init(_ loop: EventLoop, store: ChangeStore, log: @escaping (NodeLog) -> Void) {
    self.loop = loop
    self.store = store
    self.log = log
  }

  /// Takes up the links that the library has.
  func start() {
    do {
      for stored in try store.links.all(withBases: true) {
        guard let format = try? FormatRegistry.standard.format(named: stored.format) else {
          try store.links.record(
            .broken,
            "this version has no format '\(stored.format)'",
            ofLinked: stored.file
          )
          continue
        }
        try begin(Link(stored, format))
      }
    } catch {
      log(NodeLog(.error, .file, "the links cannot be followed: \(error)"))
    }
  }

  private func begin(_ link: Link) throws(APIError) {
    if worker == nil {
      guard let made = LinkWorker(loop) else {
        throw APIError(code: "failed", message: "there are no threads or descriptors left")
      }
      worker = made
      watch = FolderWatch(loop) { [weak self] in self?.hear(folder: $0, name: $1, $2) }
      poll()
    }
    links[link.file] = link
    watchFolders(of: link)
    schedule(link, after: 0)
  }

  /// Something of a palette is durable now.
  func paletteChanged(_ palette: PaletteID) {
    for link in links.values where link.core.palette == palette {
      schedule(link, after: Self.quietMilliseconds.palette)
    }
  }

  // MARK: When

  private var now: Int64 { store.nowMilliseconds }

  /// Looks at both sides after a while; what is told meanwhile puts that off, for some time.
  private func schedule(_ link: Link, after delay: Int64, atMost limit: Int64? = nil) {
    guard links[link.file] === link else { return }
    guard !link.isBusy else {
      link.hasNews = true
      return
    }
    let first = link.firstNews ?? now
    link.firstNews = first
    var due = min(now + delay, max(now, first + (limit ?? Self.patienceMilliseconds)))
    if let writing = link.writing {
      // Its writer closes it; one that does not for long has written what it wanted.
      due = max(
        due,
        min(writing.last + Self.openMilliseconds, writing.since + Self.writingMilliseconds)
      )
    }
    if let timer = link.timer { loop.cancel(timer) }
    link.timer = loop.schedule(after: .milliseconds(max(0, due - now))) { [weak self, weak link] in
      guard let self, let link else { return }
      link.timer = nil
      link.firstNews = nil
      look(at: link)
    }
  }

  private func hear(folder: String, name: String, _ news: FolderWatch.News) {
    for link in links.values {
      guard
        news == .anything || link.hops.contains(where: { $0.folder == folder && $0.name == name })
      else { continue }
      switch news {
      case .read:
        if link.isBusy {
          link.readsWhileBusy += 1
        } else if link.ownReads > 0 {
          link.ownReads -= 1
        } else {
          link.wasRead = true
        }
      case .begun:
        link.isSettled = false
        link.writing = (link.writing?.since ?? now, now)
        schedule(link, after: Self.quietMilliseconds.file)
      case .changed, .anything:
        link.isSettled = false
        link.writing = nil
        // A symbolic link on the way may lead elsewhere now.
        if link.hops.count > 1 { watchFolders(of: link) }
        schedule(link, after: Self.quietMilliseconds.file)
      }
    }
  }

  private func poll() {
    for link in links.values where link.timer == nil && !link.isBusy {
      if link.state != .live, now >= link.retry || link.retry > now + Self.retryMilliseconds {
        link.retry = now + Self.retryMilliseconds
        watchFolders(of: link)
        schedule(link, after: 0)
        continue
      }
      let (file, stamp) = (link.file, link.known?.stamp)
      worker?.perform {
        if case .same = LinkedPath.look(at: file, known: stamp, limit: 0) { true } else { false }
      } then: { [weak self, weak link] isSame in
        guard let self, let link else { return }
        if !isSame, link.known != nil { schedule(link, after: Self.quietMilliseconds.file) }
      }
    }
    loop.schedule(after: .seconds(Self.pollSeconds)) { [weak self] in self?.poll() }
  }

  private func watchFolders(of link: Link) {
    link.hops = LinkedPath.hops(of: link.file)
    watch?.watch(Set(links.values.flatMap { $0.hops.map(\.folder) }))
  }

  // MARK: One step

  /// What a look came to.
  private struct Outcome: Sendable {
    var core: LinkCore
    var step: LinkCore.Step?
    var known: (stamp: LinkedPath.Stamp, file: LinkedFile)?
    var reads = false
    var isChanging = false
  }

  private func look(at link: Link) {
    guard links[link.file] === link, !link.isBusy else { return }
    let palette: LinkedPalette?
    do {
      palette = try store.linkedPalette(link.core.palette)
    } catch {
      return pause(link, .paused, "the palette cannot be read: \(error.message)")
    }
    if link.wasRead {
      link.core.wasRead()
      link.wasRead = false
    }
    link.isBusy = true
    link.hasNews = false
    link.writing = nil
    let (file, isSettled) = (link.file, link.isSettled)
    link.isSettled = false
    let start = Outcome(core: link.core, known: link.known)
    worker?.perform {
      Self.look(at: file, start, palette, isSettled)
    } then: { [weak self, weak link] outcome in
      guard let self, let link else { return }
      end(outcome, of: link, palette)
    }
  }

  private static func look(
    at path: String,
    _ start: Outcome,
    _ palette: LinkedPalette?,
    _ isSettled: Bool
  ) -> Outcome {
    var outcome = start
    let side: LinkCore.Side
    switch LinkedPath.look(at: path, known: start.known?.stamp, limit: LinkedFile.byteLimit) {
    case .same: side = start.known.map { .file($0.file) } ?? .missing
    case .file(let bytes, let stamp):
      outcome.reads = true
      let file = LinkedFile(bytes, as: start.core.format)
      outcome.known = (stamp, file)
      side = .file(file)
    case .changing:
      outcome.reads = true
      outcome.isChanging = true
      return outcome
    case .missing:
      outcome.known = nil
      side = .missing
    case .unusable(let reason):
      outcome.known = nil
      side = .unusable(reason)
    }
    outcome.step = outcome.core.next(side, palette, isSettled: isSettled)
    return outcome
  }

  private func end(_ outcome: Outcome, of link: Link, _ palette: LinkedPalette?) {
    link.isBusy = false
    guard links[link.file] === link else { return }
    link.core = outcome.core
    link.known = outcome.known
    countReads(outcome.reads, of: link)
    guard !outcome.isChanging, let step = outcome.step else {
      return schedule(link, after: Self.quietMilliseconds.file)
    }
    // Somebody goes on writing: what was read may be half of it.
    if link.writing != nil, case .edit = step { return schedule(link, after: 0) }
    do {
      try carryOut(step, for: link, palette)
    } catch {
      pause(link, .paused, "\((error as? StoreError)?.message ?? "\(error)")")
    }
  }

  /// Tells what this node read from what others did: of each, the system tells alike.
  private func countReads(_ isOwn: Bool, of link: Link) {
    if isOwn { if link.readsWhileBusy > 0 { link.readsWhileBusy -= 1 } else { link.ownReads += 1 } }
    if link.readsWhileBusy > 0 { link.wasRead = true }
    link.readsWhileBusy = 0
  }

  private func carryOut(
    _ step: LinkCore.Step,
    for link: Link,
    _ palette: LinkedPalette?
  ) throws {
    switch step {
    case .rest: rest(link)
    case .remember(let version):
      link.core.remember(version)
      rest(link, saving: true)
    case .wait:
      link.isSettled = true
      schedule(link, after: Self.truncationMilliseconds, atMost: Self.truncationMilliseconds)
    case .pause(let state, let reason): pause(link, state, reason)
    case .edit(let edit): try carryOut(edit, for: link)
    case .write(let file, let version): try write(file, version, for: link)
    }
  }

  private func carryOut(_ edit: LinkEdit, for link: Link) throws {
    guard let palette = try store.linkedPalette(link.core.palette) else {
      return pause(link, .paused, "the palette was dropped")
    }
    if let refusal = try store.refusal(ofEditing: palette.id, named: palette.name) {
      return pause(link, .paused, refusal.message)
    }
    let isFree = try edit.newTitle.map { try store.isFree($0, except: palette.id) } ?? false
    var core = link.core
    core.carriedOut(edit)
    var stored = link.stored
    stored.base = core.kept
    try store.carryOut(edit, in: palette, takesTitle: isFree, saving: stored)
    link.core = core
    onCommit()
    schedule(link, after: 0)
  }

  private func write(_ file: LinkedFile, _ version: LinkVersion, for link: Link) throws {
    let interval =
      Self.writeInterval.milliseconds
      + Int64(version.lines.count / Self.writeInterval.colorsPerMillisecond)
    guard now >= link.lastWrite + interval || now < link.lastWrite else {
      return schedule(link, after: link.lastWrite + interval - now, atMost: interval)
    }
    link.lastWrite = now
    link.core.beginsWriting(version)
    try store.links.save(link.stored)
    link.isBusy = true
    link.wasRead = false
    let (path, stamp) = (link.file, link.known?.stamp)
    worker?.perform { () -> Result<LinkedPath.Stamp, LinkedPath.Failure> in
      Result { () throws(LinkedPath.Failure) in
        try LinkedPath.replace(path, with: file.bytes, expecting: stamp)
      }
    } then: { [weak self, weak link] result in
      guard let self, let link else { return }
      link.isBusy = false
      guard links[link.file] === link else { return }
      switch result {
      case .success(let stamp):
        link.known = (stamp, file)
        link.core.wrote(version)
        countReads(false, of: link)
        log(NodeLog(.debug, .file, "wrote a linked file", [("file", JSON(link.file))]))
        rest(link, saving: true)
      case .failure(.changed):
        link.core.failedToWrite()
        schedule(link, after: Self.quietMilliseconds.file)
      case .failure(.refused(let reason)):
        link.core.failedToWrite()
        pause(link, .paused, reason)
      }
    }
  }

  /// Both sides say the same.
  private func rest(_ link: Link, saving: Bool = false) {
    let wasPaused = link.state != .live || link.error != nil
    link.state = .live
    link.error = nil
    link.isLookedAt = true
    if wasPaused { log(NodeLog(.info, .file, "a linked file is live again", fields(of: link))) }
    do {
      if saving {
        try store.links.save(link.stored)
      } else if wasPaused {
        try store.links.record(.live, nil, ofLinked: link.file)
      }
    } catch {
      log(NodeLog(.error, .file, "a link cannot be kept: \(error)", fields(of: link)))
    }
    if link.hops.isEmpty || wasPaused { watchFolders(of: link) }
    if link.hasNews { schedule(link, after: Self.quietMilliseconds.file) }
  }

  private func pause(_ link: Link, _ state: StoredLink.State, _ reason: String) {
    let isNew = link.state != state || link.error != reason
    link.state = state
    link.error = reason
    link.isLookedAt = true
    link.retry = now + Self.retryMilliseconds
    if isNew {
      log(
        NodeLog(
          .warning,
          .file,
          state == .broken ? "a linked file is broken" : "a link is paused",
          fields(of: link) + [("reason", JSON(reason))]
        )
      )
      do {
        try store.links.record(state, reason, ofLinked: link.file)
      } catch {
        log(NodeLog(.error, .file, "a link cannot be kept: \(error)", fields(of: link)))
      }
    }
    watchFolders(of: link)
    if link.hasNews { schedule(link, after: Self.quietMilliseconds.file) }
  }

  private func fields(of link: Link) -> [(key: String, value: JSON)] {
    [("file", JSON(link.file)), ("palette", JSON(link.core.palette.description))]
  }
}

extension LinkShell: Linking {
  func begin(_ stored: StoredLink) throws(APIError) {
    guard let format = try? FormatRegistry.standard.format(named: stored.format) else { return }
    try begin(Link(stored, format))
    log(NodeLog(.info, .file, "linked", [("file", JSON(stored.file))]))
  }

  func end(_ file: String) {
    guard let link = links.removeValue(forKey: file) else { return }
    if let timer = link.timer { loop.cancel(timer) }
    watch?.watch(Set(links.values.flatMap { $0.hops.map(\.folder) }))
  }

  func standing(of file: String) -> (state: StoredLink.State, error: String?, isSettled: Bool)? {
    links[file].map { ($0.state, $0.error, $0.isLookedAt && !$0.isBusy) }
  }

  func linkedFile(sameAs file: String) -> String? {
    let target = LinkedPath.target(of: file)
    return links.keys.first { $0 == file || LinkedPath.target(of: $0) == target }
  }
}
