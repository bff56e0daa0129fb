import PaletteCommands
import PaletteFleet
import PaletteNode
import PalettePlatform
import PaletteProgram
import PaletteWebPage

/// A hub of the fleet, from its settings to the signal that ends it.
struct FleetServing {
  /// The seconds for which a database that is away at the start is waited for.
  private static let patience = 30.0
  private static let pause = 0.5

  let arguments: FleetArguments
  let address: PostgreSQLAddress
  let variables: [String: String]
  let isErrorTerminal: Bool

  /// Runs the hub.
  ///
  /// - Returns: The exit code.
  /// - Throws: Why there is no hub: `APIError`, `SharedLogError`, `StoreError`.
  func run() throws -> ExitCode {
    let settings = try settings()
    let signals = TerminationSignals.block()
    guard try awaitDatabase(signals) else { return .done }
    let hub = try FleetHub(settings) { [address] in PostgreSQLLog(address) }
    guard
      Platform.writeAll("hued-fleet ready \(hub.url)\n".utf8, to: STDOUT_FILENO) || errno == EPIPE
    else {
      let reason = Platform.failureReason
      hub.stop(because: "nobody can be told that it runs")
      throw APIError(code: "failed", message: "the ready line cannot be written: \(reason)")
    }
    let manager = ServiceManager(variables)
    manager?.tell("READY=1\nSTATUS=Serving \(hub.url)")
    let signal = signals.waitForEnd(
      within: nil,
      hasTerminal: isErrorTerminal,
      manager,
      reload: { hub.reloadCertificate() },
      whenFree: { hub.whenFree($0) }
    )
    manager?.tell("STOPPING=1")
    hub.stop(because: signal.map(TerminationSignals.name) ?? "its time is over")
    return .done
  }

  /// Waits until the database answers.
  ///
  /// - Returns: False when a signal ended the wait.
  private func awaitDatabase(_ signals: TerminationSignals) throws -> Bool {
    let log = PostgreSQLLog(address)
    let end = Platform.uptime + Self.patience
    var isTold = false
    while true {
      do throws(SharedLogError) {
        try log.connect()
        return true
      } catch {
        guard [.away, .busy, .readOnly].contains(error.reason), Platform.uptime < end else {
          throw error
        }
        if !isTold, !arguments.isSet("quiet") {
          let text = "hued-fleet: waiting for the database: \(error.message)\n"
          _ = Platform.writeAll(text.utf8, to: STDERR_FILENO)
        }
        isTold = true
      }
      if let signal = signals.wait(until: Platform.uptime + Self.pause), signal != SIGHUP {
        return false
      }
    }
  }

  // MARK: Settings

  private func settings() throws(APIError) -> FleetHub.Settings {
    let name = arguments["name"] ?? Machine.name
    var node = NodeSettings()
    node.page = .hued
    try node.take(
      { arguments[$0] },
      isBehindProxy: arguments.isSet("behind-proxy"),
      hint: FleetArguments.hint(for: .serve),
      absolute: Machine.absolute
    )
    let writer = LogWriter(
      level: arguments.isSet("quiet") ? .warning : arguments.isSet("verbose") ? .debug : .info,
      isTerminal: isErrorTerminal
    )
    node.log = { line in writer.write(line) }
    var settings = FleetHub.Settings(
      name: name,
      machine: Machine.name,
      caches: arguments["cache"].map(Machine.absolute) ?? usualCache(of: name),
      node: node
    )
    settings.publicURL = node.publicURL
    if let text = arguments["max-libraries"] {
      guard let count = Int(text), count > 0 else {
        throw FleetArguments.usage("--max-libraries needs a number above 0, not '\(text)'", .serve)
      }
      settings.limits.rooms = count
    }
    return settings
  }

  private func usualCache(of name: String) -> String {
    let base = variables["XDG_CACHE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    let folder = base ?? (variables["HOME"] ?? "/var/cache") + "/.cache"
    let safe = String(name.map { $0 == "/" || $0 == "." ? "_" : $0 })
    return "\(folder)/hued-fleet/\(safe)"
  }
}
