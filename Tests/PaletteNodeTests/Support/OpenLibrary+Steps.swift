import PaletteCommands
import PaletteJSON

@testable import PaletteNode

/// The answer of a call that was carried out in steps, and the steps before it.
struct SteppedAnswer {
  let answer: JSON
  /// The number of steps.
  let steps: Int
  /// The steps that had work beside the loop.
  let works: Int
  /// Those of them that may take seconds.
  let slowWorks: Int
}

extension OpenLibrary {
  /// Answers a request in as many steps as it takes, as a node does.
  ///
  /// `between` is called after each step with its number.
  func answerInSteps(
    _ request: Request,
    prepared piece: PreparedCall,
    between: (Int) throws -> Void = { _ in }
  ) throws -> SteppedAnswer {
    var (steps, works, slowWorks) = (0, 0, 0)
    while true {
      let answer = try answer(request, prepared: piece)
      guard let unfinished = answer as? Unfinished else {
        return SteppedAnswer(
          answer: try answer.json,
          steps: steps,
          works: works,
          slowWorks: slowWorks
        )
      }
      steps += 1
      if let work = unfinished.work {
        works += 1
        slowWorks += unfinished.isSlow ? 1 : 0
        work()
      }
      try between(steps)
    }
  }
}
