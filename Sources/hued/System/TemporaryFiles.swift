import PalettePlatform
import Synchronization

/// The files to remove when the process is interrupted.
enum TemporaryFiles {
  private static let paths = Mutex<Set<String>>([])

  static func remember(_ path: String) {
    paths.withLock { _ = $0.insert(path) }
  }

  static func forget(_ path: String) {
    paths.withLock { _ = $0.remove(path) }
  }

  static func removeAll() {
    let all = paths.withLock { $0 }
    for path in all { unlink(path) }
  }
}
