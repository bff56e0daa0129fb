internal import PaletteCommands
internal import PaletteJSON
internal import PaletteModel
internal import PalettePeers
internal import PaletteStore
internal import Synchronization
internal import WebSocket

/// Counts the refusals of a process, and logs ten of them a second.
final class Refusals {
  private unowned let loop: EventLoop
  private let log: (NodeLog) -> Void
  private var lines = RefusalLog()
  /// Connections that were ended before they showed who they are, by reason.
  private(set) var connections: [ConnectionRefusal: Int] = [:]
  /// Requests and greetings without a valid right, and breaches of a protocol.
  ///
  /// By the status of HTTP or the code with which the connection was closed: only this node chooses them.
  private(set) var codes: [Int: Int] = [:]

  init(_ loop: EventLoop, _ log: @escaping (NodeLog) -> Void) {
    self.loop = loop
    self.log = log
  }

  /// Somebody was sent away, or made room for another, before it showed who it is.
  func refuse(_ address: String, _ reason: ConnectionRefusal) {
    connections[reason, default: 0] += 1
    let text =
      switch reason {
      case .address: "too many connections of an address, the oldest was ended"
      case .unauthenticated: "too many connections of nobody known, the oldest was ended"
      case .descriptors: "nearly all descriptors are in use, a connection of nobody known was ended"
      }
    tell(text, address: address)
  }

  /// Somebody without the right to something was refused, with a status or a code.
  func refuse(
    _ code: Int,
    _ reason: String,
    address: String,
    _ level: NodeLog.Level = .info,
    _ fields: [(key: String, value: JSON)] = []
  ) {
    codes[code, default: 0] += 1
    tell(reason, address: address, level, fields)
  }

  /// The codes by which whoever breaks a protocol is disconnected.
  private static let violations: Set<CloseCode> = [
    .protocolError, .notAccepted, .invalidPayload, .policyViolation, .messageTooBig,
  ]
  /// The codes by which whoever has no right, or speaks another version, is disconnected.
  private static let refusalCodes: ClosedRange<UInt16> = 4400...4499

  /// This node ended a connection: that counts where it was for what the other side sent, or for a right
  /// that it does not have.
  ///
  /// - Parameters:
  ///   - who: The kind of who was there.
  ///   - event: The end of the connection.
  ///   - address: Where it came from.
  ///   - fields: More that the line says of it.
  func ended(
    _ who: String,
    _ event: CloseEvent,
    address: String,
    _ fields: [(key: String, value: JSON)]
  ) {
    let isViolation = Self.violations.contains(event.code)
    guard isViolation || Self.refusalCodes.contains(event.code.rawValue) else { return }
    refuse(
      Int(event.code.rawValue),
      who + (isViolation ? " broke the protocol" : " was refused"),
      address: address,
      isViolation ? .warning : .info,
      fields + [("code", "\(event.code)"), ("reason", JSON(SafeText.words(event.reason)))]
    )
  }

  /// Logs that somebody was refused, unless there are too many such lines.
  private func tell(
    _ reason: String,
    address: String,
    _ level: NodeLog.Level = .info,
    _ fields: [(key: String, value: JSON)] = []
  ) {
    switch lines.add(reason, at: systemMilliseconds()) {
    case .line: log(NodeLog(level, .refuse, reason, [("address", JSON(address))] + fields))
    case .omitted(isFirst: false): break
    case .omitted(isFirst: true):
      loop.schedule(after: .seconds(1)) { [weak self] in self?.tellOmitted() }
    }
  }

  private func tellOmitted() {
    let (count, last) = lines.removeOmitted()
    let fields = [(key: "count", value: JSON(count)), (key: "last", value: JSON(last))]
    log(NodeLog(.info, .refuse, "more were refused", fields))
  }
}

/// Bounds what refusals may write to a log: so many lines a second, and the rest as one number.
///
/// Coming again costs a refused client nothing, so without a limit it could fill the log.
struct RefusalLog {
  /// The possible outcomes of a refusal.
  enum Outcome: Equatable {
    /// It gets a line.
    case line
    /// It is only counted; the first one that is asks for `removeOmitted` a second later.
    case omitted(isFirst: Bool)
  }

  /// The most lines a second.
  private static let linesPerSecond = 10

  private var startMilliseconds: Int64 = 0
  private var lines = 0
  private var omitted = 0
  private var lastReason = ""

  /// Counts a refusal.
  mutating func add(_ reason: String, at milliseconds: Int64) -> Outcome {
    // A clock that goes back begins a new second too.
    if !(startMilliseconds..<startMilliseconds + 1000).contains(milliseconds) {
      startMilliseconds = milliseconds
      lines = 0
    }
    if lines < Self.linesPerSecond {
      lines += 1
      return .line
    }
    omitted += 1
    lastReason = reason
    return .omitted(isFirst: omitted == 1)
  }

  /// The number of refusals without a line since this was asked last, and the reason for the last
  /// of them.
  mutating func removeOmitted() -> (count: Int, lastReason: String) {
    defer { omitted = 0 }
    return (omitted, lastReason)
  }
}

/// The lines of libwebsockets for the log: a few a second, for every stranger can make it say something.
final class LibraryLines: Sendable {
  private let limit = Mutex(RefusalLog())

  /// The line for what libwebsockets says; nil where it has said enough for now.
  func line(for text: String, atMilliseconds now: Int64) -> String? {
    limit.withLock { limit in
      guard limit.add(text, at: now) == .line else { return nil }
      let omitted = limit.removeOmitted().count
      return omitted == 0 ? text : "\(text) (\(omitted) lines like this were left out before)"
    }
  }
}
