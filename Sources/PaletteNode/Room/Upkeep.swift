internal import PaletteCommands
internal import PalettePeers
internal import PalettePlatform
internal import PaletteStore
internal import WebSocket

/// The things that a node looks after as long as it runs: room on the disk, the write-ahead log,
/// its certificate.
final class Upkeep {
  private unowned let loop: EventLoop
  private let store: ChangeStore
  private let settings: NodeSettings
  private let endpoints: NodeEndpoints
  private let sync: SyncShell
  /// True if the write-ahead log is shortened soon.
  private var willCheckpoint = false

  private static let longMerge = 1_000

  init(
    _ loop: EventLoop,
    _ store: ChangeStore,
    _ settings: NodeSettings,
    _ endpoints: NodeEndpoints,
    _ sync: SyncShell
  ) {
    self.loop = loop
    self.store = store
    self.settings = settings
    self.endpoints = endpoints
    self.sync = sync
  }

  /// Looks once a second at how much room is left, since other programs use the disk as well.
  func keepRoom() {
    lookAtRoom()
    loop.schedule(after: .seconds(1)) { [weak self] in self?.keepRoom() }
  }

  /// Looks at how much room is left, after each commit too: others may not fill the disk, some of which is
  /// kept for the owner of the library.
  func lookAtRoom() {
    // Where it cannot be told, a full disk is met soon enough.
    sync.setRoom(DiskRoom(at: store.folder.path)?.isEnough ?? true)
  }

  /// Looks after the write-ahead log where that is due, after everyone was told of the commit.
  ///
  /// - Parameter count: How many changes were committed.
  func scheduleCheckpoint(after count: Int) {
    guard !willCheckpoint, store.logNeedsCare else { return }
    willCheckpoint = true
    // By then all that waited to be sent has left, and whoever edits steadily is not back yet. A long
    // merge mostly has its like at the other end, perhaps on the same disk, and more is to come: what
    // many commits alter is moved once.
    let delay = count < Self.longMerge ? 2 : 300
    loop.schedule(after: .milliseconds(delay)) { [weak self] in
      self?.willCheckpoint = false
      self?.store.careForLog()
    }
  }

  /// Looks after the node's own certificate as long as it runs.
  func scheduleCertificateCheck() {
    guard let certificate = endpoints.ownCertificate, let listener = endpoints.network else {
      return
    }
    loop.schedule(after: settings.certificateInterval) { [weak self] in
      guard let self else { return }
      do {
        if try certificate.keep().isNew {
          try loop.reloadCertificate(of: listener)
          settings.log(NodeLog(.info, .certificate, "made a certificate of its own"))
        }
      } catch {
        settings.log(NodeLog(.error, .certificate, "the certificate cannot be renewed: \(error)"))
      }
      scheduleCertificateCheck()
    }
  }

  /// Reads the network's certificate again, and says in the log what came of it.
  func reloadCertificate() {
    guard let network = endpoints.network, endpoints.scheme == "https" else {
      settings.log(
        NodeLog(.info, .certificate, "asked to read the certificate again, but there is none")
      )
      return
    }
    do {
      try loop.reloadCertificate(of: network)
      settings.log(NodeLog(.info, .certificate, "the certificate was read again"))
    } catch {
      let reason = "the certificate before stays in use: \(error.message)"
      settings.log(NodeLog(.warning, .certificate, reason))
    }
  }
}

/// The room of a file system.
struct DiskRoom {
  let freeBytes: UInt64
  let sizeBytes: UInt64

  /// The bytes that are kept free, and which part of a file system below four times as much.
  private static let floor = (bytes: UInt64(256) << 20, part: UInt64(4))

  init(freeBytes: UInt64, sizeBytes: UInt64) {
    self.freeBytes = freeBytes
    self.sizeBytes = sizeBytes
  }

  /// Asks the system; nil where it does not tell.
  init?(at path: String) {
    var status = statvfs()
    guard statvfs(path, &status) == 0 else { return nil }
    let size = UInt64(status.f_frsize)
    freeBytes = UInt64(status.f_bavail) * size
    sizeBytes = UInt64(status.f_blocks) * size
  }

  /// The room that is kept for the owner.
  var reserveBytes: UInt64 { min(Self.floor.bytes, sizeBytes / Self.floor.part) }

  /// True if others may write.
  var isEnough: Bool { freeBytes >= reserveBytes }
}
