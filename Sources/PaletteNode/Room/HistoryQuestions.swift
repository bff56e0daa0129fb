internal import PaletteCommands
internal import PaletteFormats
internal import PaletteJSON
internal import PaletteMerge
internal import PaletteModel
internal import PalettePeers
internal import PaletteStore
internal import WebSocket

/// Questions about the past, which wait until a peer has given what is missing here.
final class HistoryQuestions {
  private let library: OpenLibrary
  private let sync: SyncShell
  private let calls: Calls
  /// Questions of clients, by the palette whose older history was asked for.
  private var questions: [PaletteID: [(client: ConnectionID, pending: PendingRequest)]] = [:]
  /// The callers in this process that wait for a palette's older history.
  private var waiters: [PaletteID: [() -> Void]] = [:]

  private var store: ChangeStore { library.store }

  init(_ library: OpenLibrary, _ sync: SyncShell, _ calls: Calls) {
    self.library = library
    self.sync = sync
    self.calls = calls
  }

  /// Lets a request wait for older history, where it needs some and a peer can be asked.
  ///
  /// - Returns: Whether it waits.
  func holdsBack(_ pending: PendingRequest, from id: ConnectionID) -> Bool {
    guard !pending.hasWaitedForHistory, pending.answers.isLone,
      case .call(let call) = pending.entry,
      let palette = pastPalette(call, of: pending.caller)
    else { return false }
    var pending = pending
    pending.hasWaitedForHistory = true
    do {
      guard try sync.core.fetchHistory(of: palette) else { return false }
    } catch {
      return false
    }
    questions[palette, default: []].append((id, pending))
    return true
  }

  /// The palette of whose past more is asked than is known; nil when what is here will do.
  private func pastPalette(_ call: RPCCall, of caller: Caller) -> PaletteID? {
    guard let past = call.past, let method = try? CommandTable.method(named: call.method),
      let parameters = try? calls.scoped(call.parameters, of: method, to: caller.rights),
      let time = past(Parameters(.object(parameters)), library.now),
      let palette = try? store.visiblePalette(parameters["palette"]?.stringValue ?? "").id,
      let since = try? store.historySince(of: palette), time < since
    else { return nil }
    return palette
  }

  /// Asks a peer for what is missing in a palette's past.
  ///
  /// - Parameters:
  ///   - argument: Names the palette.
  ///   - then: Is called when it has come, or will not come.
  func fetch(of argument: String, then: @escaping () -> Void) {
    guard let palette = try? store.visiblePalette(argument).id else { return then() }
    var isAsked = false
    _ = sync.flush { isAsked = (try? sync.core.fetchHistory(of: palette)) ?? false }
    guard isAsked else { return then() }
    waiters[palette, default: []].append(then)
  }

  /// Old history has come, or will not come: hands out the questions that can be answered now.
  func removeSettled() -> [(client: ConnectionID, pending: PendingRequest)] {
    var settled: [(client: ConnectionID, pending: PendingRequest)] = []
    for palette in sync.core.removeSettledHistory() {
      settled += questions.removeValue(forKey: palette) ?? []
      for waiter in waiters.removeValue(forKey: palette) ?? [] { waiter() }
    }
    return settled
  }
}
