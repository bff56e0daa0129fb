/// The end of a library that the database had acknowledged and does not have any more, as a hub finds it.
enum LostEnd {
  /// The hub's copy does not continue what the database has: it is kept in a file.
  case kept(file: String)
  /// The hub has given it back.
  case givenBack
  /// Edits that were made here are missing; who has them gives them back.
  case lacking

  /// The notice for those who ask how a library is.
  func words(for title: String) -> String {
    switch self {
    case .kept(let file):
      "the database has lost the end of \(title); what this hub had is in \(file)"
    case .givenBack: "the database had lost the end of \(title); this hub has given it back"
    case .lacking:
      "the database lacked edits of \(title) that were made here; who has them gives them back"
    }
  }
}
