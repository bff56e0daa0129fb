/// What a connection stands on: held until its database has closed, then let go.
struct ConnectionResources: ~Copyable {
  /// The library's lock, when the connection writes.
  var lock: LibraryLock?
  /// The private copy that the connection reads, deleted afterwards.
  var temporaryFolder: TemporaryFolder?
  /// The open folder that a path through `/proc/self/fd` goes through.
  var folder: FileDescriptor?

  init() {}
}
