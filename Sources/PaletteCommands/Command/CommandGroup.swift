/// The headings under which `hued help` and the man page list the commands.
package enum CommandGroup: String, CaseIterable, Sendable {
  case palettes = "Palettes"
  case colors = "Colors"
  case time = "Time and conflicts"
  case files = "Files"
  case facts = "Color facts"
  case node = "Node"
  case sharing = "Sharing"
  case care = "Care"
}
