/// The contents of a palette file.
public struct FileContents: Hashable, Sendable {
  /// The title of the palette, in formats that keep one.
  public var title: String?
  /// The colors in order.
  public var entries: [FileEntry]
  /// The entries that could not be read, in order.
  public var skipped: [SkippedEntry]
  /// True if a file without a color is an empty palette, and not something else that has none.
  ///
  /// A palette may be written into such a file; an import of it would delete all colors.
  public var isPalette = true
  /// The place of the title in the text; nil where it has none.
  var titlePlace: TitlePlace?
  /// The places in the text where numbers count the entries.
  var counts: [Range<Int>] = []
  /// What this file can say of a color.
  var limit = ColorLimit.format
  /// Whether other programs know the entries by their keys, so that none may come, go, move or be renamed.
  var hasFixedKeys = false
  /// The beginnings of the names in its groups, in the order of the groups, where all that is in none comes first.
  var groups: [String] = []
  /// The places of its objects that are groups of members, by the beginnings of the names in them.
  var groupPlaces: [String: Range<Int>] = [:]
  /// Whether nothing is in the file but what its format writes of a palette, so that it can be written whole.
  var isGenerated = false
  /// True if an object of the file has a key twice, of which most parsers keep the last.
  var hasKeyTwice = false
  /// Identifiers, or paths of members, of the file that are none of its colors.
  var taken: Set<String> = []

  /// Creates the contents of a file.
  public init(title: String? = nil, entries: [FileEntry] = [], skipped: [SkippedEntry] = []) {
    self.title = title
    self.entries = entries
    self.skipped = skipped
  }
}

/// The place of a title in the text of a file.
struct TitlePlace: Hashable, Sendable {
  /// Its range.
  let range: Range<Int>
  /// Its quoting.
  let quoting: Quoting
}
