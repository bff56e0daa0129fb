/// The part of the world that the rows of a table are about.
///
/// Each table of the schema has an answer: what a library's log records, every copy of it has, and what
/// it does not record each makes for itself.
enum TableScope {
  /// The library: its log records the table's changes, if it has a log.
  case recorded
  /// The file, or the machine that it is on.
  case local

  /// The answer of each table.
  static let tables: [String: TableScope] = [
    "action": .recorded,
    "ahead": .recorded,
    "binding": .recorded,
    "bucket": .recorded,
    "change": .recorded,
    "edit": .recorded,
    "granted": .recorded,
    "identity": .recorded,
    "link": .local,
    "local": .local,
    "member": .recorded,
    "memberStack": .recorded,
    "meta": .recorded,
    "moment": .recorded,
    "palette": .recorded,
    "peer": .local,
    "peerGrant": .local,
    "placed": .recorded,
    "record": .recorded,
    "removal": .recorded,
    "sibling": .recorded,
    "stated": .local,
    "stream": .recorded,
  ]
}
