internal import PaletteCommands
internal import PaletteFormats
internal import PaletteJSON
internal import PaletteMerge
internal import PaletteModel
internal import PalettePeers
internal import PaletteStore
internal import PaletteSync
internal import WebSocket

/// Tells watchers, and the program that the node runs in, who else looks at their palettes.
final class PresenceNews {
  /// A view of the program that the node runs in.
  private struct ProgramView {
    let palette: PaletteID
    let name: String
    /// The other views of the palette that the program knows of.
    var told: [PresentView] = []
    /// The listener that is told of others; nil for none.
    var listener: AsyncStream<[PresentView]>.Continuation?
  }

  /// The numbers of the program's views begin here; the others are those of connections, counted from one.
  private static let firstProgramView: UInt64 = 1 << 62

  private unowned let loop: EventLoop
  private let library: OpenLibrary
  private let core: NodeCore
  private let watching: Watching
  /// Those who said what they look at.
  private var clients: [ConnectionID: (author: AuthorID, member: String?)] = [:]
  private var programViews: [UInt64: ProgramView] = [:]
  private var lastProgramView = PresenceNews.firstProgramView
  /// Called when a viewer came to a palette or left it.
  var onChange: () -> Void = {}
  /// True if watchers are told soon who is there.
  private var willTell = false

  init(_ loop: EventLoop, _ library: OpenLibrary, _ core: NodeCore, _ watching: Watching) {
    self.loop = loop
    self.library = library
    self.core = core
    self.watching = watching
  }

  deinit {
    for view in programViews.values { view.listener?.finish() }
  }

  // MARK: Views of the program

  /// Begins a view of the program that the node runs in.
  ///
  /// - Parameters:
  ///   - palette: The palette in view.
  ///   - name: The name of whoever looks; nil for the library's owner.
  ///   - selection: The selected color.
  /// - Returns: The number of the view, and the other views of the palette.
  func begin(
    _ palette: PaletteID,
    as name: String?,
    selecting selection: RecordID?
  ) -> (view: UInt64, others: [PresentView]) {
    lastProgramView += 1
    let view = lastProgramView
    let name = name ?? library.ownName
    programViews[view] = ProgramView(palette: palette, name: name)
    state(view, name, at: palette, selection)
    let others = others(of: view, at: palette)
    programViews[view]?.told = others
    return (view, others)
  }

  /// Tells others what is selected in a view of the program.
  func select(_ selection: RecordID?, in view: UInt64) {
    guard let known = programViews[view] else { return }
    state(view, known.name, at: known.palette, selection)
  }

  /// Tells a listener of the other views, now and whenever they change; an earlier one is told no more.
  func follow(_ view: UInt64, _ listener: AsyncStream<[PresentView]>.Continuation) {
    guard let known = programViews[view] else { return listener.finish() }
    known.listener?.finish()
    let others = others(of: view, at: known.palette)
    programViews[view]?.listener = listener
    programViews[view]?.told = others
    listener.yield(others)
  }

  /// Ends a view of the program.
  func end(_ view: UInt64) {
    guard let known = programViews.removeValue(forKey: view) else { return }
    known.listener?.finish()
    state(view, "", at: nil)
  }

  private func state(
    _ view: UInt64,
    _ name: String,
    at palette: PaletteID?,
    _ selection: RecordID? = nil
  ) {
    core.state(view, name: name, at: palette, selection: selection)
    schedule()
  }

  private func others(of view: UInt64, at palette: PaletteID) -> [PresentView] {
    let own = Presence.Who(node: library.store.node, session: view)
    return core.presence.shownViews(of: palette).filter { $0.who != own }.map(describe)
  }

  // MARK: Views of clients

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
    clients[id] = (AuthorID(member), member?.uid)
    state(id.rawValue, name, at: palette, selection)
    let followed = following.map { paletteInView(of: $0.who, within: $0.scope) }
    return document(of: palette, to: id, followed: followed)
  }

  /// The palette that a view is of; nil if it is gone, or of a palette beyond a scope.
  private func paletteInView(of who: String, within scope: Scope) -> PaletteID? {
    core.presence.palettesInView.first {
      scope.covers($0.palette) && PresentView.ID(core.shown($0.who)).description == who
    }?.palette
  }

  /// Somebody began to watch a palette, and is told soon who else looks at it.
  func watched(_ palette: PaletteID) {
    guard !core.presence.views(of: palette).isEmpty else { return }
    core.presence.touch(palette)
    schedule()
  }

  /// A client is gone.
  func remove(_ id: ConnectionID) {
    guard clients.removeValue(forKey: id) != nil else { return }
    state(id.rawValue, "", at: nil)
  }

  // MARK: Telling

  /// Tells watchers soon who came or went, and those who did so in a moment at once.
  func schedule() {
    guard !willTell else { return }
    willTell = true
    loop.schedule(after: .milliseconds(100)) { [weak self] in
      self?.willTell = false
      self?.tell()
    }
  }

  /// Tells watchers and the program who looks at their palettes now.
  private func tell() {
    let palettes = core.presence.removeTouched()
    if !palettes.isEmpty { onChange() }
    for palette in palettes {
      let watchers = watching.watchers(of: palette)
      guard !watchers.isEmpty else { continue }
      watching.tell(WatchHub.News("palette.presence", document(of: palette), to: watchers))
    }
    for (view, known) in programViews where palettes.contains(known.palette) {
      guard let listener = known.listener else { continue }
      let others = others(of: view, at: known.palette)
      guard others != known.told else { continue }
      programViews[view]?.told = others
      listener.yield(others)
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

  /// A view as others are told of it.
  private func describe(_ view: Presence) -> PresentView {
    let who = core.shown(view.who)
    return PresentView(
      id: PresentView.ID(who),
      name: view.name,
      author: view.palette.flatMap { author(of: view.who, in: $0) },
      // Whoever looks through this node has no node id before the first edit.
      node: isOwn(view.who) ? library.store.presentNode(of: author(of: view.who)) : who.node,
      member: member(of: view.who),
      selection: view.selection
    )
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
    for view in core.presence.shownViews(of: palette).map(describe) {
      writer.beginObject()
      writer.member("who", view.id.description)
      writer.member("name", view.name)
      writer.member("author", view.author)
      writer.member("node", view.node?.description)
      writer.member("member", view.member)
      writer.member("selection", view.selection?.description)
      writer.endObject()
    }
    writer.endArray()
    writer.endObject()
    return writer.bytes
  }
}
