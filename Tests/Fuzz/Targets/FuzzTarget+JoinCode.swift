import PaletteMerge
import PaletteModel

@testable import PaletteCommands
@testable import WebSocket

extension FuzzTarget {
  static let joinCode = FuzzTarget(
    name: "join-code",
    summary: "the text that `join` takes",
    words: ["hued1-", "https://", "http://", "#hued1-"],
    seeds: {
      let secret = [UInt8](0..<32)
      let codes = [
        JoinCode(
          addresses: ["https://127.0.0.1:4833"],
          secret: secret,
          pin: secret,
          grant: Grant(.relay),
          library: RecordID(high: 1, low: 2)
        ),
        JoinCode(
          addresses: ["http://[::1]:1", "https://a.example"],
          secret: secret,
          pin: [],
          grant: Grant(.viewer, on: Examples.palette),
          library: RecordID(high: 1, low: 2),
          paletteName: "Brand"
        ),
      ]
      return codes.map { Array($0.text.utf8) }
        + codes.map { Array(" http://127.0.0.1:4833/#\($0.text)\n".utf8) }
    },
    check: { bytes in
      let text = String(decoding: bytes, as: UTF8.self)
      guard
        let code = try accepted(bytes, { () throws(APIError) in try JoinCode(text) })
      else { return }
      try ensure(try JoinCode(code.text) == code, "written and read, it is another code")
      for address in code.addresses { try checkURL(address) }
    }
  )

  static let addresses = FuzzTarget(
    name: "addresses",
    summary: "URLs, hosts and ports",
    lengthLimit: 512,
    words: ["https://", "http://", "localhost", "[::1]", "127.0.0.1", ":65535", "0.0.0.0"],
    seeds: {
      [
        "https://desk.lan:4833", "http://[::1]:80/x", "127.0.0.1:0", "[::]:4833", "4833",
        "localhost", "http://a.example", "a.example.:1", "::1",
      ].map { Array($0.utf8) }
    },
    check: { bytes in
      let text = String(decoding: bytes, as: UTF8.self)
      try checkURL(text)
      if let address = try? ListenAddress(text) {
        try ensure(!address.host.isEmpty, "an address without a host")
        let host = address.host.contains(":") ? "[\(address.host)]" : address.host
        try ensure(try ListenAddress("\(host):\(address.port)") == address, "another address")
        _ = address.isLoopback
      }
      if let authority = Authority(text) {
        let host = authority.host.contains(":") ? "[\(authority.host)]" : authority.host
        let port = authority.port.map { ":\($0)" } ?? ""
        try ensure(Authority(host + port) == authority, "another authority")
      }
      let policy = OriginPolicy(names: ["a.example"], origins: ["https://b.example"])
      if policy.verdict(host: text, origin: nil) == .allowed {
        let name = Authority(text)
        try ensure(
          name?.isLiteral == true || ["localhost", "a.example"].contains(name?.host),
          "a foreign name passes for ours"
        )
      }
      _ = policy.verdict(host: "a.example", origin: text)
    }
  )

  private static func checkURL(_ text: String) throws {
    guard let url = PeerURL(text) else { return }
    let host = url.host.contains(":") ? "[\(url.host)]" : url.host
    let again = PeerURL("\(url.isEncrypted ? "https" : "http")://\(host):\(url.port)\(url.base)")
    try ensure(again == url, "another URL: \(url)")
  }
}
