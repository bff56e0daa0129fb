internal import CPostgreSQL
internal import PalettePlatform

/// A statement that is prepared once for each connection.
struct PostgreSQLStatement {
  /// Its name, which no other has.
  let name: String
  /// Its text.
  let text: String
}

/// A connection to a server.
///
/// It is `@unchecked Sendable` because it is only used inside the lock of its log, or by the one thread that
/// has just made it.
final class PostgreSQLConnection: @unchecked Sendable {
  /// The words of the server beside its answers.
  private final class Notices {
    var hasWarned = false
    var isLeaving = false
  }

  private let handle: OpaquePointer
  private let notices = Notices()
  private var prepared: [String: String] = [:]
  private var preparations = 0
  /// True once nothing more can be asked.
  private(set) var isBroken = false

  /// Connects to the first host that takes writes.
  ///
  /// - Parameters:
  ///   - address: The hosts, and what they are told.
  ///   - seconds: The time that each host has.
  /// - Throws: The failure of the last one.
  init(to address: PostgreSQLAddress, seconds: Double = 2) throws(SharedLogError) {
    var failure = SharedLogError(.notDone, .away, "no host")
    var found: OpaquePointer?
    for parameters in address.attempts where found == nil {
      do throws(SharedLogError) {
        found = try Self.open(parameters, by: Platform.uptime + seconds)
      } catch {
        failure = error
      }
    }
    guard let found else { throw failure }
    handle = found
    PQsetNoticeReceiver(handle, Self.hear, Unmanaged.passUnretained(notices).toOpaque())
    PQsetnonblocking(handle, 1)
  }

  deinit {
    PQfinish(handle)
  }

  /// The version of the server: 150004 for 15.4.
  var serverVersion: Int32 { PQserverVersion(handle) }

  /// Executes a statement.
  ///
  /// - Parameters:
  ///   - statement: The statement, which is prepared if it is not yet.
  ///   - values: Its parameters.
  ///   - seconds: The time that it has.
  /// - Returns: The rows.
  /// - Throws: What became of it.
  func execute(
    _ statement: PostgreSQLStatement,
    _ values: [PostgreSQLValue] = [],
    seconds: Double = 1.5
  ) throws(SharedLogError) -> [PostgreSQLRow] {
    let deadline = Platform.uptime + seconds
    try begin()
    for isLast in [false, true] {
      do throws(SharedLogError) {
        let name = try prepare(statement, values, by: deadline)
        return try rows(of: try send(name, values) ? answer(by: deadline) : nil)
      } catch {
        prepared[statement.name] = nil
        if isLast || error.reason != .pooler || isBroken { throw error }
      }
    }
    preconditionFailure("the last attempt returns or throws")
  }

  /// Executes statements that have no parameters and are not prepared.
  func execute(_ text: String, seconds: Double = 1.5) throws(SharedLogError) {
    let deadline = Platform.uptime + seconds
    try begin()
    let isSent = PQsendQuery(handle, text) == 1
    _ = try rows(of: isSent ? try answer(by: deadline) : nil)
  }

  // MARK: Connecting

  private static func open(
    _ parameters: [(keyword: String, value: String)],
    by deadline: Double
  ) throws(SharedLogError) -> OpaquePointer {
    let keywords = parameters.map { strdup($0.keyword) }
    let values = parameters.map { strdup($0.value) }
    defer { for copy in keywords + values { free(copy) } }
    let started = PQconnectStartParams(
      keywords.map { UnsafePointer($0) } + [nil],
      values.map { UnsafePointer($0) } + [nil],
      1
    )
    guard let handle = started else {
      throw SharedLogError(.notDone, .full, "no memory for a connection")
    }
    // The words then have the SQLSTATE, which nothing else tells of a connection that was refused.
    PQsetErrorVerbosity(handle, PQERRORS_VERBOSE)
    let isReady = poll(handle, by: deadline)
    PQsetErrorVerbosity(handle, PQERRORS_DEFAULT)
    guard isReady, PQstatus(handle) == CONNECTION_OK else {
      let words = String(cString: PQerrorMessage(handle))
      PQfinish(handle)
      throw SharedLogError(connecting: words.isEmpty ? "the server does not answer" : words)
    }
    return handle
  }

  private static func poll(_ handle: OpaquePointer, by deadline: Double) -> Bool {
    var waited = PGRES_POLLING_WRITING
    while PQstatus(handle) != CONNECTION_BAD {
      let events = waited == PGRES_POLLING_READING ? POLLIN : POLLOUT
      guard wait(handle, for: Int32(events), by: deadline) != 0 else { return false }
      waited = PQconnectPoll(handle)
      if waited == PGRES_POLLING_OK { return true }
      if waited == PGRES_POLLING_FAILED { return false }
    }
    return false
  }

  /// Waits until something can be done with the socket; 0 when the time is over.
  private static func wait(
    _ handle: OpaquePointer,
    for events: Int32,
    by deadline: Double
  ) -> Int32 {
    var socket = pollfd(fd: PQsocket(handle), events: Int16(events), revents: 0)
    while true {
      let milliseconds = Int32(max(0, (deadline - Platform.uptime) * 1_000).rounded(.up))
      let count = PalettePlatform.poll(&socket, 1, milliseconds)
      if count > 0 { return Int32(socket.revents) }
      if count == 0 || errno != EINTR { return 0 }
    }
  }

  // MARK: Asking

  /// Reads what came while nothing was asked, which may be that the connection is lost.
  func readNews() {
    while !isBroken, Self.wait(handle, for: Int32(POLLIN), by: 0) != 0 {
      if PQconsumeInput(handle) == 0 { isBroken = true }
      _ = PQisBusy(handle)
      if PQstatus(handle) != CONNECTION_OK || notices.isLeaving { isBroken = true }
    }
  }

  /// Sees to it that a failure from before the statement is not taken for one of it.
  private func begin() throws(SharedLogError) {
    readNews()
    guard !isBroken else {
      throw SharedLogError(.notDone, .away, "the connection to the database is lost")
    }
    notices.hasWarned = false
  }

  private func prepare(
    _ statement: PostgreSQLStatement,
    _ values: [PostgreSQLValue],
    by deadline: Double
  ) throws(SharedLogError) -> String {
    if let name = prepared[statement.name] { return name }
    preparations += 1
    let name = "\(statement.name)\(preparations)"
    let types = values.map(\.type)
    let isSent = PQsendPrepare(handle, name, statement.text, Int32(types.count), types) == 1
    do throws(SharedLogError) {
      _ = try rows(of: isSent ? try answer(by: deadline) : nil)
    } catch {
      // The statement itself was not sent.
      throw SharedLogError(.notDone, error.reason, error.message)
    }
    prepared[statement.name] = name
    return name
  }

  private func send(_ name: String, _ values: [PostgreSQLValue]) throws(SharedLogError) -> Bool {
    var bytes: [UInt8] = []
    var starts: [Int] = []
    var lengths: [Int32] = []
    for value in values {
      starts.append(bytes.count)
      let encoded = value.encoded
      lengths.append(Int32(encoded.count))
      bytes += encoded
    }
    // A value without bytes has an address too: none would mean NULL.
    bytes.append(0)
    let formats = [Int32](repeating: 1, count: values.count)
    return bytes.withUnsafeBytes { buffer in
      let pointers = starts.map { buffer.baseAddress?.advanced(by: $0) }
        .map { $0?.assumingMemoryBound(to: CChar.self) }
      let count = Int32(values.count)
      return PQsendQueryPrepared(handle, name, count, pointers, lengths, formats, 1) == 1
    }
  }

  /// Waits for the answer; nil when the connection was lost, or the time is over.
  private func answer(by deadline: Double) throws(SharedLogError) -> OpaquePointer? {
    var last: OpaquePointer?
    while true {
      guard try settle(by: deadline) else {
        PQclear(last)
        return nil
      }
      guard let next = PQgetResult(handle) else { return last }
      // An error that the server sends before it leaves comes before libpq's own about the loss.
      if last != nil, PQstatus(handle) != CONNECTION_OK {
        PQclear(next)
      } else {
        PQclear(last)
        last = next
      }
    }
  }

  /// Sends and receives until a result is there, or nothing more will come.
  private func settle(by deadline: Double) throws(SharedLogError) -> Bool {
    while true {
      let isUnsent = PQflush(handle)
      guard isUnsent >= 0 else { return true }
      if isUnsent == 0, PQisBusy(handle) == 0 { return true }
      let events = Int32(POLLIN) | (isUnsent == 1 ? Int32(POLLOUT) : 0)
      let ready = Self.wait(handle, for: events, by: deadline)
      guard ready != 0 else {
        isBroken = true
        throw SharedLogError(.unknown, .away, "the database did not answer in time")
      }
      if ready & Int32(POLLIN | POLLHUP | POLLERR) != 0, PQconsumeInput(handle) == 0 {
        return PQisBusy(handle) == 0
      }
    }
  }

  /// Reads a result and frees it.
  private func rows(of result: OpaquePointer?) throws(SharedLogError) -> [PostgreSQLRow] {
    defer { PQclear(result) }
    let status = PQresultStatus(result)
    guard status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK else {
      throw failure(of: result)
    }
    // A synchronous wait that was cancelled: committed here, and perhaps nowhere else.
    guard !notices.hasWarned else {
      isBroken = true
      throw SharedLogError(.unknown, .other, "the server warned of its own commit")
    }
    return (0..<PQntuples(result)).map { row in
      PostgreSQLRow(
        (0..<PQnfields(result)).map { column in
          guard PQgetisnull(result, row, column) == 0 else { return nil }
          let start = UnsafeRawPointer(PQgetvalue(result, row, column))
          let count = Int(PQgetlength(result, row, column))
          return Array(UnsafeRawBufferPointer(start: start, count: count))
        }
      )
    }
  }

  private func failure(of result: OpaquePointer?) -> SharedLogError {
    let state = PQresultErrorField(result, Int32(UInt8(ascii: "C"))).map { String(cString: $0) }
    let words = PQresultErrorField(result, Int32(UInt8(ascii: "M"))).map { String(cString: $0) }
    let failure = SharedLogError(
      state: state ?? "08006",
      message: words ?? "the connection to the database is lost"
    )
    if failure.outcome == .unknown || failure.reason == .readOnly
      || PQstatus(handle) != CONNECTION_OK
    {
      isBroken = true
    }
    return failure
  }

  private static let hear: PQnoticeReceiver = { context, result in
    guard let context else { return }
    let notices = Unmanaged<Notices>.fromOpaque(context).takeUnretainedValue()
    let state = PQresultErrorField(result, Int32(UInt8(ascii: "C"))).map { String(cString: $0) }
    if state?.hasPrefix("01") == true { notices.hasWarned = true }
    if state?.hasPrefix("57P") == true { notices.isLeaving = true }
  }
}
