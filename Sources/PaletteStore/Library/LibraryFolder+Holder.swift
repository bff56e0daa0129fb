import PalettePlatform

extension LibraryFolder {
  /// Who has the library open for writing, as the lock file tells; nil when nobody has.
  ///
  /// Nothing is written for it.
  public func writer() throws(StoreError) -> String? {
    guard access(lockPath, F_OK) == 0 else { return nil }
    let file = try FileDescriptor(path: lockPath, flags: O_RDONLY)
    if retryingInterrupts({ flock(file.rawValue, LOCK_SH | LOCK_NB) }) == 0 { return nil }
    let bytes = try FileDescriptor.contents(of: lockPath) ?? []
    let number = String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    return number.isEmpty ? "another process" : "process \(number)"
  }
}
