internal import PaletteCommands
internal import PaletteFileLinks
internal import PaletteJSON
internal import PaletteModel
internal import PalettePeers
internal import PaletteStore
internal import WebSocket

/// Keeps linked files and their palettes together: carries out what `LinkSession` decides.
///
/// Files are looked at, read, compared and written on a thread of their own; the palette is read and edited
/// on the loop's.
final class LinkShell {
  /// One linked file.
  private final class Link {
    var session: LinkSession
    /// The folders and names that lead to it.
    var hops: [(folder: String, name: String)] = []
    var timer: TimerID?

    init(_ session: LinkSession) { self.session = session }

    var file: String { session.file }
  }

  /// The interval at which files are polled, for file systems without notifications.
  private static let pollSeconds = 2

  /// Called when an edit of a file was committed.
  var onCommit: () -> Void = {}

  private unowned let loop: EventLoop
  private let store: ChangeStore
  private let log: (NodeLog) -> Void
  private let start = ContinuousClock.now
  /// Made for the first link: most nodes have none.
  private var worker: LinkWorker?
  private var watch: FolderWatch?
  private var links: [String: Link] = [:]
  /// The next poll; nil while no file is linked.
  private var nextPoll: TimerID?

  /// Creates what keeps links, with none yet.
  init(_ loop: EventLoop, store: ChangeStore, log: @escaping (NodeLog) -> Void) {
    self.loop = loop
    self.store = store
    self.log = log
  }

  /// Resumes the links that the library has.
  func resume() {
    do {
      for stored in try store.links.all(withBases: true) {
        guard let session = LinkSession(stored) else {
          try store.links.record(
            .broken,
            "this version has no format '\(stored.format)'",
            ofLinked: stored.file
          )
          continue
        }
        try begin(Link(session))
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
    }
    links[link.file] = link
    watchFolders(of: link)
    handle(.paletteChanged, for: link)
    if nextPoll == nil { schedulePoll() }
  }

  /// True if no file is linked.
  var isEmpty: Bool { links.isEmpty }

  /// Something of a palette is durable now.
  func paletteChanged(_ palette: PaletteID) {
    for link in links.values where link.session.palette == palette {
      handle(.paletteChanged, for: link)
    }
  }

  // MARK: What happens

  private func hear(folder: String, name: String, _ news: FolderWatch.News) {
    for link in links.values {
      guard
        news == .anything || link.hops.contains(where: { $0.folder == folder && $0.name == name })
      else { continue }
      switch news {
      case .begun: handle(.fileBegun, for: link)
      case .changed, .anything:
        // A symbolic link on the way may lead elsewhere now.
        if link.hops.count > 1 { watchFolders(of: link) }
        handle(.fileChanged, for: link)
      }
    }
  }

  private func schedulePoll() {
    nextPoll = loop.schedule(after: .seconds(Self.pollSeconds)) { [weak self] in
      guard let self else { return }
      nextPoll = nil
      for link in links.values { handle(.polled, for: link) }
      if nextPoll == nil, !links.isEmpty { schedulePoll() }
    }
  }

  private func watchFolders(of link: Link) {
    link.hops = LinkedPath.hops(of: link.file)
    watch?.watch(Set(links.values.flatMap { $0.hops.map(\.folder) }))
  }

  // MARK: What is done

  private func handle(_ event: LinkSession.Event, for link: Link) {
    guard links[link.file] === link else { return }
    let now = (ContinuousClock.now - start) / .milliseconds(1)
    for action in link.session.handle(event, at: Int64(now)) {
      do {
        try carryOut(action, for: link)
      } catch {
        let reason = (error as? APIError)?.message ?? (error as? StoreError)?.message
        return handle(.failed(reason ?? "\(error)"), for: link)
      }
    }
  }

  private func carryOut(_ action: LinkSession.Action, for link: Link) throws {
    switch action {
    case .wake(let milliseconds): wake(link, after: milliseconds)
    case .look(let look):
      let target = link.session.target
      perform(for: link) {
        .looked(
          look.outcome(
            finding: LinkedPath.look(
              at: look.file,
              leadingTo: target,
              known: look.knownStamp,
              limit: LinkedFile.byteLimit
            )
          )
        )
      }
    case .peek(let stamp):
      let (file, target) = (link.file, link.session.target)
      perform(for: link) {
        if case .same = LinkedPath.look(at: file, leadingTo: target, known: stamp, limit: 0) {
          .peeked(isSame: true)
        } else {
          .peeked(isSame: false)
        }
      }
    case .edit(let edit, let keeping):
      let done = try carryOut(edit, of: link, keeping)
      onCommit()
      handle(.edited(done), for: link)
    case .save(let stored): try store.links.save(stored)
    case .replace(let bytes, let stamp):
      let (file, target) = (link.file, link.session.target)
      perform(for: link) {
        do throws(LinkedPath.Failure) {
          let new = try LinkedPath.replace(file, leadingTo: target, with: bytes, expecting: stamp)
          return .replaced(new)
        } catch {
          switch error {
          case .changed: return .replacedByOthers
          case .refused(let reason): return .failed(reason)
          }
        }
      }
    case .watch: watchFolders(of: link)
    case .resumed: log(NodeLog(.info, .file, "a linked file is live again", fields(of: link)))
    case .paused(let state, let reason): pause(link, state, reason)
    }
  }

  private func carryOut(
    _ edit: LinkEdit,
    of link: Link,
    _ keeping: @escaping (LinkEdit) -> StoredLink
  ) throws -> LinkEdit {
    guard let palette = try store.linkedPalette(link.session.palette) else {
      throw APIError(code: "not-found", message: "the palette was dropped")
    }
    if let refusal = try store.refusal(ofEditing: palette.id, named: palette.name) { throw refusal }
    let isFree = try edit.newTitle.map { try store.isFree($0, except: palette.id) } ?? false
    return try store.carryOut(edit, in: palette, takesTitle: isFree, saving: keeping)
  }

  /// Does something on the thread, and takes up what came of it.
  private func perform(for link: Link, _ job: @escaping @Sendable () -> LinkSession.Event) {
    worker?.perform(job) { [weak self, weak link] event in
      guard let self, let link else { return }
      if case .replaced = event {
        log(NodeLog(.debug, .file, "wrote a linked file", [("file", JSON(link.file))]))
      }
      handle(event, for: link)
    }
  }

  private func wake(_ link: Link, after milliseconds: Int64) {
    if let timer = link.timer { loop.cancel(timer) }
    link.timer = loop.schedule(after: .milliseconds(milliseconds)) { [weak self, weak link] in
      guard let self, let link else { return }
      link.timer = nil
      do {
        var palette = try store.linkedPalette(link.session.palette)
        if let (id, name) = palette.map({ ($0.id, $0.name) }) {
          palette?.acceptsEdits = try store.refusal(ofEditing: id, named: name) == nil
        }
        handle(.due(palette), for: link)
      } catch {
        handle(.failed("the palette cannot be read: \(error)"), for: link)
      }
    }
  }

  private func pause(_ link: Link, _ state: StoredLink.State, _ reason: String) {
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

  private func fields(of link: Link) -> [(key: String, value: JSON)] {
    [("file", JSON(link.file)), ("palette", JSON(link.session.palette.description))]
  }
}

extension LinkShell: Linking {
  func begin(_ stored: StoredLink) throws(APIError) {
    guard let session = LinkSession(stored) else { return }
    try begin(Link(session))
    log(NodeLog(.info, .file, "linked", [("file", JSON(stored.file))]))
  }

  func end(_ file: String) {
    guard let link = links.removeValue(forKey: file) else { return }
    if let timer = link.timer { loop.cancel(timer) }
    if links.isEmpty, let poll = nextPoll {
      loop.cancel(poll)
      nextPoll = nil
    }
    watch?.watch(Set(links.values.flatMap { $0.hops.map(\.folder) }))
  }

  func standing(of file: String) -> LinkStanding? {
    links[file].map { link in
      LinkStanding(
        state: link.session.state,
        error: link.session.error,
        notes: link.session.notes,
        isSettled: link.session.isAtRest
      )
    }
  }

  func target(of file: String) -> String { LinkedPath.target(of: file) }

  func linkedFile(sameAs file: String) -> String? {
    let target = LinkedPath.target(of: file)
    return links.keys.first { $0 == file || LinkedPath.target(of: $0) == target }
  }
}
