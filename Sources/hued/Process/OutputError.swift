/// Why the standard output takes no more.
enum OutputError: Error, Equatable {
  /// The reader has seen enough, as `head` does.
  case closedPipe
  case failed(String)
}
