import PaletteMerge
import PaletteModel

/// The parts of a library that the writers of its palettes share.
final class WriterParts {
  let identity: LibraryIdentity
  let clock: StoreClock
  let authors: AuthorNames
  let places: PlaceSource
  let functions: RecordFunctions
  /// The changes that were issued again since the library was opened.
  let reissued = ReissuedDots()
  /// The compactions that are carried out in steps.
  let compactions = PlannedCompactions()
  /// The name that the owner of the library wants to have; empty for none.
  var nameOfOwner: () -> String = { "" }

  init(
    _ identity: LibraryIdentity,
    _ clock: StoreClock,
    _ authors: AuthorNames,
    _ places: PlaceSource,
    _ functions: RecordFunctions
  ) {
    self.identity = identity
    self.clock = clock
    self.authors = authors
    self.places = places
    self.functions = functions
  }

  /// The name by which an author introduces itself; empty for none.
  func name(of author: AuthorID) throws(StoreError) -> String {
    author == .library ? nameOfOwner() : try authors.name(of: author) ?? ""
  }
}

/// The new dots of changes that were issued again: who saw the old one saw that.
final class ReissuedDots {
  private var dots: [PaletteID: [Dot: Dot]] = [:]

  /// The number of changes of a palette that are followed before the next are issued again.
  private static let limit = 100_000

  /// The new dots in a palette, by the old ones.
  subscript(palette: PaletteID) -> [Dot: Dot] { dots[palette] ?? [:] }

  /// Adds changes of a palette that were issued again.
  func insert(_ new: [Dot: Dot], in palette: PaletteID) {
    // A peer may have all issued again several times an hour. Who saw what is followed no more edits
    // beside it, and nothing is lost.
    if self[palette].count > Self.limit { dots[palette] = nil }
    dots[palette, default: [:]].merge(new) { _, new in new }
  }
}

/// The compactions that are planned, as long as their plans hold: until the log of the palette is altered by
/// anything but appends and their own steps.
///
/// They are kept in memory, where those who alter the log end them before they begin: one that is rolled
/// back ends a plan for nothing. A plan is read after its order is given, by whoever sees what was
/// committed then, so that it holds whatever ended no plan.
final class PlannedCompactions {
  private var numbers: [PaletteID: Int] = [:]
  private var last = 0

  /// Begins one; another of the palette ends.
  func begin(_ palette: PaletteID) -> Int {
    last += 1
    numbers[palette] = last
    return last
  }

  /// Returns whether the plan of one may be carried out.
  func holds(_ number: Int?, of palette: PaletteID) -> Bool {
    number != nil && numbers[palette] == number
  }

  /// Ends the one of a palette.
  func end(_ palette: PaletteID) { numbers[palette] = nil }
}
