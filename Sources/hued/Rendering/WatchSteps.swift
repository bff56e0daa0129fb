import PaletteCommands
import PaletteJSON

/// The events of a palette, as lines for a pipe: the list first, then one for each step.
struct WatchSteps {
  let renderer: TextRenderer

  /// The text that an event leads to.
  func text(_ event: [UInt8]) throws(APIError) -> String {
    let event = Received<RPCEvents.Event>(try JSON(answer: event))
    switch event.event {
    case .snapshot: return renderer.list(event.list)
    case .diff: return steps(of: event.diff)
    case .title, .presence, .peers, nil: return ""
    }
  }

  /// One tab-separated line for each step: what, index (and where from), hex, name, id and author.
  private func steps(of diff: Received<RPCEvents.Diff>) -> String {
    func lines(_ word: String, _ steps: [Received<RPCEvents.Step>]) -> String {
      steps.map { step in
        let numbers = [step.index, step.from].map(renderer.plain)
        let texts = [step.color.hex, step.color.name, step.id, diff.author].map(renderer.plain)
        return renderer.fields([word] + numbers + texts)
      }.joined()
    }
    return lines("delete", diff.deletions) + lines("insert", diff.insertions)
      + lines("move", diff.moves) + lines("update", diff.updates)
  }
}
