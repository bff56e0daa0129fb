import PaletteCommands
import PaletteFormats
import PaletteNode
import PalettePlatform

extension CommandRunner {
  /// Runs a node until a signal, or the time limit, ends it.
  func runServe() throws(APIError) -> Output {
    let signals = TerminationSignals.block()
    let node = try startNode(try nodeSettings())
    do throws(OutputError) {
      try program.console.write(Array("hued ready \(node.url)\nopen \(node.pageLink)\n".utf8))
    } catch {
      // Whoever started the node may not care where it is.
      if case .failed(let reason) = error {
        node.stop()
        throw APIError(code: "failed", message: "the ready line cannot be written: \(reason)")
      }
    }
    let signal = wait(for: signals, node)
    node.stop(because: signal.map(TerminationSignals.name) ?? "the time limit")
    return Output(output: [], exitCode: signal == nil ? .timedOut : .done)
  }

  /// Waits for the signal that ends the node; nil when the time limit does.
  ///
  /// SIGHUP means that the terminal is gone, or, where there was none, that certificates are new.
  private func wait(for signals: TerminationSignals, _ node: Node) -> CInt? {
    let deadline = TerminationSignals.deadline(afterSeconds: options.timeoutSeconds)
    while let signal = signals.wait(until: deadline) {
      guard signal == SIGHUP, !environment.isErrorTerminal else { return signal }
      node.reloadCertificate()
    }
    return nil
  }

  private func startNode(_ settings: NodeSettings) throws(APIError) -> Node {
    let location = environment.location(home: options.home)
    do throws(APIError) {
      return try Node(at: location, settings: settings)
    } catch {
      // Most who start a second node only forgot the first.
      guard error.code == "locked",
        let api = try? program.makeAPI(location, { _ in }, { _ in }),
        let status = try? api.call(Request(method: "status")).json,
        status["running"].boolValue == true
      else { throw error }
      let urls = (status["listening"].arrayValue ?? []).compactMap(\.stringValue)
      throw APIError(
        code: error.code,
        message: "a node runs here already"
          + (urls.isEmpty ? "" : ": \(urls.joined(separator: ", "))"),
        hint: "'hued status' shows its state, 'hued open' a link to its page"
      )
    }
  }

  private func nodeSettings() throws(APIError) -> NodeSettings {
    var settings = NodeSettings()
    if let address = invocation["listen"].stringValue {
      settings.listen = try ListenAddress(address)
    }
    switch (invocation["tls-cert"].stringValue, invocation["tls-key"].stringValue) {
    case (let certificate?, let key?):
      settings.certificate = (environment.absolute(certificate), environment.absolute(key))
    case (nil, nil): break
    default: throw .usage("--tls-cert and --tls-key belong together")
    }
    settings.publicURL = try invocation["public-url"].stringValue.map { text throws(APIError) in
      try Self.checkedURL(text, flag: "public-url")
    }
    for origin in invocation["allow-origin"].arrayValue ?? [] {
      let text = origin.stringValue ?? ""
      settings.allowedOrigins.append(try Self.checkedURL(text, flag: "allow-origin"))
    }
    settings.isBehindProxy = invocation["behind-proxy"].boolValue == true
    if let text = invocation["quota"].stringValue {
      guard let bytes = Self.bytes(text) else {
        throw .usage("--quota needs a number of bytes such as 500M, not '\(text)'")
      }
      settings.quotaBytes = bytes
    }
    settings.echoes = invocation["enable-echo"].boolValue == true
    let writer = LogWriter(
      level: options.quiet ? .warning : options.verbose ? .debug : .info,
      isTerminal: environment.isErrorTerminal
    )
    settings.log = { line in writer.write(line) }
    return settings
  }

  /// A number of bytes with the letter that may end it.
  private static func bytes(_ text: String) -> Int? {
    let shifts: [Character: Int] = ["K": 10, "M": 20, "G": 30]
    let shift = text.uppercased().last.flatMap { shifts[$0] }
    guard let number = Int(shift == nil ? text[...] : text.dropLast()), number > 0,
      number <= Int.max >> (shift ?? 0)
    else { return nil }
    return number << (shift ?? 0)
  }

  /// A URL of a web server, without the slash that may end it.
  private static func checkedURL(_ text: String, flag: String) throws(APIError) -> String {
    let scheme = ["http://", "https://"].first { text.hasPrefix($0) }
    guard let scheme, text.count > scheme.count, !text.contains(where: \.isWhitespace) else {
      throw .usage("--\(flag) needs a URL such as https://example.com, not '\(text)'")
    }
    return text.hasSuffix("/") ? String(text.dropLast()) : text
  }
}
