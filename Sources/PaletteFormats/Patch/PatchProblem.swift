/// Why a text cannot be changed so that it says what a palette does and keeps all else.
enum PatchProblem: Error, Hashable {
  /// The entries have no places of their own in the text.
  case form
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
    case .color(let name):
      "the file has no place for the color '\(name)' where the palette has it"
    case .name(let name): "the file cannot say the name '\(name)' where the color stands"
    }
  }
}
