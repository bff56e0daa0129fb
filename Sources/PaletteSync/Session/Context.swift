import PaletteMerge
import PaletteModel

/// The surroundings of a session while it handles one event.
struct Context<Library: SyncLibrary> {
  /// The terms of the connection.
  var terms: Terms
  /// The library that the session speaks for.
  let library: Library
  /// The node's clock.
  let milliseconds: UInt64
  /// The actions so far.
  var actions = Actions()

  init(_ terms: Terms, _ library: Library, _ milliseconds: UInt64) {
    self.terms = terms
    self.library = library
    self.milliseconds = milliseconds
  }

  var trust: Trust { terms.trust }
  var scope: Scope { terms.scope }

  /// States how far this side is with a palette.
  mutating func sendFrontier(of palette: PaletteID, asks: Bool) throws(Library.Failure) {
    try sendFrontier(of: palette, library.frontier(of: palette), asks: asks)
  }

  /// States how far this side is with a palette, where that was read just now.
  mutating func sendFrontier(
    of palette: PaletteID,
    _ frontier: Frontier,
    asks: Bool
  ) throws(Library.Failure) {
    let digest = try library.digest(of: palette)
    for (part, isLast) in frontier.parts {
      actions.send(.frontier(palette, part, digest, asks: asks, isLast: isLast))
    }
  }
}
