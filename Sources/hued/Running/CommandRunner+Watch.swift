import PaletteClient
import PaletteCommands
import PaletteFormats

extension CommandRunner {
  /// Shows a palette and everything that happens to it, until it is interrupted.
  func runWatch() throws(APIError) -> Output {
    let follower = PaletteFollower(
      invocation["palette"].stringValue ?? "",
      at: environment.location(home: options.home),
      seenAs: presentation.isTerminal && !options.json ? environment.userName : nil
    )
    var view = WatchView(renderer: TextRenderer(presentation: presentation, invocation: invocation))
    do throws(APIError) {
      try follower.follow {
        guard !options.quiet else { return }
        program.console.note("hued: no node runs, so nothing is synced; following the file\n")
      } event: { event throws(APIError) in
        let isJSON = options.json
        try write(isJSON ? event + [UInt8(ascii: "\n")] : Array(try view.show(event).utf8))
      }
    } catch {
      // Who has seen enough of the output has seen enough.
      guard error == Self.closedPipe else { throw error }
    }
    return Output("")
  }

  private static let closedPipe = APIError(code: "closed-pipe", message: "")

  private func write(_ bytes: [UInt8]) throws(APIError) {
    do throws(OutputError) {
      try program.console.write(bytes)
    } catch {
      switch error {
      case .closedPipe: throw Self.closedPipe
      case .failed(let reason):
        throw APIError(code: "failed", message: "the standard output takes no more: \(reason)")
      }
    }
  }
}
