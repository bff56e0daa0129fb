public import Observation
public import PaletteCommands
internal import PaletteJSON
public import PaletteModel
internal import WebSocket

/// The presence of an app at a palette: who else looks at it, and what is selected there.
///
/// While it lasts, the app is shown to all others who have the palette in view, at this node and at its
/// peers, with the color that is selected in the palette. The others are `Observable`:
///
/// ```swift
/// let presence = try await node.presence(in: palette, as: "Ann")
/// palette.selected = palette.colors[0].id  // others see it
/// for view in presence.others { print(view.name, view.selection as Any) }
/// try await presence.follow()  // until its task is cancelled
/// ```
///
/// As the palette, it belongs to the isolation that made it. It ends with ``end()``, when nobody holds it any
/// more, and with the node.
public final class PalettePresence: Observable {
  private let loop: PresenceLoop
  private let registrar = ObservationRegistrar()
  private let observers = ObserverList<[PresentView]>()
  private var current: [PresentView]
  private var selecting: PaletteObservation?

  fileprivate init(_ loop: PresenceLoop, at palette: Palette, others: [PresentView]) {
    self.loop = loop
    current = others
    selecting = palette.onSelect { _, selection in loop.select(selection) }
  }

  deinit { end() }

  /// The other views of the palette, in the order of names.
  public var others: [PresentView] {
    registrar.access(self, keyPath: \.others)
    return current
  }

  /// Calls a closure with the other views whenever they have changed.
  @discardableResult
  public func onChange(_ body: @escaping ([PresentView]) -> Void) -> PaletteObservation {
    observers.add(body)
  }

  /// Takes in who comes, goes and selects, as it happens, until the task is cancelled or the presence ends.
  ///
  /// One task at a time follows; an earlier one ends.
  nonisolated(nonsending) public func follow() async {
    for await others in loop.others() {
      guard others != current else { continue }
      registrar.willSet(self, keyPath: \.others)
      current = others
      registrar.didSet(self, keyPath: \.others)
      observers.report(others)
    }
  }

  /// Ends the presence: others do not see this app any more.
  public func end() {
    selecting?.cancel()
    selecting = nil
    loop.end()
  }
}

@available(*, unavailable)
extension PalettePresence: Sendable {}

extension Node {
  /// Shows others that a palette is in view in this program, and what is selected in it.
  ///
  /// - Parameters:
  ///   - palette: The palette, of this node's ``log``.
  ///   - name: The name that others see; nil for the one of the library's owner.
  /// - Returns: The presence, which belongs to the caller's isolation.
  /// - Throws: `bad-name` for what can be no name, `failed` when the node has ended.
  nonisolated(nonsending) public func presence(
    in palette: Palette,
    as name: String? = nil
  ) async throws(APIError) -> PalettePresence {
    let (id, selection) = (palette.id, palette.selected)
    let name = try name.map { name throws(APIError) in
      try Parameters(.object(["name": .string(name)])).name("name")
    }
    let (view, others) = try await onLoop { room in
      room.presence.begin(id, as: name, selecting: selection)
    }
    let loop = PresenceLoop(self, view)
    if palette.selected != selection { loop.select(palette.selected) }
    return PalettePresence(loop, at: palette, others: others)
  }
}

/// The way to a view of the program on the thread of a node's loop.
private struct PresenceLoop: Sendable {
  private let thread: LoopThread<NodeProcess>
  private let key: RoomKey
  private let view: UInt64

  init(_ node: Node, _ view: UInt64) {
    thread = node.thread
    key = node.key
    self.view = view
  }

  /// The other views, now and whenever they change; a slow reader gets the newest.
  func others() -> AsyncStream<[PresentView]> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let isAccepted = perform { presence, view in presence.follow(view, continuation) }
      if !isAccepted { continuation.finish() }
    }
  }

  func select(_ selection: RecordID?) {
    perform { presence, view in presence.select(selection, in: view) }
  }

  func end() {
    perform { presence, view in presence.end(view) }
  }

  @discardableResult
  private func perform(_ body: @escaping @Sendable (PresenceNews, UInt64) -> Void) -> Bool {
    thread.perform(isUrgent: true) { [key, view] _, process in
      _ = try? process.use(key) { room in body(room.presence, view) }
    }
  }
}
