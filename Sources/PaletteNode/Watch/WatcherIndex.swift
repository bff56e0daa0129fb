internal import PaletteModel

/// The palettes that each watcher watches, and those with which it cannot keep up: a watcher that
/// leaves costs no look at all palettes that others watch.
struct WatcherIndex<Watcher: Hashable> {
  private var watched: [Watcher: Set<PaletteID>] = [:]
  private var late: [Watcher: Set<PaletteID>] = [:]
  /// The number of watches there are.
  private(set) var count = 0

  /// Everyone who watches something.
  var everyone: Set<Watcher> { Set(watched.keys) }

  /// Those who cannot keep up with some palette.
  var latecomers: Set<Watcher> { Set(late.keys) }

  /// The palettes of a watcher, in order.
  func palettes(of watcher: Watcher) -> [PaletteID] { (watched[watcher] ?? []).sorted() }

  /// The palettes that a watcher cannot keep up with, in order.
  func latePalettes(of watcher: Watcher) -> [PaletteID] { (late[watcher] ?? []).sorted() }

  /// Notes that a watcher watches a palette, and keeps up with it.
  mutating func add(_ watcher: Watcher, to palette: PaletteID) {
    if watched[watcher, default: []].insert(palette).inserted { count += 1 }
    catchUp(watcher, with: palette)
  }

  /// Notes that a watcher cannot keep up with a palette.
  mutating func delay(_ watcher: Watcher, of palette: PaletteID) {
    late[watcher, default: []].insert(palette)
  }

  /// Notes that a watcher keeps up with a palette again.
  mutating func catchUp(_ watcher: Watcher, with palette: PaletteID) {
    late[watcher]?.remove(palette)
    if late[watcher]?.isEmpty == true { late[watcher] = nil }
  }

  /// Notes that a watcher watches a palette no more.
  mutating func remove(_ watcher: Watcher, from palette: PaletteID) {
    catchUp(watcher, with: palette)
    guard watched[watcher]?.remove(palette) != nil else { return }
    count -= 1
    if watched[watcher]?.isEmpty == true { watched[watcher] = nil }
  }
}
