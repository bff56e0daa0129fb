import PalettePlatform

/// The disk under one machine's folder: what was not synced may be lost in a crash.
///
/// SQLite reaches it through `SimulatedFileSystem`; the bytes themselves lie in ordinary files, so
/// that everything else that a library does with its folder is the real thing.
final class SimulatedDisk {
  /// The loss of power: at one of the next syncs.
  struct Crash {
    /// The number of syncs that still succeed.
    var syncsLeft: Int
    /// True if that sync itself still makes its bytes durable.
    var isAfterSync: Bool
  }

  /// A stretch of calls that fail.
  struct Failure {
    /// The kind of failure; after a lost sync the pages that it should have written are gone, as on
    /// Linux.
    enum Kind { case read, write, full, sync, lostSync }
    var kind: Kind
    var skipping: Int
    var count: Int
  }

  /// The folder whose files these are.
  let path: String
  /// True if the machine is without power: nothing reaches the disk.
  private(set) var isDown = false
  /// True if it is the simulation that looks, and not a node: then nothing fails.
  var isLookedAt = false
  var crash: Crash?
  var failure: Failure?
  /// The number of writes and syncs that were made to fail.
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

  /// Returns whether the next write fails, and how.
  func failsWriting() -> Failure.Kind? { fails { $0 == .write || $0 == .full } }

  /// Returns whether the next read fails.
  func failsReading() -> Bool { fails { $0 == .read } != nil }

  /// Makes a file durable; false when that fails.
  func synchronize(_ file: DiskFile) -> Bool {
    if let kind = fails({ $0 == .sync || $0 == .lostSync }) {
      if kind == .lostSync { file.lose { false } }
      return false
    }
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
    guard !isLookedAt, var plan = failure, matches(plan.kind) else { return nil }
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

  /// Gives the power back: of what was not synced, each sector is there or not, as `keeps` has it.
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

  /// The bytes that a disk writes as a whole.
  private static let sectorBytes = 512

  let path: String
  private var writes: [Write] = []

  init(path: String) {
    self.path = path
  }

  /// Notes a write before it is made; `new` is empty for a truncation.
  func recordWrite(offset: Int, old: [UInt8], new: [UInt8], oldSize: Int) {
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
    for write in writes {
      if write.new.isEmpty {
        if keeps() { ftruncate(descriptor, write.offset) }
      } else if keeps() {
        // Many writes come through whole or not at all.
        if keeps() { put(write.new[...], at: write.offset, in: descriptor) }
      } else {
        tear(write, in: descriptor, keeping: keeps)
      }
    }
    writes = []
  }

  /// Makes some sectors of a write.
  private func tear(_ write: Write, in descriptor: Int32, keeping keeps: () -> Bool) {
    var start = 0
    while start < write.new.count {
      let sector = (write.offset + start) / Self.sectorBytes + 1
      let end = min(write.new.count, sector * Self.sectorBytes - write.offset)
      if keeps() { put(write.new[start..<end], at: write.offset + start, in: descriptor) }
      start = end
    }
  }

  private func put(_ bytes: ArraySlice<UInt8>, at offset: Int, in descriptor: Int32) {
    bytes.withUnsafeBytes { _ = pwrite(descriptor, $0.baseAddress, $0.count, offset) }
  }
}
