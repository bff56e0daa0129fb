import PaletteModel
import PaletteStore

/// Keeps a palette in the folder that is named, and prints what is in it.
@main
enum Consumer {
  static func main() async throws {
    let log = try await ChangeLog(writing: LibraryFolder(CommandLine.arguments[1]))
    let id = try await log.run { try $0.makePalette(named: "Brand") }
    let palette = try await log.palette(id)
    palette.colors = [NamedColor(name: "Ripe", color: try Color("tomato"))]
    try await palette.flush()
    for color in palette.colors { print(color.color.hex, color.name) }
  }
}
