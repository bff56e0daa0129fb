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
  private let executor: ThreadExecutor
  private let store: ChangeStore

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
  }

  /// Lends the store to a closure.
  public func run<Result: Sendable>(
    _ body: @Sendable (ChangeStore) throws -> Result
  ) rethrows -> Result {
    try body(store)
  }
}
