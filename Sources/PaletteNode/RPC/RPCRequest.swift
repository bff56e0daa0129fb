internal import PaletteFormats

/// A message of JSON-RPC 2.0 that was read: one call, or a batch of them.
struct RPCRequest {
  /// The most calls that one message may hold.
  static let batchLimit = 256

  fileprivate enum Entry {
    case call(RPCCall)
    /// A call that cannot be read, with the id to answer under; nil when nobody waits.
    case unreadable(id: JSON?, RPCError)
  }

  private let entries: [Entry]
  private let isBatch: Bool

  /// Reads a message; one that cannot be read is answered with why.
  init(parsing message: [UInt8]) {
    let value: JSON
    do {
      value = try JSON(parsing: message)
    } catch {
      self.init(failure: .parse("\(error)"))
      return
    }
    guard let calls = value.arrayValue else {
      self.init(entries: [Entry(value, isInBatch: false)], isBatch: false)
      return
    }
    guard (1...Self.batchLimit).contains(calls.count) else {
      let reason = "a batch has 1 to \(Self.batchLimit) calls, this one has \(calls.count)"
      self.init(failure: .invalidRequest(reason))
      return
    }
    self.init(entries: calls.map { Entry($0, isInBatch: true) }, isBatch: true)
  }

  private init(failure: RPCError) {
    self.init(entries: [.unreadable(id: .null, failure)], isBatch: false)
  }

  private init(entries: [Entry], isBatch: Bool) {
    self.entries = entries
    self.isBatch = isBatch
  }

  /// The calls that can be carried out.
  var calls: [RPCCall] {
    entries.compactMap { if case .call(let call) = $0 { call } else { nil } }
  }

  /// How many calls it stands for.
  var count: Int { entries.count }

  /// Answers the calls in order.
  ///
  /// - Parameter answer: Carries out one call; the document of its reply is passed on verbatim.
  /// - Returns: What to send back; nil when nobody waits for anything.
  func respond(_ answer: (RPCCall) throws(RPCError) -> Reply) -> RPCResponse? {
    let outcomes = entries.compactMap { entry -> RPCResponse.Outcome? in
      switch entry {
      case .unreadable(let id, let error): return id.map { ($0, .failure(error)) }
      case .call(let call):
        let outcome: Result<Reply, RPCError>
        do throws(RPCError) {
          outcome = .success(try answer(call))
        } catch {
          outcome = .failure(error)
        }
        return call.id.map { ($0, outcome) }
      }
    }
    return outcomes.isEmpty ? nil : RPCResponse(outcomes: outcomes, isBatch: isBatch)
  }
}

/// What is to be sent back: one answer, or a batch of them.
struct RPCResponse {
  /// The id to answer under, and what is answered.
  typealias Outcome = (id: JSON, result: Result<Reply, RPCError>)

  fileprivate let outcomes: [Outcome]
  fileprivate let isBatch: Bool

  /// The message.
  var bytes: [UInt8] {
    let responses = outcomes.map { RPCResponder.response(to: $0.id, $0.result.map(\.bytes)) }
    guard isBatch else { return responses.first ?? [] }
    return Array("[".utf8) + responses.joined(separator: [UInt8(ascii: ",")]) + Array("]".utf8)
  }
}

extension RPCRequest.Entry {
  fileprivate init(_ value: JSON, isInBatch: Bool) {
    do throws(RPCError) {
      self = .call(try RPCCall(value, isInBatch: isInBatch))
    } catch {
      // Wrong parameters do not make a notification a call; of all else that cannot be read nobody
      // can tell what it was.
      let isNotification = error.code == .invalidParameters && value["id"] == nil
      // A bare nil would be the JSON value null.
      self = .unreadable(id: isNotification ? JSON?.none : RPCCall.id(of: value), error)
    }
  }
}
