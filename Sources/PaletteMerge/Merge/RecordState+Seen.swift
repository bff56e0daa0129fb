public import PaletteModel

extension RecordState {
  /// The live values of the record, as one may name them; nil when there are none.
  public var seen: SeenValues? {
    guard let first = values.first else { return nil }
    var seen = SeenValues(first.dot)
    for index in values.indices.dropFirst() { seen.insert(values[index].dot) }
    return seen
  }

  /// The state without the live values that somebody has not seen; with nil all were seen.
  package func limited(to seen: SeenValues?) -> RecordState {
    guard let seen else { return self }
    return RecordState(values: values.filter { seen.contains($0.dot) })
  }
}
