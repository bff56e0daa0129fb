import Glibc

/// The disk under one machine's folder: what was not synced may be lost in a crash.
///
/// SQLite reaches it through `SimulatedFileSystem`; the bytes themselves lie in ordinary files, so
/// that everything else that a library does with its folder is the real thing.
final class SimulatedDisk {
  /// When the machine loses power: at one of the next syncs.
  struct Crash {
    /// How many syncs still succeed.
    var syncsLeft: Int
    /// Whether that sync itself still makes its bytes durable.
    var isAfterSync: Bool
  }

  /// A stretch of writes, or of syncs, that fail.
  struct Failure {
    /// What fails.
    enum Kind { case write, full, sync }
    var kind: Kind
    var skipping: Int
    var count: Int
  }

  /// The folder whose files these are.
  let path: String
  /// Whether the machine is without power: nothing reaches the disk.
  private(set) var isDown = false
  var crash: Crash?
  var failure: Failure?
  /// How many writes and syncs were made to fail.
  private(set) var failureCount = 0
  private var files: [String: DiskFile] = [:]

  init(path: String) {
    self.path = path
    SimulatedFileSystem.register(self)
  }

  deinit { SimulatedFileSystem.unregister(path) }

  func file(_ name: String) -> DiskFile {
    if let file = files[name] { return file }
    let file = DiskFile(path: name)
    files[name] = file
    return file
  }

  func delete(_ name: String) { files[name] = nil }

  /// Whether the next write fails.
  func failsWriting() -> Failure.Kind? { fails { $0 != .sync } }

  /// Makes a file durable; false when that fails.
  func synchronize(_ file: DiskFile) -> Bool {
    if fails({ $0 == .sync }) != nil { return false }
    guard var plan = crash else {
      file.synchronize()
      return true
    }
    guard plan.syncsLeft == 0 else {
      plan.syncsLeft -= 1
      crash = plan
      file.synchronize()
      return true
    }
    crash = nil
    isDown = true
    if plan.isAfterSync { file.synchronize() }
    return plan.isAfterSync
  }

  private func fails(_ matches: (Failure.Kind) -> Bool) -> Failure.Kind? {
    guard var plan = failure, matches(plan.kind) else { return nil }
    guard plan.skipping == 0 else {
      plan.skipping -= 1
      failure = plan
      return nil
    }
    plan.count -= 1
    failureCount += 1
    failure = plan.count > 0 ? plan : nil
    return plan.kind
  }

  /// Takes the power away.
  func powerOff() { isDown = true }

  /// Gives the power back: of what was not synced, each write is there or not, as `keeps` has it.
  func powerOn(keeping keeps: () -> Bool) {
    for file in files.values.sorted(by: { $0.path < $1.path }) { file.lose(keeping: keeps) }
    files = [:]
    crash = nil
    failure = nil
    isDown = false
  }
}

/// A file of a simulated disk, with the writes that no sync has made durable.
final class DiskFile {
  private struct Write {
    let offset: Int
    let old: [UInt8]
    let new: [UInt8]
    let oldSize: Int
  }

  let path: String
  private var writes: [Write] = []

  init(path: String) {
    self.path = path
  }

  /// Notes a write before it is made; `new` is empty for a truncation.
  func note(offset: Int, old: [UInt8], new: [UInt8], oldSize: Int) {
    writes.append(Write(offset: offset, old: old, new: new, oldSize: oldSize))
  }

  func synchronize() { writes.removeAll(keepingCapacity: true) }

  /// Takes back what was not synced, and then makes some of it all the same.
  func lose(keeping keeps: () -> Bool) {
    guard !writes.isEmpty else { return }
    let descriptor = open(path, O_RDWR)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    for write in writes.reversed() {
      write.old.withUnsafeBytes { _ = pwrite(descriptor, $0.baseAddress, $0.count, write.offset) }
      ftruncate(descriptor, write.oldSize)
    }
    for write in writes where keeps() {
      if write.new.isEmpty {
        ftruncate(descriptor, write.offset)
      } else {
        write.new.withUnsafeBytes { _ = pwrite(descriptor, $0.baseAddress, $0.count, write.offset) }
      }
    }
    writes = []
  }
}
