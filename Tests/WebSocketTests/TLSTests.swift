import COpenSSL
import Foundation
import Testing

@testable import WebSocket

struct TLSTests {
  private struct Server {
    let loop: TestLoop
    let identity: TLSIdentity
    let pin: KeyPin
    let folder: String

    func request(
      _ trust: ServerTrust,
      host: String = "127.0.0.1"
    ) -> ConnectRequest {
      ConnectRequest(
        endpoint: .tcp(host: host, port: loop.port),
        trust: trust,
        path: "/echo",
        subprotocol: "echo",
        headers: [HTTPField("authorization", "Bearer secret")],
        messageLimit: 16 << 20,
        queueLimit: 17 << 20
      )
    }
  }

  private func withServer(
    names: [String] = [],
    _ body: (Server, _ client: TestLoop) throws -> Void
  ) throws {
    try withFolder { folder in
      let identity = try TLSIdentity.makeSelfSigned(in: folder, names: names)
      let pin = try identity.validate()
      var behavior = TestHandler.Behavior.echo
      behavior.respond = { _ in
        HTTPResponse(status: 200, headers: [], body: [UInt8](repeating: 65, count: 3_000_000))
      }
      let listener = ListenerConfiguration(
        endpoint: .tcp(host: "127.0.0.1", port: 0),
        identity: identity
      )
      try withLoop(listener: listener, behavior: behavior) { loop in
        try withLoop(listener: nil, behavior: TestHandler.Behavior()) { client in
          try body(Server(loop: loop, identity: identity, pin: pin, folder: folder), client)
        }
      }
    }
  }

  @Test func exchangesMessages() throws {
    try withServer { server, client in
      let trusts: [(ServerTrust, String)] = [
        (.pin(server.pin), "127.0.0.1"), (.pin(server.pin), "localhost"),
        (.authority(file: server.identity.certificateFile), "127.0.0.1"),
        (.authority(file: server.identity.certificateFile), "localhost"),
      ]
      for (index, (trust, host)) in trusts.enumerated() {
        let request = server.request(trust, host: host)
        let id = try client.connect(request)
        #expect(try client.log.connection(index).peer.isEncrypted)
        let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* index) }
        try client.onLoop { #expect($0.send(bytes, as: .binary, to: id) == .queued) }
        #expect(try client.log.message(index).bytes == bytes)
      }
      #expect(try server.loop.log.connection().peer.isEncrypted)
    }
  }

  /// TLS may have begun with what the socket then did not take; a ping must not get before it.
  @Test func whatTheSocketDidNotTakeIsNext() throws {
    try withServer { server, client in
      let id = try client.connect(server.request(.pin(server.pin)))
      let served = try server.loop.log.connection().id
      _ = try client.log.connection()
      try client.onLoop { $0.pause(id) }
      var sent: [[UInt8]] = []
      var isChoked = false
      while !isChoked, sent.count < 5_000 {
        let bytes = [UInt8](repeating: UInt8(truncatingIfNeeded: sent.count), count: 10_000)
        sent.append(bytes)
        isChoked = try server.loop.onLoop { loop in
          #expect(loop.send(bytes, as: .binary, to: served) == .queued)
          loop.doubt(served, within: .seconds(1_000))
          return loop.queuedBytes(of: served) > 0
        }
      }
      #expect(isChoked)
      sent.append([1, 2, 3])
      try server.loop.onLoop { #expect($0.send([1, 2, 3], as: .binary, to: served) == .queued) }
      try client.onLoop { $0.resume(id) }
      for (index, bytes) in sent.enumerated() {
        #expect(try client.log.message(index).bytes == bytes)
      }
    }
  }

  @Test func refusesAnotherKey() throws {
    try withServer { server, client in
      let other = try #require(KeyPin(bytes: [UInt8](repeating: 7, count: 32)))
      let failure = try client.failure(connecting: server.request(.pin(other)))
      #expect(
        failure
          == ConnectFailure(kind: .otherKey, message: "the server's key is not the pinned one")
      )
      // The token stayed here.
      #expect(server.loop.log.all.isEmpty)
    }
  }

  @Test func refusesAnotherName() throws {
    try withServer { server, client in
      let trust = ServerTrust.authority(file: server.identity.certificateFile)
      // The listener is at 127.0.0.1 only; the name is checked before anything else is sent.
      let redirect = try Relay(to: server.loop.port, host: "127.0.0.2")
      let request = ConnectRequest(
        endpoint: .tcp(host: "127.0.0.2", port: redirect.port),
        trust: trust,
        path: "/echo",
        subprotocol: "echo"
      )
      let failure = try client.failure(connecting: request)
      #expect(failure.kind == .untrusted && failure.message.contains("mismatch"))
      #expect(server.loop.log.all.isEmpty)
    }
  }

  @Test func refusesAnotherAuthority() throws {
    try withServer { server, client in
      try withFolder { folder in
        let other = try TLSIdentity.makeSelfSigned(in: folder)
        for trust in [ServerTrust.authority(file: other.certificateFile), .system] {
          let failure = try client.failure(connecting: server.request(trust))
          #expect(failure.kind == .untrusted && failure.message.contains("self-signed"))
        }
        let missing = ServerTrust.authority(file: "\(folder)/none.pem")
        let failure = try client.failure(connecting: server.request(missing))
        #expect(failure.kind == .untrusted, "\(failure)")
      }
      #expect(server.loop.log.all.isEmpty)
    }
  }

  @Test func doesNotMixWithPlainText() throws {
    try withServer { server, client in
      let plain = try client.failure(connecting: server.request(.plain))
      #expect(plain.kind == .unreachable || plain.kind == .refused)
      // The one that is dialed waits for an end of line, and gives up before the one that dials.
      var hasty = TestLoop.configuration
      hasty.handshakeTimeout = .seconds(1)
      try withLoop(hasty) { other in
        let request = ConnectRequest(
          endpoint: .tcp(host: "127.0.0.1", port: other.port),
          trust: .pin(server.pin),
          path: "/open",
          subprotocol: nil
        )
        let failure = try client.failure(connecting: request)
        #expect(failure.kind == .untrusted)
      }
    }
  }

  @Test func offersNoWeakSuites() throws {
    try withServer { server, _ in
      let usual = try TLSSession(port: server.loop.port, latest: TLS1_2_VERSION)
      #expect(usual.cipher.hasPrefix("ECDHE-"))
      #expect(usual.cipher.contains("GCM") || usual.cipher.contains("CHACHA20"))
      // Modes with CBC, and keys that are not made anew.
      for ciphers in [
        "ECDHE-ECDSA-AES128-SHA256:ECDHE-ECDSA-AES256-SHA384:ECDHE-ECDSA-AES128-SHA:"
          + "ECDHE-ECDSA-AES256-SHA", "kRSA", "ECDHE-ECDSA-AES128-CCM",
      ] {
        #expect(throws: TLSSession.Failure.self) {
          try TLSSession(port: server.loop.port, latest: TLS1_2_VERSION, ciphers: ciphers)
        }
      }
      #expect(try TLSSession(port: server.loop.port).cipher.hasPrefix("TLS_"))
    }
  }

  @Test func takesARenewedCertificate() throws {
    try withServer { server, _ in
      #expect(try !TLSSession(port: server.loop.port).isFor("new.example"))
      let (identity, isNew) = try TLSIdentity.keepSelfSigned(
        in: server.folder,
        names: ["new.example"]
      )
      #expect(isNew && identity == server.identity)
      try server.loop.onLoop { loop in
        #expect(throws: Never.self) {
          try loop.reloadCertificate(of: ListenerID(rawValue: 1))
        }
      }
      for latest in [TLS1_2_VERSION, TLS1_3_VERSION] {
        let session = try TLSSession(port: server.loop.port, latest: latest)
        #expect(session.isFor("new.example") && session.pin == server.pin)
      }
    }
  }

  @Test func speaksOnlyHTTP11() throws {
    try withServer { server, _ in
      let session = try TLSSession(port: server.loop.port, protocols: ["h2", "http/1.1"])
      #expect(session.agreedProtocol == "http/1.1")
      try session.send("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
      let answer = session.readToEnd()
      #expect(answer.count > 3_000_000)
      #expect(answer.suffix(3_000_000).allSatisfy { $0 == 65 })
      // Who speaks nothing else is not answered in it.
      let other = try? TLSSession(port: server.loop.port, protocols: ["h2"])
      #expect(other?.agreedProtocol != "h2")
    }
  }

  @Test func refusesOldVersions() throws {
    try withServer { server, _ in
      #expect(throws: TLSSession.Failure.self) {
        try TLSSession(port: server.loop.port, latest: TLS1_1_VERSION)
      }
      _ = try TLSSession(port: server.loop.port, latest: TLS1_2_VERSION)
    }
  }

  /// A name in the handshake must not pick the certificate of another listener.
  @Test func showsTheCertificateOfItsListener() throws {
    try withFolder { folder in
      var identities: [TLSIdentity] = []
      for name in ["a", "b", "c"] {
        let own = "\(folder)/\(name)"
        try FileManager.default.createDirectory(atPath: own, withIntermediateDirectories: true)
        identities.append(try TLSIdentity.makeSelfSigned(in: own))
      }
      let fixed = identities
      let ports = Handover<[UInt16]>()
      let thread = try LoopThread(TestLoop.configuration) { loop in
        ports.set(
          try fixed.map { identity in
            try loop.listen(
              ListenerConfiguration(
                endpoint: .tcp(host: "127.0.0.1", port: 0),
                identity: identity
              )
            ).port
          }
        )
        return TestHandler(loop, EventLog(), .echo)
      }
      defer {
        thread.beginShutdown()
        thread.join()
      }
      for (port, identity) in zip(try #require(ports.get()), fixed) {
        for name in ["localhost", "(2)", "evil.example", nil] {
          let session = try TLSSession(port: port, name: name)
          let pin = try identity.validate()
          #expect(session.pin == pin, "\(name ?? "no name")")
        }
      }
    }
  }
}
