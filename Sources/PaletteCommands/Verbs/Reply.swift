internal import PaletteFormats
internal import PaletteModel
package import PaletteStore

/// What a verb answers: a JSON document, or what makes one once it is wanted.
///
/// Whoever watches need not wait for what is written to the one who edits.
package enum Reply {
  /// A document.
  case document([UInt8])
  /// A color as it was when the verb ended, and its index where it is listed.
  case color(ListedColor, index: Int?)

  /// The document.
  package var bytes: [UInt8] {
    switch self {
    case .document(let bytes): return bytes
    case .color(let listed, let index):
      var writer = JSONWriter(capacity: 256)
      writer.record(
        listed.color,
        index: index,
        conflicts: listed.conflicts.map(\.description),
        seen: listed.seen
      )
      return writer.bytes
    }
  }
}
