import PaletteCommands
import PaletteJSON

/// An event for an editor.
enum EditorEvent {
  case input(TerminalInput)
  case resize(rows: Int, columns: Int)
  /// An event of the palette, as `watch` has it.
  case palette(JSON)
  /// No node runs.
  case unsynced
  /// A command has been carried out.
  case answered(Command, JSON)
  /// A command was refused, or failed.
  case failed(APIError)
}

/// An action that an editor wants.
enum EditorAction: Equatable {
  case call(Command, JSON)
  case copy(String)
  case beep
  case quit
}

/// The mode that receives the keys of an editor.
enum EditorMode: Equatable {
  case browsing
  case recoloring(SliderGesture)
  case typing(EditorField)
  case conflict(EditorConflict)
  case removing([String])
  case help
}

/// A text that is being typed.
struct EditorField: Equatable {
  /// The purpose of the text.
  enum Purpose: String {
    case name = "Name"
    case note = "Note"
    case value = "Color"
    case new = "New color, and a name behind it"
    case search = "Search"
  }

  let purpose: Purpose
  /// The color that it is about; nil for none.
  var id: String?
  /// Names the values that the color had when typing began.
  var seen: String?
  var text = ""
}

/// The values that were written at the same time.
struct EditorConflict: Equatable {
  let seen: String?
  let conflict: Received<ConflictAnswer>
}
