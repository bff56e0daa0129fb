public import Observation
internal import PaletteMerge
public import PaletteModel

/// The palettes of a log, as a list that any number of views observe.
///
/// Palettes appear, go, are renamed and edited, here or by a peer, and each change is reported once.
/// The properties are `Observable`, and ``onChange(_:)`` calls closures:
///
/// ```swift
/// let library = try await log.library()
/// library.onChange { change in print(change) }
/// let brand = try await library.makePalette(named: "Brand")
/// try await library.follow()  // until its task is cancelled
/// ```
///
/// As a ``PaletteModel/Palette``, a library belongs to the isolation that made it, such as the main
/// actor of an app. A palette is renamed and edited through itself: see ``ChangeLog/palette(_:)``.
public final class Library: Observable {
  private let log: ChangeLog
  private let registrar = ObservationRegistrar()
  private let observers = ObserverList<LibraryChange>()
  /// The palettes in the order of lists.
  private var list: [PaletteSummary] = []
  private var known: [PaletteID: PaletteSummary] = [:]
  /// The turn at which all palettes were read, and those at which single ones were read later.
  private var listedAt = 0
  private var readAt: [PaletteID: Int] = [:]

  fileprivate init(of log: ChangeLog) {
    self.log = log
  }

  /// The palettes that are there, by name and then by id; those that were dropped are not.
  public var palettes: [PaletteSummary] {
    registrar.access(self, keyPath: \.palettes)
    return list
  }

  /// The number of palettes there are.
  public var count: Int {
    registrar.access(self, keyPath: \.count)
    return list.count
  }

  /// A palette of the list; nil where there is none.
  public subscript(id: PaletteID) -> PaletteSummary? {
    registrar.access(self, keyPath: \.palettes)
    return known[id]
  }

  /// Calls a closure after every change of the list.
  @discardableResult
  public func onChange(_ body: @escaping (LibraryChange) -> Void) -> PaletteObservation {
    observers.add(body)
  }

  /// Makes an empty palette.
  ///
  /// - Parameter name: The name, at most 1 KiB and without control characters; others may have it.
  /// - Returns: The palette's id.
  /// - Throws: `StoreError` when the log cannot be written.
  @discardableResult
  nonisolated(nonsending) public func makePalette(named name: String) async throws -> PaletteID {
    let (made, turn) = try await log.turn { store in
      let id = try store.makePalette(named: name)
      return (id: id, summary: try store.summary(of: id))
    }
    update(made.id, to: made.summary, at: turn)
    return made.id
  }

  /// Drops a palette with all its colors; ``restore(_:)`` brings it back.
  ///
  /// - Parameter id: The palette. One that is not there stays so.
  /// - Throws: `StoreError` when the log cannot be written.
  nonisolated(nonsending) public func drop(_ id: PaletteID) async throws {
    try await edit(id) { summary in summary.isDropped ? nil : .drop(id) }
  }

  /// Brings back a palette that was dropped.
  ///
  /// - Parameter id: The palette. One that was not dropped stays as it is.
  /// - Throws: `StoreError` when the log cannot be written.
  nonisolated(nonsending) public func restore(_ id: PaletteID) async throws {
    try await edit(id) { summary in
      summary.isDropped ? .restore(id.record, [.name: RegisterValue(text: summary.name)]) : nil
    }
  }

  /// The palettes that were dropped and can be restored, by name and then by id.
  nonisolated(nonsending) public func dropped() async throws -> [PaletteSummary] {
    try await log.run { try $0.palettePage(.dropped)?.palettes ?? [] }
  }

  /// Takes in what was written to the log since.
  ///
  /// - Throws: `StoreError` when the log cannot be read.
  nonisolated(nonsending) public func refresh() async throws {
    let (palettes, turn) = try await log.turn { try $0.palettePage()?.palettes ?? [] }
    var gone = Set(known.keys)
    for palette in palettes {
      gone.remove(palette.id)
      update(palette.id, to: palette, at: turn)
    }
    for id in gone { update(id, to: nil, at: turn) }
    listedAt = max(listedAt, turn)
    readAt = readAt.filter { $0.value > listedAt }
  }

  /// Takes in what is written to the log, as it happens, until the task is cancelled.
  ///
  /// - Throws: `StoreError` when the log cannot be read.
  nonisolated(nonsending) public func follow() async throws {
    let commits = await log.commits()
    try await refresh()
    for await id in commits {
      let (summary, turn) = try await log.turn { try $0.summary(of: id) }
      update(id, to: summary, at: turn)
    }
  }

  /// Reads all palettes: they were there before anyone observed them.
  nonisolated(nonsending) fileprivate func load() async throws {
    (list, listedAt) = try await log.turn { try $0.palettePage()?.palettes ?? [] }
    for palette in list { known[palette.id] = palette }
  }

  nonisolated(nonsending) private func edit(
    _ id: PaletteID,
    _ makeEdit: @escaping @Sendable (PaletteSummary) -> Edit?
  ) async throws {
    let (summary, turn) = try await log.turn { store in
      if let summary = try store.summary(of: id), let edit = makeEdit(summary) {
        try store.write { transaction throws(StoreError) in
          _ = try transaction.palette(id)?.author(edit)
        }
      }
      return try store.summary(of: id)
    }
    update(id, to: summary, at: turn)
  }

  /// Takes in what a palette was at a turn, unless it was read at a later one.
  private func update(_ id: PaletteID, to summary: PaletteSummary?, at turn: Int) {
    guard turn > readAt[id] ?? listedAt else { return }
    readAt[id] = turn
    switch (known[id], summary.flatMap { $0.isDropped ? nil : $0 }) {
    case (nil, nil): break
    case (nil, let new?):
      let index = position(of: new)
      known[id] = new
      change(changesCount: true) { list.insert(new, at: index) }
      observers.report(.appeared(new, at: index))
    case (let old?, nil):
      let index = position(of: old)
      known[id] = nil
      change(changesCount: true) { list.remove(at: index) }
      observers.report(.went(old, at: index))
    case (let old?, let new?):
      // The digest is over the name, byte for byte, and all else.
      guard old != new else { return }
      let from = position(of: old)
      var to = from
      known[id] = new
      change(changesCount: false) {
        list.remove(at: from)
        to = position(of: new)
        list.insert(new, at: to)
      }
      observers.report(.changed(new, was: old, from: from, to: to))
    }
  }

  /// Changes the list, and tells `Observable` observers of it.
  private func change(changesCount: Bool, _ body: () -> Void) {
    registrar.willSet(self, keyPath: \.palettes)
    if changesCount { registrar.willSet(self, keyPath: \.count) }
    body()
    if changesCount { registrar.didSet(self, keyPath: \.count) }
    registrar.didSet(self, keyPath: \.palettes)
  }

  /// The position of a palette in the list, or the one where it belongs.
  private func position(of palette: PaletteSummary) -> Int {
    var range = list.startIndex..<list.endIndex
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      if list[middle].precedes(palette) {
        range = middle + 1..<range.upperBound
      } else {
        range = range.lowerBound..<middle
      }
    }
    return range.lowerBound
  }
}

@available(*, unavailable)
extension Library: Sendable {}

/// One change of the list of palettes, with the positions in it before and after.
public enum LibraryChange: Hashable, Sendable {
  /// A palette is new here, or was brought back.
  case appeared(PaletteSummary, at: Int)
  /// A palette was dropped; the position is the one that it had.
  case went(PaletteSummary, at: Int)
  /// A palette has another name, another number of colors or other content than it had.
  case changed(PaletteSummary, was: PaletteSummary, from: Int, to: Int)
}

extension ChangeLog {
  /// Loads the list of palettes.
  ///
  /// - Returns: The list, which belongs to the caller's isolation.
  /// - Throws: `StoreError` when the log cannot be read.
  nonisolated(nonsending) public func library() async throws -> Library {
    let library = Library(of: self)
    try await library.load()
    return library
  }
}

extension PaletteSummary {
  /// Returns whether it stands before another in lists: by the bytes of its name, and then by its id.
  fileprivate func precedes(_ other: Self) -> Bool {
    if name.hasSameBytes(as: other.name) { return id < other.id }
    return name.utf8.lexicographicallyPrecedes(other.name.utf8)
  }
}
