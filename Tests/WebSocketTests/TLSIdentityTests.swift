import Foundation
import Testing

@testable import WebSocket

struct TLSIdentityTests {
  @Test func writesPrivateFiles() throws {
    try withFolder { folder in
      let identity = try TLSIdentity.makeSelfSigned(in: folder)
      for path in [identity.certificateFile, identity.keyFile] {
        var status = stat()
        #expect(lstat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
      }
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 2)
    }
  }

  @Test func makesAnotherKeyEachTime() throws {
    try withFolder { folder in
      let first = try TLSIdentity.makeSelfSigned(in: folder).validate()
      let second = try TLSIdentity.makeSelfSigned(in: folder).validate()
      #expect(first != second)
    }
  }

  @Test func hashesTheKeyAsOthersDo() throws {
    try withFolder { folder in
      let identity = try TLSIdentity.makeSelfSigned(in: folder, names: ["hub.example.com"])
      let shell = Process()
      shell.executableURL = URL(fileURLWithPath: "/bin/sh")
      shell.arguments = [
        "-c",
        """
        openssl x509 -in \(identity.certificateFile) -noout -pubkey \
        | openssl pkey -pubin -outform der | openssl dgst -sha256 -hex
        openssl x509 -in \(identity.certificateFile) -noout \
          -ext subjectAltName,basicConstraints,keyUsage,extendedKeyUsage
        """,
      ]
      let output = Pipe()
      shell.standardOutput = output
      try shell.run()
      let text = String(
        decoding: output.fileHandleForReading.readDataToEndOfFile(),
        as: UTF8.self
      )
      shell.waitUntilExit()
      // Without the program there is nothing to compare with.
      guard shell.terminationStatus == 0 else { return }
      #expect(text.contains(try identity.validate().description), "\(text)")
      for name in [
        "DNS:localhost", "IP Address:127.0.0.1", "IP Address:0:0:0:0:0:0:0:1",
        "DNS:hub.example.com", "CA:FALSE", "Digital Signature\n", "TLS Web Server Authentication\n",
      ] {
        #expect(text.contains(name), "\(text)")
      }
    }
  }

  @Test func keepsTheCertificateWhileItIsRight() throws {
    try withFolder { folder in
      func bytes(_ path: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: path)) }
      let (identity, isNew) = try TLSIdentity.keepSelfSigned(in: folder, names: ["b", "10.0.0.1"])
      #expect(isNew)
      let certificate = try bytes(identity.certificateFile)
      let key = try bytes(identity.keyFile)
      // The order of names does not matter.
      #expect(try !TLSIdentity.keepSelfSigned(in: folder, names: ["10.0.0.1", "b"]).isNew)
      #expect(try bytes(identity.certificateFile) == certificate)
      #expect(try TLSIdentity.keepSelfSigned(in: folder, names: ["b", "10.0.0.2"]).isNew)
      #expect(try bytes(identity.certificateFile) != certificate)
      unlink(identity.certificateFile)
      #expect(try TLSIdentity.keepSelfSigned(in: folder, names: ["b"]).isNew)
      #expect(try bytes(identity.keyFile) == key)
      // Without a key, both are made.
      try Data("no key".utf8).write(to: URL(fileURLWithPath: identity.keyFile))
      #expect(try TLSIdentity.keepSelfSigned(in: folder, names: ["b"]).isNew)
      #expect(try bytes(identity.keyFile) != key)
      try identity.validate()
    }
  }

  @Test(arguments: [(20, true), (40, false)])
  func makesACertificateAgainBeforeItEnds(days: Int, isRenewed: Bool) throws {
    try withFolder { folder in
      let pin = try TLSIdentity.makeSelfSigned(in: folder, names: ["b"], days: days).validate()
      let (identity, isNew) = try TLSIdentity.keepSelfSigned(in: folder, names: ["b"])
      #expect(isNew == isRenewed)
      #expect(try identity.validate() == pin)
    }
  }

  @Test func replacesACertificateThatCouldSignOthers() throws {
    try withFolder { folder in
      let identity = try TLSIdentity.makeSelfSigned(in: folder)
      let pin = try identity.validate()
      let shell = Process()
      shell.executableURL = URL(fileURLWithPath: "/bin/sh")
      shell.arguments = [
        "-c",
        "openssl req -x509 -new -key \(identity.keyFile) -subj /CN=old -days 3650 "
          + "-out \(identity.certificateFile) 2> /dev/null",
      ]
      try shell.run()
      shell.waitUntilExit()
      // Without the program there is no such certificate.
      guard shell.terminationStatus == 0 else { return }
      #expect(try TLSIdentity.keepSelfSigned(in: folder).isNew)
      #expect(try identity.validate() == pin)
    }
  }

  @Test func leavesOutWhatIsNoName() throws {
    try withFolder { folder in
      let names = ["a,DNS:evil.example", "x y", "", "2001:db8::1", "hub.example.com:80"]
      try TLSIdentity.makeSelfSigned(in: folder, names: names).validate()
    }
  }

  @Test func saysWhatIsWrong() throws {
    try withFolder { folder in
      let good = try TLSIdentity.makeSelfSigned(in: folder)
      let other = "\(folder)/other"
      try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: true)
      let stranger = try TLSIdentity.makeSelfSigned(in: other)
      let bad = [
        TLSIdentity(certificateFile: "\(folder)/none", keyFile: good.keyFile),
        TLSIdentity(certificateFile: good.certificateFile, keyFile: "\(folder)/none"),
        TLSIdentity(certificateFile: good.keyFile, keyFile: good.keyFile),
        TLSIdentity(certificateFile: good.certificateFile, keyFile: good.certificateFile),
        TLSIdentity(certificateFile: good.certificateFile, keyFile: stranger.keyFile),
      ]
      for identity in bad {
        let error = #expect(throws: WebSocketError.self) { try identity.validate() }
        #expect(error?.code == .badCertificate && error?.message.contains(folder) == true)
        let listener = ListenerConfiguration(
          endpoint: .tcp(host: "127.0.0.1", port: 0),
          identity: identity
        )
        #expect(throws: WebSocketError.self) { try TestLoop(listener: listener) }
      }
      #expect(throws: WebSocketError.self) {
        try TLSIdentity.makeSelfSigned(in: "\(folder)/nowhere")
      }
    }
  }

  @Test func readsPins() throws {
    let text = String(repeating: "0f", count: 31) + "A9"
    let pin = try #require(KeyPin(text))
    #expect(pin.description == text.lowercased() && pin.bytes.last == 0xA9)
    for bad in ["", "0f", text + "00", String(repeating: "0g", count: 32), "+" + text.dropFirst()] {
      #expect(KeyPin(bad) == nil)
    }
  }
}
