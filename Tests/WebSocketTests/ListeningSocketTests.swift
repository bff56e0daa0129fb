import Foundation
import Testing

@testable import WebSocket

struct ListeningSocketTests {
  @Test func choosesAPort() throws {
    let socket = try ListeningSocket(.tcp(host: "127.0.0.1", port: 0))
    defer { close(socket.descriptor) }
    #expect(socket.port > 0)
    #expect(SocketAddress.local(of: socket.descriptor)?.host == "127.0.0.1")
    let error = #expect(throws: WebSocketError.self) {
      try ListeningSocket(.tcp(host: "127.0.0.1", port: socket.port))
    }
    #expect(error?.code == .addressUnavailable)
    #expect(error?.message.contains("in use") == true)
  }

  @Test(arguments: ["192.0.2.1", "no such host", "256.1.1.1"])
  func saysWhereItCannotListen(host: String) {
    let error = #expect(throws: WebSocketError.self) {
      try ListeningSocket(.tcp(host: host, port: 0))
    }
    #expect(error?.code == .addressUnavailable)
    #expect(error?.message.contains(host) == true)
  }

  @Test func bindsAPrivateFile() throws {
    try withFolder { folder in
      let path = "\(folder)/a.sock"
      let socket = try ListeningSocket(.unix(path: path))
      defer { close(socket.descriptor) }
      var status = stat()
      #expect(lstat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
      // Somebody listens there, so nobody else may.
      #expect(throws: WebSocketError.self) { try ListeningSocket(.unix(path: path)) }
      #expect(lstat(path, &status) == 0)
      socket.removeFile()
      #expect(lstat(path, &status) != 0)
    }
  }

  @Test func replacesADeadFile() throws {
    try withFolder { folder in
      let path = "\(folder)/a.sock"
      close(try ListeningSocket(.unix(path: path)).descriptor)
      let socket = try ListeningSocket(.unix(path: path))
      close(socket.descriptor)
    }
  }

  @Test func leavesOtherFilesAlone() throws {
    try withFolder { folder in
      let path = "\(folder)/a.sock"
      let first = try ListeningSocket(.unix(path: path))
      close(first.descriptor)
      let second = try ListeningSocket(.unix(path: path))
      defer { close(second.descriptor) }
      first.removeFile()
      var status = stat()
      // The inode may have been reused at once; then the file counts as the first one's.
      if first.file?.node != second.file?.node { #expect(lstat(path, &status) == 0) }
      let plain = "\(folder)/plain"
      try Data("x".utf8).write(to: URL(fileURLWithPath: plain))
      #expect(throws: WebSocketError.self) { try ListeningSocket(.unix(path: plain)) }
      #expect(try Data(contentsOf: URL(fileURLWithPath: plain)) == Data("x".utf8))
    }
  }

  @Test(arguments: [0, 108, 200])
  func refusesAPathThatDoesNotFit(length: Int) {
    let path = String(repeating: "x", count: length)
    #expect(throws: WebSocketError.self) { try ListeningSocket(.unix(path: path)) }
  }
}
