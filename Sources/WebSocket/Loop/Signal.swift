import CWebSockets
import Glibc
import Synchronization

/// A flag that is raised once, for any number of threads to wait for.
final class Signal: Sendable {
  private let readEnd: Int32
  /// Nil once the flag is up.
  private let writeEnd: Mutex<Int32?>

  init() {
    var ends: [Int32] = [-1, -1]
    pipe(&ends)
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    readEnd = ends[0]
    writeEnd = Mutex(ends[1])
  }

  deinit {
    raise()
    close(readEnd)
  }

  /// Raises the flag: a pipe whose writer has gone stays readable.
  func raise() {
    writeEnd.withLock { descriptor in
      if let open = descriptor { close(open) }
      descriptor = nil
    }
  }

  /// Waits until the flag is up; it stays up.
  func wait() {
    var request = pollfd(fd: readEnd, events: Int16(POLLIN), revents: 0)
    while poll(&request, 1, -1) < 0, errno == EINTR {}
  }
}
