internal import PalettePeers
internal import WebSocket

/// The certificates of a process's listeners on the network, as long as it runs.
final class CertificateCare {
  private unowned let loop: EventLoop
  private let interval: Duration
  private let log: (NodeLog) -> Void
  /// The endpoints that were opened.
  private var endpoints: [NodeEndpoints] = []

  /// Creates the care of no certificate yet.
  ///
  /// - Parameters:
  ///   - loop: The loop that has the listeners.
  ///   - interval: The interval at which certificates that the node made are looked at.
  ///   - log: Gets what came of it.
  init(_ loop: EventLoop, every interval: Duration, log: @escaping (NodeLog) -> Void) {
    self.loop = loop
    self.interval = interval
    self.log = log
  }

  /// Looks after the certificate of a listener from now on, where the node made it.
  func add(_ new: NodeEndpoints) {
    endpoints.append(new)
    if let certificate = new.ownCertificate, let listener = new.network {
      schedule(certificate, of: listener)
    }
  }

  private func schedule(_ certificate: OwnCertificate, of listener: ListenerID) {
    loop.schedule(after: interval) { [weak self] in
      guard let self else { return }
      do {
        if try certificate.keep().isNew {
          try loop.reloadCertificate(of: listener)
          log(NodeLog(.info, .certificate, "made a certificate of its own"))
        }
      } catch {
        log(NodeLog(.error, .certificate, "the certificate cannot be renewed: \(error)"))
      }
      schedule(certificate, of: listener)
    }
  }

  /// Reads the certificates again, and says in the log what came of it.
  func reload() {
    let encrypted = endpoints.filter { $0.network != nil && $0.scheme == "https" }
    if encrypted.isEmpty {
      log(NodeLog(.info, .certificate, "asked to read the certificate again, but there is none"))
    }
    for listener in encrypted.compactMap(\.network) {
      do {
        try loop.reloadCertificate(of: listener)
        log(NodeLog(.info, .certificate, "the certificate was read again"))
      } catch {
        let reason = "the certificate before stays in use: \(error.message)"
        log(NodeLog(.warning, .certificate, reason))
      }
    }
  }
}
