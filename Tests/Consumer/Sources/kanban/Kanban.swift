import Foundation
import PaletteCommands
import PaletteModel
import PaletteNode
import PaletteStore

/// A board of colors on the terminal: a column for each palette, and a card for each color.
///
/// `kanban FOLDER [CODE]` shows the cards of all who joined: by the code of another board, or by the one that
/// it prints. Lines such as `add Ideas tomato Ripe` and `move Ripe Done` come from its input.
@MainActor
@main
struct Kanban {
  private let log: ChangeLog
  private let library: Library

  static func main() async throws {
    var settings = NodeSettings()
    settings.listen = try ListenAddress("127.0.0.1:0")
    let node = try await Node.start(in: CommandLine.arguments[1], settings: settings)
    let code = CommandLine.arguments.dropFirst(2).first
    let title = if let code { try await node.join(code).url } else { try await node.share().code }
    let log = try await node.log
    try await Kanban(log: log, library: try await log.library()).run(title)
    await node.end()
  }

  private func run(_ title: String) async throws {
    let (changes, continuation) = AsyncStream<Void>.makeStream()
    continuation.yield()
    library.onChange { _ in continuation.yield() }
    Task { try await library.follow() }
    Task { for await _ in changes { try await draw(title) } }
    while let line = await nextLine() { try await perform(line.split(separator: " ")) }
  }

  private func perform(_ words: [Substring]) async throws {
    if words.first == "add", words.count == 4, let color = try? Color(css: words[2]) {
      try await add(NamedColor(name: String(words[3]), color: color), to: words[1])
    } else if words.first == "move", words.count == 3 {
      for palette in library.palettes {
        let column = try await log.palette(palette.id)
        guard let card = column.colors.first(where: { $0.name == words[1] }) else { continue }
        try await add(NamedColor(name: card.name, color: card.color), to: words[2])
        try column.delete([card.id])
        return try await column.flush()
      }
    }
  }

  private func add(_ card: NamedColor, to name: Substring) async throws {
    let known = library.palettes.first { $0.name == name }?.id
    let id = if let known { known } else { try await library.makePalette(named: "\(name)") }
    let column = try await log.palette(id)
    column.colors.append(card)
    try await column.flush()
  }

  private func draw(_ title: String) async throws {
    var screen = "\u{1B}[2J\u{1B}[H\(title)"
    for (column, palette) in library.palettes.enumerated() {
      screen += "\u{1B}[3;\(column * 20 + 1)H\(palette.name.uppercased())"
      for (row, card) in try await log.palette(palette.id).colors.enumerated() {
        let (red, green, blue) = card.color.rgb
        let swatch = "\u{1B}[48;2;\(Int(red));\(Int(green));\(Int(blue))m  \u{1B}[0m"
        screen += "\u{1B}[\(row + 4);\(column * 20 + 1)H\(swatch) \(card.name)"
      }
    }
    print(screen)
  }
}

/// Waits for a line of the standard input, on a thread of its own.
private func nextLine() async -> String? {
  await withCheckedContinuation { line in
    Thread.detachNewThread { line.resume(returning: readLine()) }
  }
}
