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
    let scheme = ["http://", "https://"].first { text.hasPrefix($0) }
    guard let scheme, text.count > scheme.count, !text.contains(where: \.isWhitespace) else {
      throw APIError(
        code: "bad-usage",
        message: "--\(flag) needs a URL such as https://example.com, not '\(text)'",
        hint: hint
      )
    }
    return text.hasSuffix("/") ? String(text.dropLast()) : text
  }
}
