internal import PaletteCommands
internal import PaletteJSON
internal import PaletteMerge
internal import PaletteModel
internal import PalettePeers
internal import PaletteStore
internal import Synchronization
internal import WebSocket

/// Calls that only read but take long: they are carried out beside the loop, through a connection of their
/// own to the database.
final class SlowCalls {
  private static let progressInterval = Duration.milliseconds(100)

  private unowned let loop: EventLoop
  private let library: OpenLibrary
  private let clients: Clients
  private let calls: Calls
  private let work: SlowWork

  init(
    _ loop: EventLoop,
    _ library: OpenLibrary,
    _ clients: Clients,
    _ calls: Calls,
    _ work: SlowWork
  ) {
    self.loop = loop
    self.library = library
    self.clients = clients
    self.calls = calls
    self.work = work
  }

  /// Returns whether a request is such a call.
  func take(_ pending: PendingRequest) -> Bool {
    guard case .call(let call) = pending.entry, call.onlyReads,
      let method = CommandTable.command(named: call.method)
    else { return false }
    return method.readsLong(call.parameters) { [store = library.store] argument in
      // Who may not read that palette is refused before anything is done.
      try? store.visiblePalette(argument).count
    }
  }

  /// Does a part of another call that takes as long, or has it done now where there is no thread for it.
  func perform(
    _ part: @escaping @Sendable () -> Void,
    for payer: Payer,
    then: @escaping () -> Void
  ) {
    work.perform(for: payer, part) { done in
      if done == nil { part() }
      then()
    }
  }

  /// Carries out such a call, once all that was answered before is durable.
  ///
  /// - Parameters:
  ///   - pending: The request.
  ///   - id: The client.
  ///   - payer: Who asks.
  ///   - then: Gets the result.
  func begin(
    _ pending: PendingRequest,
    from id: ConnectionID,
    _ payer: Payer,
    then: @escaping (Result<any Answer, RPCError>) -> Void
  ) {
    guard case .call(let call) = pending.entry else { return }
    let request: Request
    do throws(RPCError) {
      let (method, parameters) = try calls.admit(call, pending.rights)
      request = Request(method: method.name, parameters: .object(parameters))
    } catch {
      return then(.failure(error))
    }
    let progress = ProgressBeside()
    let access = LibraryBeside(library) { progress.update($0) }
    let author = AuthorID(pending.rights.member)
    if call.wantsProgress, let callID = call.id { tell(progress, callID, to: id) }
    work.perform(for: payer) { () -> Result<any Answer, RPCError> in
      defer { progress.end() }
      do throws(APIError) {
        // What is sent is made here too.
        return .success(ReceivedAnswer(try access.answer(request, by: author).bytes))
      } catch {
        return .failure(RPCError(error))
      }
    } then: { [calls] result in
      // The right may have ended meanwhile.
      do throws(RPCError) {
        _ = try calls.admit(call, pending.rights)
      } catch {
        return then(.failure(error))
      }
      then(result ?? .failure(RPCError(.failed, .noThread)))
    }
  }

  /// Tells a client now and then how far its call is, until that is done or the client has left.
  private func tell(_ state: ProgressBeside, _ call: JSON, to id: ConnectionID) {
    let progress = CallProgress(call, piece: nil) { [clients] in clients.send($0, to: id) }
    func tellSoon() {
      loop.schedule(after: Self.progressInterval) { [clients] in
        guard clients[id] != nil, !state.isOver else { return }
        if let newest = state.remove() { progress.update(newest) }
        tellSoon()
      }
    }
    tellSoon()
  }
}

/// The progress of work beside the loop.
private final class ProgressBeside: Sendable {
  private struct State {
    var newest: Progress?
    var isOver = false
  }

  private let state = Mutex(State())

  var isOver: Bool { state.withLock(\.isOver) }

  func update(_ progress: Progress) { state.withLock { $0.newest = progress } }

  func end() { state.withLock { $0.isOver = true } }

  /// Hands out what is new.
  func remove() -> Progress? {
    state.withLock { state in
      defer { state.newest = nil }
      return state.newest
    }
  }
}

extension APIError {
  fileprivate static let noThread = APIError(
    code: "failed",
    message: "the system has no thread for this",
    hint: "try again later"
  )
}
