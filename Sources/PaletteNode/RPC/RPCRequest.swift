internal import PaletteCommands
internal import PaletteFormats
internal import PaletteJSON

/// A message of JSON-RPC 2.0 that was read: one call, or a batch of them.
struct RPCRequest {
  /// The most calls that one message may hold.
  static let batchLimit = 64

  /// The entry at one place of a message.
  enum Entry {
    case call(RPCCall)
    /// A call that cannot be read, with the id to answer under; nil when nobody waits.
    case unreadable(id: JSON?, RPCError)

    /// The id to answer under; nil when nobody waits for an answer.
    var id: JSON? {
      switch self {
      case .call(let call): call.id
      case .unreadable(let id, _): id
      }
    }
  }

  /// The calls in order; never empty.
  private(set) var entries: [Entry]
  /// True if the answers are sent as a list.
  let isBatch: Bool

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

  /// True if a part of it can be done before its turn.
  var needsPreparation: Bool {
    entries.contains { entry in
      if case .call(let call) = entry { call.needsPreparation } else { false }
    }
  }

  /// Does what of its calls needs no library, which may take long.
  mutating func prepare() {
    for case (let index, .call(var call)) in entries.enumerated() {
      call.prepare()
      entries[index] = .call(call)
    }
  }

  private init(failure: RPCError) {
    self.init(entries: [.unreadable(id: .null, failure)], isBatch: false)
  }

  private init(entries: [Entry], isBatch: Bool) {
    self.entries = entries
    self.isBatch = isBatch
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
