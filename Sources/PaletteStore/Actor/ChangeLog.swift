import Dispatch
public import PaletteModel

/// A library's change log for concurrent programs: a `ChangeStore` that only one task uses at a time.
///
/// SQLite blocks, so the log works on a thread of its own instead of one that tasks share. What a
/// closure does happens without anything in between.
///
/// ```swift
/// let log = try await ChangeLog(writing: LibraryFolder("/home/ann/palettes"))
/// let id = try await log.run { try $0.makePalette(named: "Brand") }
/// ```
public actor ChangeLog {
  private let executor: any SerialExecutor
  private let store: ChangeStore
  /// True if somebody else takes what is committed, and says so.
  private let isShared: Bool
  /// Those who want to hear of commits, by number.
  private var listeners: [Int: AsyncStream<PaletteID>.Continuation] = [:]
  private var lastListener = 0
  private var lastTurn = 0

  /// The thread on which the log works.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// Opens a library for writing, and creates it when it is missing.
  ///
  /// - Throws: `StoreError`, as `ChangeStore` does.
  public init(writing folder: LibraryFolder) async throws {
    executor = ThreadExecutor(name: "hued.change-log")
    store = try ChangeStore(writing: folder)
    isShared = false
  }

  /// Shares a store that somebody else has open, on whose thread the executor works, who takes what is
  /// committed and tells of it.
  package init(sharing store: sending ChangeStore, on executor: any SerialExecutor) {
    self.executor = executor
    self.store = store
    isShared = true
  }

  /// Lends the store to a closure.
  public func run<Result: Sendable>(
    _ body: @Sendable (ChangeStore) throws -> Result
  ) rethrows -> Result {
    defer { tell() }
    return try body(store)
  }

  /// Lends the store to a closure, and numbers the turns in their order: what was read at a later one is newer.
  func turn<Result: Sendable>(
    _ body: @Sendable (ChangeStore) throws -> Result
  ) rethrows -> (result: Result, number: Int) {
    lastTurn += 1
    return (try run(body), lastTurn)
  }

  /// Tells of every commit from now on.
  func add(_ listener: AsyncStream<PaletteID>.Continuation) {
    lastListener += 1
    let number = lastListener
    listeners[number] = listener
    listener.onTermination = { [weak self] _ in Task { await self?.remove(number) } }
    if !isShared { store.followsCommits = true }
  }

  private func remove(_ number: Int) {
    listeners[number] = nil
    if !isShared { store.followsCommits = !listeners.isEmpty }
  }

  private func tell() {
    guard !isShared else { return }
    for changes in store.removeCommitted() { tell(of: changes.palette) }
  }

  /// Tells those who listen that something of a palette was committed.
  package func tell(of palette: PaletteID) {
    for listener in listeners.values { listener.yield(palette) }
  }

  /// Loads a palette and keeps it and the log the same.
  ///
  /// Whatever is edited through the palette, its name, colors, notes and order, is written to the log
  /// in the order in which it was made, in the background; ``PaletteModel/Palette/flush()`` waits for
  /// it. An edit names what the palette showed when it was made: what others wrote meanwhile is not
  /// overwritten, but stays beside it as a conflict. ``PaletteModel/Palette/refresh()`` and
  /// ``PaletteModel/Palette/follow()`` take in what others write.
  ///
  /// - Returns: The palette, which belongs to the caller's isolation.
  /// - Throws: `StoreError`, also where the log has no such palette.
  nonisolated(nonsending) public func palette(_ id: PaletteID) async throws -> Palette {
    let recorder = PaletteRecorder(of: id, in: self)
    let kept = try await recorder.load()
    let palette = try Palette(id: id, name: kept.name, colors: kept.colors)
    palette.onChange { change in
      if change.origin == .here { recorder.record(.colors(change.diff)) }
    }
    palette.onRename { rename in
      if rename.origin == .here { recorder.record(.name(rename.after)) }
    }
    palette.backing = recorder
    return palette
  }

  /// The palettes of which something is committed from now on.
  nonisolated func commits() async -> AsyncStream<PaletteID> {
    let (stream, continuation) = AsyncStream.makeStream(of: PaletteID.self)
    await add(continuation)
    return stream
  }
}

/// Runs an actor's jobs one after another on a queue of its own.
///
/// `DispatchSerialQueue` would be an executor by itself, but Linux does not have it.
final class ThreadExecutor: SerialExecutor {
  private let queue: DispatchQueue

  init(name: String) {
    queue = DispatchQueue(label: name)
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let executor = asUnownedSerialExecutor()
    queue.async { job.runSynchronously(on: executor) }
  }
}
