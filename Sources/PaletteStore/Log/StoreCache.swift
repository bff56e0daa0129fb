internal import PaletteMerge
public import PaletteModel

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

  /// As much memory as orders of lists may take together: that of two of the longest.
  private static let orderBytes = 96 << 20

  init(_ database: StoreDatabase) {
    self.database = database
  }

  /// Keeps rows of palettes and orders of lists from now on.
  func begin() {
    orders = RecentCache(byteLimit: Self.orderBytes)
    palettes = PaletteCache()
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

/// The change in which an author states its name.
struct AuthorClaim: Hashable {
  let palette: PaletteID
  let node: NodeID
}

extension ChangeStore {
  /// Keeps what edits ask for again and again in memory from now on, once it is asked for: the order
  /// of lists, and the rows of palettes.
  ///
  /// It pays for whoever asks often; a command that asks once counts. Only for who writes the library.
  public func keepState() {
    precondition(isWritable, "who only reads learns nothing of what others write")
    cache.begin()
  }

  /// Reads the order of a list, where orders are kept, for the edits to come.
  public func readOrder(of id: PaletteID) throws(StoreError) {
    if let palette = try paletteRow(id) { _ = try cache.order(of: palette) }
  }
}
