import PaletteModel

/// The node ids that a library has had, and the author that each stands for.
///
/// The present id of an author is its last one. When the library takes a new id, those of all other
/// authors are given up with the old one: these files may be older than what others have seen, and
/// no number of any of them may be used twice.
struct Identities {
  /// All ids, in the order in which they were taken.
  private(set) var all: [NodeID] = []
  private var authors: [NodeID: AuthorID] = [:]
  private var present: [AuthorID: NodeID] = [:]
  /// The present id of the library itself.
  private(set) var node = NodeID(0)

  /// Adds an id that was taken after all others.
  mutating func append(_ id: NodeID, of author: AuthorID) {
    if author == .library {
      present = [:]
      node = id
    }
    all.append(id)
    authors[id] = author
    present[author] = id
  }

  /// The author that an id stands for; nil when it is none of this library's.
  func author(of id: NodeID) -> AuthorID? { authors[id] }

  /// The present id of an author; nil where it has to take one.
  func present(of author: AuthorID) -> NodeID? {
    author == .library && !all.isEmpty ? node : present[author]
  }

  /// Whether changes are made under an id now.
  func isPresent(_ id: NodeID) -> Bool { authors[id].map { present[$0] == id } ?? false }
}
