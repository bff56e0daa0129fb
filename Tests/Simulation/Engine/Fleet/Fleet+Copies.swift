import PaletteModel
import PalettePlatform
import PaletteStore
import PaletteTestSupport

/// Backups that are restored, and folders that are copied.
extension Fleet {
  func backUp(_ index: Int) throws {
    guard let store = machines[index].store else { return }
    let machine = machines[index]
    machine.backups += 1
    let path = root.folder.file("backup-\(index)-\(machine.backups)")
    do {
      _ = try store.backup(to: path)
      machine.backup = path
    } catch {
      guard machine.disk.isDown || machine.disk.failureCount > 0 else {
        throw Violation("failed", "\(machine.name) cannot be backed up: \(error)")
      }
    }
    if machine.disk.isDown { try losePower(machine) }
  }

  /// Replaces a library by its backup; what nobody else holds is gone then, and honestly so.
  func recover(_ index: Int) throws {
    guard let backup = machines[index].backup else { return }
    let machine = machines[index]
    machine.disk.crash = nil
    machine.disk.failure = nil
    let revoked = try machine.store?.members.grants().filter(\.grant.isRevoked).map(\.grant.uid)
    if machine.isRunning { try stop(machine) }
    let before = machine.held
    (hasRecovered, machine.hasRecovered) = (true, true)
    machine.commitMilliseconds = [:]
    // What can be undone is what the backup remembers.
    machine.ways = [:]
    // An older list of members may have somebody in it who was sent away since.
    revocations = revocations.filter { $0.key.hub != index }
    for edge in codes.keys where edge.hub == index || edge.dialer == index { codes[edge] = [] }
    machine.backups += 1
    _ = try ChangeStore.recover(
      machine.folder,
      from: backup,
      timestamp: "\(machine.backups)",
      lockTimeoutMilliseconds: 0
    )
    machine.held = [:]
    machine.attempts = [:]
    forgetFiles(of: machine)
    try start(machine)
    try checkRevoked(revoked ?? [], at: machine)
    excuse(before)
  }

  /// Checks that grants revoked before a recovery stay revoked.
  private func checkRevoked(_ revoked: [String], at machine: Machine) throws {
    for (grant, _) in try machine.store?.members.grants() ?? []
    where revoked.contains(grant.uid) && !grant.isRevoked {
      throw Violation("unrevoked", "\(machine.name) recovers and grants again \(grant.uid)")
    }
  }

  /// Excuses the loss of changes that only this machine held.
  private func excuse(_ before: [PaletteID: [NodeID: UInt32]]) {
    for (palette, frontier) in before {
      // Where numbers were used again they do not say who holds what.
      witness.loosenAllRewritten(in: palette)
      for (node, sequence) in frontier {
        let others = machines.map { $0.held[palette]?[node] ?? 0 }.max() ?? 0
        guard others < sequence else { continue }
        for lost in (others + 1)...sequence { witness.loosen(Dot(node, lost), in: palette) }
      }
    }
  }

  /// Puts a disk aside as it is, whatever runs on it.
  func saveImage(_ index: Int) {
    let machine = machines[index]
    // What a failing disk left behind a commit that failed is in no image.
    guard machine.isPresent, machine.attempts.isEmpty else { return }
    let image = root.folder.file("image-\(index)")
    copyFiles(from: machine.folder.file, to: { "\(image)-\($0)" })
    machine.image = image
  }

  /// Puts a disk back in place: to the library nothing has happened since.
  func rollBack(_ index: Int) throws {
    let machine = machines[index]
    guard let image = machine.image, machine.isPresent else { return }
    if machine.isRunning { try stop(machine) }
    machine.disk.powerOff()
    machine.disk.powerOn { true }
    let before = machine.held
    (hasRecovered, machine.hasRecovered, machine.wasRolledBack) = (true, true, true)
    forgetSendingAway(by: index)
    machine.commitMilliseconds = [:]
    machine.ways = [:]
    revocations = revocations.filter { $0.key.hub != index && $0.key.dialer != index }
    for edge in codes.keys where edge.hub == index || edge.dialer == index { codes[edge] = [] }
    copyFiles(from: { "\(image)-\($0)" }, to: machine.folder.file)
    machine.held = [:]
    machine.attempts = [:]
    forgetFiles(of: machine)
    try start(machine)
    excuse(before)
  }

  /// Copies a machine's folder, as it is, to a machine that is new.
  func clone(_ index: Int, as new: Int) throws {
    let original = machines[index]
    let clone = machines[new]
    guard try original.folder.exists, !clone.isPresent, new >= script.machines else { return }
    // What a failing disk left behind a commit that failed is nobody's to copy while the node runs.
    guard original.attempts.isEmpty || !original.isRunning else { return }
    clone.isPresent = true
    (original.hasCopies, clone.hasCopies) = (true, true)
    revocations = revocations.filter { $0.key.dialer != index }
    clone.skewMilliseconds = original.skewMilliseconds
    clone.held = original.held
    clone.attempts = original.attempts
    clone.files = original.files.mapValues { $0.copy() }
    try clone.folder.create()
    copyFiles(from: original.folder.file, to: clone.folder.file)
    let inherited = edges.filter { $0.dialer == index }
    if inherited.isEmpty {
      let edge = Script.Edge(clone.index, index)
      edges.append(edge)
      queue.schedule(.share(edge), at: now + 500)
    }
    for edge in inherited {
      edges.append(Script.Edge(clone.index, edge.hub, role: edge.role, palette: edge.palette))
    }
    try start(clone)
  }

  /// Copies the files of a library over others, which stay the same files.
  private func copyFiles(from: (String) -> String, to: (String) -> String) {
    for name in ["library.sqlite", "library.sqlite-wal", "opened"] {
      let source = open(from(name), O_RDONLY)
      guard source >= 0 else {
        unlink(to(name))
        continue
      }
      defer { close(source) }
      let target = open(to(name), O_WRONLY | O_CREAT | O_TRUNC, 0o600)
      guard target >= 0 else { continue }
      defer { close(target) }
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      while true {
        let count = read(source, &buffer, buffer.count)
        guard count > 0 else { break }
        _ = write(target, buffer, count)
      }
    }
  }
}
