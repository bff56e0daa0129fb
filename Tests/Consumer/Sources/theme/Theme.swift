import Foundation
import PaletteCommands
import PaletteFormats
import PaletteModel
import PaletteNode
import PaletteStore

/// Keeps a stylesheet the same as a palette, whoever edits that and wherever.
///
/// `theme FOLDER FILE.css [CODE]` joins others by their code, and reads the name of a theme from each line
/// of its input: the palette of that name is in the stylesheet from then on.
@MainActor
@main
struct Theme {
  private let file: URL
  private let css = try? FormatRegistry.standard.format(named: "css")

  static func main() async throws {
    let arguments = CommandLine.arguments
    var settings = NodeSettings()
    settings.listen = try ListenAddress("127.0.0.1:0")
    let node = try await Node.start(in: arguments[1], settings: settings)
    if arguments.count > 3 { try await node.join(arguments[3]) }
    let theme = Theme(file: URL(filePath: arguments[2]))
    try await theme.run(try await node.log)
    await node.end()
  }

  private func run(_ log: ChangeLog) async throws {
    let library = try await log.library()
    show(library)
    library.onChange { _ in show(library) }
    Task { try await library.follow() }
    var following: Task<Void, any Error>?
    while let name = await nextLine() {
      guard let theme = library.palettes.first(where: { $0.name == name }) else {
        print("There is no theme '\(name)'.")
        continue
      }
      // What nobody follows any more is written no more.
      following?.cancel()
      let palette = try await log.palette(theme.id)
      write(palette)
      palette.onChange { [unowned palette] _ in write(palette) }
      following = Task { try await palette.follow() }
    }
  }

  private func show(_ library: Library) {
    print("Themes:", library.palettes.map { "\($0.name) (\($0.count))" }.joined(separator: ", "))
  }

  private func write(_ palette: Palette) {
    let sheet = PaletteSheet(id: palette.id, name: palette.name, colors: palette.colors)
    do {
      guard let bytes = try css?.write(sheet) else { return }
      try Data(bytes).write(to: file, options: .atomic)
      print("\(palette.name): \(palette.count) colors in \(file.lastPathComponent)")
    } catch {
      print("\(file.path) cannot be written: \(error)")
    }
  }
}

/// Waits for a line of the standard input, on a thread of its own.
private func nextLine() async -> String? {
  await withCheckedContinuation { line in
    Thread.detachNewThread { line.resume(returning: readLine()) }
  }
}
