import PalettePlatform

/// The exclusive right to write a library, held from `acquire` to the end of the value's life.
///
/// One writer per library, ever: SQLite up to 3.51.2 can damage a file that two connections write
/// or checkpoint at once. The kernel gives the lock back when its holder dies, however it dies.
package struct LibraryLock: ~Copyable {
  private let descriptor: FileDescriptor

  /// Takes over a file that is locked already, and writes down who holds it.
  init(_ descriptor: consuming FileDescriptor) {
    self.descriptor = descriptor
    // Only a hint for whoever waits: a full disk does not stop the one that frees space.
    try? self.descriptor.replaceContents("\(getpid())\n".utf8, path: "lock")
  }

  /// Gives the lock back before the end of the value's life.
  package consuming func release() {}

  deinit {
    // The next one to wait must not be told of a holder who is gone.
    ftruncate(descriptor.rawValue, 0)
    flock(descriptor.rawValue, LOCK_UN)
  }
}
