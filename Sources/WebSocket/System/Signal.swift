import CWebSockets
import PalettePlatform
import Synchronization

/// A flag that is raised once, for any number of threads to wait for.
package final class Signal: Sendable {
  private let readEnd: Int32
  /// Nil once the flag is up.
  private let writeEnd: Mutex<Int32?>

  /// Creates a flag that is down, unless the process has no descriptors left.
  package init?() {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    readEnd = ends[0]
    writeEnd = Mutex(ends[1])
  }

  deinit {
    raise()
    close(readEnd)
  }

  /// Raises the flag: a pipe whose writer has gone is at its end, for every reader.
  package func raise() {
    writeEnd.withLock { descriptor in
      if let open = descriptor { close(open) }
      descriptor = nil
    }
  }

  /// Waits until the flag is up; it stays up.
  package func wait() {
    var byte: UInt8 = 0
    while read(readEnd, &byte, 1) < 0, errno == EINTR {}
  }
}
