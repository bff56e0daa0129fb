internal import PalettePlatform

/// The three standard streams of a process.
package enum StandardStreams {
  /// Takes the places of streams that were closed, and has writes that fail say so by their errors.
  package static func prepare() {
    occupyClosed()
    // A reader that has seen enough.
    signal(SIGPIPE, SIG_IGN)
    // A limit to the size of files, which is as a full disk.
    signal(SIGXFSZ, SIG_IGN)
  }

  /// Takes the places of standard streams that were closed.
  ///
  /// Otherwise the next file to be opened, such as a library, would be written to as if it were
  /// the standard output. The null device is opened the wrong way round, so that using it fails.
  private static func occupyClosed() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
      _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }
}
