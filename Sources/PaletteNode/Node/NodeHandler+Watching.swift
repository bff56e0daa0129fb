internal import PaletteCommands
internal import PaletteFormats
internal import PaletteModel
internal import PalettePeers
internal import PaletteStore
internal import WebSocket

extension NodeHandler {
  /// How many bytes may wait for a watcher before it is told less often.
  static let watcherBacklogLimit = 512 << 10

  /// Begins to tell a client about a palette.
  func watch(
    _ call: RPCCall,
    _ parameters: JSONObject,
    by id: ConnectionID
  ) throws(RPCError) -> [UInt8] {
    let palette = try watchedPalette(call, parameters)
    // What happened before belongs to the snapshot, for this client, and to a diff for the others.
    tellWatchers()
    tellPeers()
    do {
      let snapshot = try watches.watch(palette, by: id, in: store)
      if !sync.core.presence.views(of: palette.id).isEmpty {
        sync.core.presence.touch(palette.id)
        schedulePresence()
      }
      scheduleReadingOrder(of: palette.id)
      return snapshot
    } catch {
      throw RPCError(APIError(any: error))
    }
  }

  /// Reads a list's order once the snapshot is on its way: the first edit shall not have to.
  private func scheduleReadingOrder(of palette: PaletteID) {
    loop.schedule(after: .milliseconds(1)) { [weak self] in
      guard let self, !watches.watchers(of: palette).isEmpty else { return }
      do {
        try store.readOrder(of: palette)
      } catch {
        settings.log(NodeLog(.error, .storage, "the order of a list cannot be read: \(error)"))
      }
    }
  }

  /// Ends what `watch` began.
  func unwatch(
    _ call: RPCCall,
    _ parameters: JSONObject,
    by id: ConnectionID
  ) throws(RPCError) -> [UInt8] {
    let palette = try watchedPalette(call, parameters)
    watches.unwatch(palette.id, by: id)
    return JSON.object(["unwatched": .string(palette.id.description)]).bytes
  }

  /// Begins to tell a client which palettes there are.
  func watchLibrary(
    _ call: RPCCall,
    _ parameters: JSONObject,
    by id: ConnectionID,
    within scope: Scope
  ) throws(RPCError) -> [UInt8] {
    guard !call.isInBatch else {
      throw .invalidRequest("'\(call.method)' cannot be part of a batch")
    }
    tellWatchers()
    do {
      let limit = parameters["limit"]?.intValue.map { max(0, $0) }
      return try libraryWatch.watch(by: id, within: scope, limit: limit, store)
    } catch {
      throw RPCError(APIError(any: error))
    }
  }

  func watchedPalette(
    _ call: RPCCall,
    _ parameters: JSONObject
  ) throws(RPCError) -> PaletteSummary {
    guard !call.isInBatch else {
      throw .invalidRequest("'\(call.method)' cannot be part of a batch")
    }
    do {
      return try store.visiblePalette(parameters["palette"]?.stringValue ?? "")
    } catch {
      throw RPCError(APIError(any: error))
    }
  }

  /// Tells everyone soon, whatever the commit came from.
  func scheduleTelling() {
    guard !willTell else { return }
    willTell = true
    loop.schedule(after: .zero) { [weak self] in
      self?.willTell = false
      self?.tellWatchers()
    }
  }

  /// Tells everyone what was committed; those who cannot keep up are told later, all at once.
  func tellWatchers() {
    if let news = watches.takeDraft() { tell(news) }
    tellLibraryWatchers()
    guard watches.hasNews else { return }
    for id in watches.expectant where loop.queuedBytes(of: id) > Self.watcherBacklogLimit {
      metrics.overflows += 1
      watches.delay(id)
      scheduleCatchUp()
    }
    do {
      for news in try store.read({ try watches.flush(store) }) { tell(news) }
    } catch {
      settings.log(NodeLog(.error, .storage, "watchers cannot be told: \(error)"))
    }
  }

  private func tellLibraryWatchers() {
    do {
      for news in try libraryWatch.flush(store) {
        tell(WatchHub.News("library.palettes", news.document, to: news.watchers))
      }
    } catch {
      settings.log(NodeLog(.error, .storage, "watchers cannot be told: \(error)"))
    }
  }

  /// Tells watchers that have room again what they missed, a little later.
  private func scheduleCatchUp() {
    guard !willCatchUp else { return }
    willCatchUp = true
    loop.schedule(after: .milliseconds(200)) { [weak self] in
      guard let self else { return }
      willCatchUp = false
      tellWatchers()
      for id in watches.late {
        if loop.queuedBytes(of: id) < Self.watcherBacklogLimit / 4 { catchUp(id) }
      }
      if !watches.late.isEmpty { scheduleCatchUp() }
    }
  }

  private func catchUp(_ id: ConnectionID) {
    do {
      for news in try watches.catchUp(id) { tell(news) }
    } catch {
      settings.log(NodeLog(.error, .storage, "a watcher cannot be told what it missed: \(error)"))
    }
  }

  func tell(_ news: WatchHub<ConnectionID>.News) {
    metrics.told()
    metrics.sentBytes += news.message.count * news.watchers.count
    for (id, result) in loop.broadcast(news.message, as: .text, to: news.watchers)
    where result == .full {
      metrics.overflows += 1
      loop.close(id, code: .tryAgainLater)
    }
  }

  /// Tells watchers soon where the joined peers stand, if that is another place than before.
  func schedulePeers() {
    guard !willTellPeers else { return }
    willTellPeers = true
    loop.schedule(after: .milliseconds(100)) { [weak self] in
      self?.willTellPeers = false
      self?.tellPeers()
    }
  }

  /// Tells watchers where the joined peers stand, if that is another place than they know of.
  private func tellPeers() {
    let standing = sync.standing
    guard standing != toldStanding else { return }
    toldStanding = standing
    // Whoever may see one palette alone learns nothing of where the rest comes from.
    let watchers = watches.everyone.filter { trusts[$0]?.reads(nil) ?? true }
    guard !watchers.isEmpty else { return }
    do {
      let peers = try sync.peerStates().map { PeerAnswer(state: $0) }
      let event: JSON = ["event": "state", "peers": peers.json]
      tell(WatchHub.News("library.peers", event.bytes, to: watchers))
    } catch {
      settings.log(NodeLog(.error, .storage, "watchers cannot be told of peers: \(error)"))
    }
  }
}
