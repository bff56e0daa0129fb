internal import PaletteCommands
internal import PaletteJSON
internal import PaletteMerge
internal import PaletteModel
internal import PaletteStore

/// Those who want to know which palettes there are.
struct LibraryWatch<Watcher: Hashable> {
  /// A change of the list of palettes, with those who are to hear of it.
  struct News {
    let document: [UInt8]
    let watchers: Set<Watcher>
  }

  /// What a watcher knows: those palettes of its scope that stand up to the last one that was listed.
  private struct View: Hashable {
    let scope: Scope
    let order: ListOrder
    /// The last palette of what was listed, where there are more; edits bring every palette to the front of
    /// their order.
    let last: PaletteKey?

    /// The same for all who are told the same of names and existence.
    var audience: View { View(scope: scope, order: order, last: nil) }

    func holds(_ palette: PaletteSummary) -> Bool {
      scope.covers(palette.id) && last.map { PaletteKey(palette) <= $0 } ?? true
    }
  }

  /// The order of a list of palettes.
  enum ListOrder: String {
    case name
    case edited

    /// The palettes as those are told of them who have this order.
    func answers(_ palettes: [PaletteSummary], _ store: ChangeStore) throws -> JSON {
      try palettes.map { palette in
        let edited = self == .edited ? try store.editedMilliseconds(of: palette.id) : nil
        return PaletteAnswer(palette, editedMilliseconds: edited)
      }.json
    }
  }

  /// Where a palette stands in the list.
  private struct PaletteKey: Hashable, Comparable {
    let name: [UInt8]
    let id: PaletteID

    init(_ palette: PaletteSummary) {
      name = Array(palette.name.utf8)
      id = palette.id
    }

    static func < (left: Self, right: Self) -> Bool {
      left.name == right.name ? left.id < right.id : left.name.lexicographicallyPrecedes(right.name)
    }
  }

  /// Each watcher, with what it knows.
  private var watchers: [Watcher: View] = [:]
  /// The palettes that watchers know, with their names.
  private var known: [PaletteID: String] = [:]
  /// The palettes that may have been made, renamed, dropped or brought back since.
  private var touched: Set<PaletteID> = []

  /// The palettes that were edited since counts were told last.
  private var edited: Set<PaletteID> = []

  /// Whether palettes were edited since counts were told last.
  var hasEdited: Bool { !edited.isEmpty }

  /// True if watchers may have to be told something.
  var hasNews: Bool { !touched.isEmpty }

  /// A commit was made, which may have made, renamed, dropped or brought back a palette.
  mutating func committed(_ changes: CommittedChanges) {
    guard !watchers.isEmpty else { return }
    edited.insert(changes.palette)
    if changes.isRebuilt || changes.records.contains(changes.palette.record)
      || known[changes.palette] == nil
    {
      touched.insert(changes.palette)
    }
  }

  /// Adds a watcher, which is told of every palette that it may know of, or lists more to one that watches.
  ///
  /// - Parameters:
  ///   - watcher: The watcher.
  ///   - scope: What it may know of.
  ///   - limit: How many palettes are listed at most.
  ///   - last: The last palette of what was listed before, which the watcher goes on knowing; nil to begin.
  ///   - order: The order of the list.
  ///   - store: The library.
  /// - Throws: Why the library cannot be read.
  /// - Returns: Those palettes, or the first of them, as `palettes` lists them.
  mutating func watch(
    by watcher: Watcher,
    within scope: Scope,
    limit: Int?,
    after last: PaletteID?,
    order: ListOrder,
    _ store: ChangeStore
  ) throws -> [UInt8] {
    if watchers.isEmpty {
      // What is told later is found by comparing with these, which are read once for all watchers.
      for palette in try store.visiblePalettes() { known[palette.id] = palette.name }
    }
    let limit = limit ?? .max
    switch order {
    case .name:
      let page = try store.palettePage(after: last, limit: limit) { scope.covers($0.id) }
      let listed = page ?? PalettePage()
      let end = listed.hasMore ? listed.palettes.last.map { PaletteKey($0) } : nil
      watchers[watcher] = View(scope: scope, order: order, last: end)
      return Self.document(listed.palettes.map { PaletteAnswer($0) }.json, hasMore: listed.hasMore)
    case .edited:
      let page = try store.palettePageByEdit(after: last, limit: limit) { scope.covers($0.id) }
      watchers[watcher] = View(scope: scope, order: order, last: nil)
      let answers = page?.palettes.map {
        PaletteAnswer($0.palette, editedMilliseconds: $0.milliseconds)
      }
      return Self.document((answers ?? []).json, hasMore: page?.hasMore ?? false)
    }
  }

  /// Removes a watcher.
  mutating func remove(_ watcher: Watcher) {
    watchers[watcher] = nil
    guard watchers.isEmpty else { return }
    known = [:]
    touched = []
    edited = []
  }

  /// Computes the news for watchers; they hear of names and existence, not of colors.
  mutating func flush(_ store: ChangeStore) throws -> [News] {
    guard hasNews else { return [] }
    var (changed, removed): ([PaletteSummary], [PaletteID]) = ([], [])
    var added: Set<PaletteID> = []
    let now = try touched.sorted().map { (palette: $0, summary: try store.summary(of: $0)) }
    touched = []
    for (palette, summary) in now {
      if let summary, !summary.isDropped {
        let old = known[palette]
        if old == nil { added.insert(palette) }
        if old.map({ !$0.hasSameBytes(as: summary.name) }) ?? true { changed.append(summary) }
        known[palette] = summary.name
      } else if known.removeValue(forKey: palette) != nil {
        removed.append(palette)
      }
    }
    guard !changed.isEmpty || !removed.isEmpty else { return [] }
    let audiences = Dictionary(grouping: watchers, by: \.value.audience)
    return try audiences.compactMap { audience, entries in
      let (scope, order) = (audience.scope, audience.order)
      let (changed, removed) = (changed.within(scope), removed.filter(scope.covers))
      guard !changed.isEmpty || !removed.isEmpty else { return nil }
      let difference: JSON = [
        "event": "palettes",
        "added": try order.answers(changed.filter { added.contains($0.id) }, store),
        "removed": removed.map(\.description).json,
        "changed": try order.answers(changed.filter { !added.contains($0.id) }, store),
      ]
      return News(document: difference.bytes, watchers: Set(entries.map(\.key)))
    }
  }

  /// How many colors the palettes have that were edited, for those who had them listed.
  mutating func flushEdited(_ store: ChangeStore) throws -> [News] {
    let now = try edited.sorted().compactMap { try store.summary(of: $0) }.filter { !$0.isDropped }
    edited = []
    return try Dictionary(grouping: watchers, by: \.value).compactMap { view, entries in
      let changed = now.filter(view.holds)
      guard !changed.isEmpty else { return nil }
      let difference: JSON = [
        "event": "palettes", "added": [], "removed": [],
        "changed": try view.order.answers(changed, store),
      ]
      return News(document: difference.bytes, watchers: Set(entries.map(\.key)))
    }
  }

  private static func document(_ palettes: JSON, hasMore: Bool) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("event", "palettes" as String?)
    writer.key("palettes")
    writer.value(palettes)
    if hasMore { writer.member("more", true) }
    writer.endObject()
    return writer.bytes
  }
}

extension [PaletteSummary] {
  fileprivate func within(_ scope: Scope) -> [PaletteSummary] {
    scope == .library ? self : filter { scope.covers($0.id) }
  }
}
