/// The answer to whether the files of a library are the ones that were written last, or a copy of them.
///
/// A copy, a rollback or a restore must not go on numbering changes where the original did, because
/// the original may go on too. So anything but `same` asks for a new node id.
package enum LibraryContinuity: Hashable, Sendable {
  /// The library was never opened before.
  case new
  /// The same files on the same machine, last written by their last opening.
  case same
  /// The files were copied, moved, restored or rolled back.
  case changed(Reason)

  /// The trace that gives a copy away.
  package enum Reason: String, Hashable, Sendable {
    /// The machine id is another.
    case machine
    /// The SQLite file is another file: its inode or its time of birth differs.
    case file
    /// `opened` is missing, or does not belong to this state of the SQLite file.
    case opening
  }
}
