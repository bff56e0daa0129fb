package import PaletteCommands
package import PaletteNode

extension NodeSettings {
  /// Takes what the flags of a program that serves say: where it listens, and how it is reached.
  ///
  /// - Parameters:
  ///   - value: Gives the value of a flag; nil where it was not given.
  ///   - isBehindProxy: True if something in front of it encrypts.
  ///   - hint: The hint of errors.
  ///   - absolute: Makes a path absolute.
  /// - Throws: `bad-usage` for flags that cannot be right.
  package mutating func take(
    _ value: (String) -> String?,
    isBehindProxy: Bool,
    hint: String? = nil,
    absolute: (String) -> String
  ) throws(APIError) {
    if let address = value("listen") { listen = try ListenAddress(address) }
    switch (value("tls-cert"), value("tls-key")) {
    case (let certificate?, let key?): self.certificate = (absolute(certificate), absolute(key))
    case (nil, nil): break
    default:
      throw APIError(
        code: "bad-usage",
        message: "--tls-cert and --tls-key belong together",
        hint: hint
      )
    }
    publicURL = try value("public-url").map { text throws(APIError) in
      try Self.checkedURL(text, flag: "public-url", hint: hint)
    }
    self.isBehindProxy = isBehindProxy
  }

  /// Reads a URL of a web server, without the slash that may end it.
  ///
  /// - Parameters:
  ///   - text: The value of a flag.
  ///   - flag: The flag.
  ///   - hint: The hint of the error.
  /// - Returns: The URL.
  /// - Throws: `bad-usage` for anything else.
  package static func checkedURL(
    _ text: String,
    flag: String,
    hint: String? = nil
  ) throws(APIError) -> String {
    let parts = text.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
    let scheme = parts[0].lowercased()
    guard parts.count > 2, ["http:", "https:"].contains(scheme), parts[1].isEmpty,
      isAuthority(parts[2]), !text.contains(where: { $0.isWhitespace || "?#@".contains($0) })
    else {
      throw APIError(
        code: "bad-usage",
        message: "--\(flag) needs a URL such as https://example.com, not '\(text)'",
        hint: hint
      )
    }
    let url = scheme + text.dropFirst(scheme.count)
    return url.hasSuffix("/") ? String(url.dropLast()) : url
  }

  /// Returns whether a text is a host, with a port or without.
  private static func isAuthority(_ text: Substring) -> Bool {
    // The colons of an IPv6 address stand in brackets.
    let end = text.lastIndex(of: "]") ?? text.startIndex
    guard let colon = text[end...].firstIndex(of: ":") else { return !text.isEmpty }
    return colon > text.startIndex && UInt16(text[text.index(after: colon)...]) != nil
  }
}
