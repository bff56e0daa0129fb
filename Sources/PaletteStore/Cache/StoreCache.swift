import PaletteMerge
import PaletteModel

/// The memory of a store: results of reading and writing that are asked for often.
///
/// What an undone transaction may have put here of a palette is forgotten with it.
final class StoreCache {
  private let database: StoreDatabase
  /// The orders of lists that were asked for; nil where none are kept.
  private var orders: RecentCache<PaletteID, ListOrder>?
  /// The rows of palettes; nil where none are kept.
  private(set) var palettes: PaletteCache?
  /// The names of the library's authors that are known to stand in palettes.
  private var introductions: [AuthorClaim: String] = [:]

  init(_ database: StoreDatabase) {
    self.database = database
  }

  /// Keeps rows of palettes and orders of lists from now on.
  func begin(_ memory: StoreMemory) {
    orders = RecentCache(byteLimit: memory.orderBytes)
    palettes = PaletteCache(byteLimit: memory.rowBytes)
  }

  /// Keeps at most this from now on.
  func limit(to memory: StoreMemory) {
    orders?.limit(toBytes: memory.orderBytes)
    palettes?.limit(toBytes: memory.rowBytes)
  }

  /// The order of a list, read where it is not kept yet; nil where no orders are kept.
  func order(of palette: PaletteRow) throws(StoreError) -> ListOrder? {
    guard let orders else { return nil }
    if let order = orders[palette.id] { return order }
    var listed: [(RecordID, Place)] = []
    listed.reserveCapacity(palette.colors)
    let select = try database.box(.places)
    try select.statement.bind(palette.number, at: 1)
    try select.statement.rows { row throws(StoreError) in
      if let place = row.withBytes(1, { Place($0) }) {
        listed.append((try row.recordID(0), place))
      }
    }
    let order = ListOrder(listed)
    orders.insert(order, for: palette.id, bytes: order.byteCount)
    return order
  }

  /// Returns whether the order of a list is kept, and lists a color; nil where it is not kept.
  func lists(_ record: RecordID, in palette: PaletteID) -> Bool? {
    orders?[palette]?.lists(record)
  }

  /// Returns whether the order of a list is kept.
  func hasOrder(of palette: PaletteID) -> Bool { orders?[palette] != nil }

  /// Puts a color where it stands now in an order that is kept; nil where it is not listed.
  func put(_ record: RecordID, at place: Place?, in palette: PaletteID) {
    orders?.update(palette) { order in
      order.put(record, at: place)
      return order.byteCount
    }
  }

  /// Forgets the order of a list.
  func forgetOrder(of palette: PaletteID) { orders?.remove(palette) }

  /// The name by which an author is known to be introduced in a palette.
  func introduction(_ claim: AuthorClaim) -> String? { introductions[claim] }

  /// Keeps the name that an author has in a palette; nil where that is to be looked at again.
  func setIntroduction(_ name: String?, _ claim: AuthorClaim) { introductions[claim] = name }

  /// Forgets what is kept of palettes that a transaction may have altered which was undone.
  func forget(_ palettes: some Sequence<PaletteID>) {
    for palette in palettes {
      orders?.remove(palette)
      self.palettes?.forget(palette)
    }
    introductions = [:]
  }

  /// Forgets all that is kept.
  func forgetAll() {
    orders?.removeAll()
    palettes?.forgetAll()
    introductions = [:]
  }
}

/// The memory that a store may keep for speed.
package struct StoreMemory: Hashable, Sendable {
  /// The pages of the database.
  package var pageBytes = LibraryFolder.cacheKibibytes << 10
  /// The orders of lists: those of two of the longest.
  package var orderBytes = 96 << 20
  /// The rows of palettes: some 20,000 that one author each has written in.
  package var rowBytes = 16 << 20

  /// Creates the memory of a store that is alone in its process.
  package init() {}

  /// The share of one of so many stores.
  package func divided(by count: Int) -> Self {
    var share = self
    share.pageBytes /= count
    share.orderBytes /= count
    share.rowBytes /= count
    return share
  }
}

/// The change in which an author states its name.
struct AuthorClaim: Hashable {
  let palette: PaletteID
  let node: NodeID
}
