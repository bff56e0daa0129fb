/// One of the two neighbours of a new place.
package enum PlaceNeighbour: Hashable, Sendable {
  /// The one that the new place comes after.
  case after
  /// The one that the new place comes before.
  case before
}
