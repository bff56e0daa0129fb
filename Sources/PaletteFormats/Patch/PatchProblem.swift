/// Why a text cannot be changed so that it says what a palette does and keeps all else.
enum PatchProblem: Error, Hashable {
  /// The entries have no places of their own in the text.
  case form
  /// The keys and their order are those of the program that reads the file.
  case keys
  /// The place of a color cannot hold its value, or its place in the order.
  case color(String)
  /// The place of a color cannot hold its name.
  case name(String)

  /// What people can do about it.
  static let hint =
    "undo that edit of the palette, or change the file by hand; the file is left as it is"

  /// The problem as a sentence.
  var message: String {
    switch self {
    case .form: "the file has no place that fits the change of the palette"
    case .keys:
      "the names in this file and their order are fixed: its colors can be set, not added, removed, renamed or moved"
    case .color(let name):
      "the file has no place for the color '\(name)' where the palette has it"
    case .name(let name): "the file cannot say the name '\(name)' where the color stands"
    }
  }
}
