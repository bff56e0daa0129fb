internal import PaletteCommands
internal import PaletteFormats
internal import PaletteJSON
internal import PaletteMerge
internal import PaletteModel
internal import PalettePeers
internal import PaletteStore
internal import PaletteSync
internal import WebSocket

/// Tells watchers who else looks at their palettes.
final class PresenceNews {
  private unowned let loop: EventLoop
  private let library: OpenLibrary
  private let core: NodeCore
  private let watching: Watching
  /// Those who said what they look at.
  private var clients: [ConnectionID: (author: AuthorID, member: String?)] = [:]
  /// True if watchers are told soon who is there.
  private var willTell = false

  init(_ loop: EventLoop, _ library: OpenLibrary, _ core: NodeCore, _ watching: Watching) {
    self.loop = loop
    self.library = library
    self.core = core
    self.watching = watching
  }

  /// States that a client looks at a palette, and tells who else does.
  ///
  /// Whoever follows a view, and may know of the palettes within a scope, is told which one it is of.
  func state(
    _ name: String,
    at palette: PaletteID,
    selection: RecordID?,
    by id: ConnectionID,
    _ member: Member?,
    following: (who: String, scope: Scope)?
  ) -> [UInt8] {
    core.state(id.rawValue, name: name, at: palette, selection: selection)
    clients[id] = (AuthorID(member), member?.uid)
    schedule()
    let followed = following.map { paletteInView(of: $0.who, within: $0.scope) }
    return document(of: palette, to: id, followed: followed)
  }

  /// The palette that a view is of; nil if it is gone, or of a palette beyond a scope.
  private func paletteInView(of who: String, within scope: Scope) -> PaletteID? {
    core.presence.palettesInView.first {
      scope.covers($0.palette) && Self.text(core.shown($0.who)) == who
    }?.palette
  }

  private static func text(_ who: Presence.Who) -> String { "\(who.node):\(who.session)" }

  /// Somebody began to watch a palette, and is told soon who else looks at it.
  func watched(_ palette: PaletteID) {
    guard !core.presence.views(of: palette).isEmpty else { return }
    core.presence.touch(palette)
    schedule()
  }

  /// A client is gone.
  func remove(_ id: ConnectionID) {
    guard clients.removeValue(forKey: id) != nil else { return }
    core.state(id.rawValue, name: "", at: nil)
    schedule()
  }

  /// Tells watchers soon who came or went, and those who did so in a moment at once.
  func schedule() {
    guard !willTell else { return }
    willTell = true
    loop.schedule(after: .milliseconds(100)) { [weak self] in
      self?.willTell = false
      self?.tell()
    }
  }

  /// Tells watchers who looks at their palettes now.
  private func tell() {
    for palette in core.presence.removeTouched() {
      let watchers = watching.watchers(of: palette)
      guard !watchers.isEmpty else { continue }
      watching.tell(WatchHub.News("palette.presence", document(of: palette), to: watchers))
    }
  }

  /// The name of the member who edits under a node id and looks at the palette; nil if no such view
  /// is known.
  func visitor(_ node: NodeID, at palette: PaletteID) -> String? {
    guard let author = library.store.author(of: node), author != .library else { return nil }
    let sessions = clients.filter { $0.value.author == author }.map(\.key.rawValue)
    guard !sessions.isEmpty else { return nil }
    return core.presence.views(of: palette).first {
      $0.who.node == library.store.node && sessions.contains($0.who.session)
    }?.name
  }

  /// The node id under which somebody edits who looks at a palette through this node; nil before the
  /// first edit.
  private func node(of who: Presence.Who) -> String? {
    library.store.presentNode(of: author(of: who)).map { "\($0)" }
  }

  /// The name of the member, or the library, to whom this view belongs; nil if it is not known.
  private func author(of who: Presence.Who, in palette: PaletteID) -> String? {
    guard isOwn(who) else { return watching.name(of: who.node, in: palette) }
    let author = author(of: who)
    return author == .library ? library.ownName : try? library.store.authors.name(of: author)
  }

  /// The member whose view through this node it is, as lists of those with access call it.
  private func member(of who: Presence.Who) -> String? {
    isOwn(who) ? clients[ConnectionID(rawValue: who.session)]?.member : nil
  }

  /// Returns whether a view is one through this node.
  private func isOwn(_ who: Presence.Who) -> Bool { who.node == library.store.node }

  /// The author of what is done in a view through this node.
  private func author(of who: Presence.Who) -> AuthorID {
    clients[ConnectionID(rawValue: who.session)]?.author ?? .library
  }

  /// The answer to a client, or the news for all who watch.
  ///
  /// `{"event":"presence","palette":id,"present":[{"who","name","author","node","member","selection"}...]}`, and "you" with
  /// the "who" of the client that it answers: names do not tell one view from another. "member" is the same at each visit, also
  /// before the first edit gives it a node. Whoever follows a view reads in "followed" where it is.
  private func document(
    of palette: PaletteID,
    to you: ConnectionID? = nil,
    followed: PaletteID?? = nil
  ) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("event", "presence" as String?)
    writer.member("palette", palette.description)
    if let you { writer.member("you", "\(library.store.node):\(you.rawValue)") }
    if let followed { writer.member("followed", followed?.description) }
    writer.key("present")
    writer.beginArray()
    for view in core.presence.shownViews(of: palette) {
      let who = core.shown(view.who)
      writer.beginObject()
      writer.member("who", Self.text(who))
      writer.member("name", view.name)
      writer.member("author", author(of: view.who, in: palette))
      writer.member("node", isOwn(view.who) ? node(of: view.who) : "\(who.node)")
      writer.member("member", member(of: view.who))
      writer.member("selection", view.selection?.description)
      writer.endObject()
    }
    writer.endArray()
    writer.endObject()
    return writer.bytes
  }
}
