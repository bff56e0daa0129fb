import PaletteCommands
import Synchronization

/// The user's wish that the work ends, and whether the work looks at that.
///
/// Work that reports its progress ends by itself, undoes what is half done and says what it has done;
/// all other work is ended by force, which the library survives.
enum Interruption {
  private struct State {
    var isRequested = false
    var isLookedAt = false
  }

  private static let state = Mutex(State())

  /// Asks the work to end.
  ///
  /// - Returns: Whether the work has looked for this before, and so will again.
  static func request() -> Bool {
    state.withLock { state in
      state.isRequested = true
      return state.isLookedAt
    }
  }

  /// Ends the work by an error, if that is wanted.
  static func check() throws(APIError) {
    let isRequested = state.withLock { state in
      state.isLookedAt = true
      return state.isRequested
    }
    if isRequested { throw .interrupted }
  }
}
