internal import PaletteCommands
internal import PaletteFormats
internal import PaletteModel
internal import PalettePeers
internal import PaletteStore
internal import PaletteSync
internal import WebSocket

extension NodeHandler {
  /// States that a client looks at a palette, and tells who else does.
  func present(
    _ call: RPCCall,
    _ parameters: JSONObject,
    by id: ConnectionID,
    _ member: Member?
  ) throws(RPCError) -> [UInt8] {
    let palette = try watchedPalette(call, parameters).id
    let name: String
    var selection: RecordID?
    do {
      name = try Parameters(.object(parameters)).name("name")
      if let color = parameters["selection"]?.stringValue {
        selection = try store.listedColor(color, in: palette)
      }
    } catch {
      throw RPCError(APIError(any: error))
    }
    sync.core.state(id.rawValue, name: name, at: palette, selection: selection)
    presentClients[id] = AuthorID(member)
    schedulePresence()
    return presenceDocument(of: palette, to: id)
  }

  /// Notes that a client is gone.
  func endPresence(of id: ConnectionID) {
    guard presentClients.removeValue(forKey: id) != nil else { return }
    sync.core.state(id.rawValue, name: "", at: nil)
    schedulePresence()
  }

  /// Tells watchers soon who came or went, and those who did so in a moment at once.
  func schedulePresence() {
    guard !willTellPresence else { return }
    willTellPresence = true
    loop.schedule(after: .milliseconds(100)) { [weak self] in
      self?.willTellPresence = false
      self?.tellPresence()
    }
  }

  /// Tells watchers who looks at their palettes now.
  func tellPresence() {
    for palette in sync.core.presence.takeTouched() {
      let watchers = watches.watchers(of: palette)
      guard !watchers.isEmpty else { continue }
      tell(WatchHub.News("palette.presence", presenceDocument(of: palette), to: watchers))
    }
  }

  /// What the member, or the library, is called whose view this is; nil where it is not known.
  private func author(of who: Presence.Who, in palette: PaletteID) -> String? {
    guard who.node == store.node else { return watches.nameOf(who.node, palette) }
    let author = presentClients[ConnectionID(rawValue: who.session)] ?? .library
    return author == .library ? library.ownName : try? store.authors.name(of: author)
  }

  /// `{"event":"presence","palette":id,"present":[{"who","name","author","selection"}...]}`, and "you" with the "who"
  /// of the client that it answers: names do not tell one view from another.
  private func presenceDocument(of palette: PaletteID, to you: ConnectionID? = nil) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("event", "presence" as String?)
    writer.member("palette", palette.description)
    if let you { writer.member("you", "\(store.node):\(you.rawValue)") }
    writer.key("present")
    writer.beginArray()
    for view in sync.core.presence.views(of: palette) {
      writer.beginObject()
      writer.member("who", "\(view.who.node):\(view.who.session)")
      writer.member("name", view.name)
      writer.member("author", author(of: view.who, in: palette))
      writer.member("selection", view.selection?.description)
      writer.endObject()
    }
    writer.endArray()
    writer.endObject()
    return writer.bytes
  }
}
