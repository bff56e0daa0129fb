import PaletteMerge
import PaletteModel
import PaletteTestSupport
import Testing

@testable import PaletteStore

/// What rows leave out, and the way there from rows that left nothing out.
struct ChangeRowTests {
  private static let numbers: [UInt64] = [
    0, 1, 23, 24, 255, 256, 65_535, 65_536, 0xFFFF_FFFF, 0x1_0000_0000, .max,
  ]

  @Test(arguments: numbers)
  func leavesOutHowEveryChangeOfADotBegins(_ node: UInt64) {
    for sequence in Self.numbers.compactMap(UInt32.init(exactly:)) {
      let dot = Dot(NodeID(node), sequence)
      let change = Change(
        dot: dot,
        stamp: Stamp(rawValue: 7),
        previous: 8,
        record: RecordID(high: 1, low: 2),
        kind: .delete
      )
      let head = ChangeRow.withHead(of: dot) { [UInt8]($0) }
      #expect(change.encoded.starts(with: head))
      #expect(head.count == ChangeRow.headCount(of: dot))
    }
  }

  @Test func aLibraryOfFormatOneKeepsEverything() throws {
    let temporary = try TemporaryLibrary()
    let id: PaletteID
    let before: ([ListedColor], [Change], Digest)
    do {
      let store = try ChangeStore(writing: temporary.folder)
      id = try store.makePalette(named: "Sea")
      try store.write { transaction throws(StoreError) in
        let palette = try transaction.palette(beginning: id)
        let colors = (0..<300).map { number in
          NamedColor(
            id: RecordID(high: 5, low: UInt64(number)),
            name: "color \(number)",
            color: Color(.srgb, 0, 0, 1)
          )
        }
        try palette.act(try palette.appending(colors))
        for color in colors.prefix(20) {
          try palette.act([.set(color.id, [.name: RegisterValue(text: "other")])])
        }
      }
      before = (try store.colors(of: id), try store.history(of: id), try store.digest())
    }
    try turnIntoFormatOne(temporary.folder)
    let store = try ChangeStore(writing: temporary.folder)
    #expect(try store.verify(id) == [])
    #expect(try store.colors(of: id).map(\.color.name) == before.0.map(\.color.name))
    #expect(try store.history(of: id) == before.1)
    #expect(try store.digest() == before.2)
    try checkMembers(store)
  }

  /// The hash of a secret of 32 equal bytes, for a statement.
  private func hash(_ byte: UInt8) -> String {
    "x'\(SecretHash(of: [UInt8](repeating: byte, count: 32)).bytes.hexDigits)'"
  }

  /// Tokens are members and grants now.
  private func checkMembers(_ store: ChangeStore) throws {
    let library = RecordID(high: 0, low: 0)
    let machine = Login(
      secret: [UInt8](repeating: 1, count: 32),
      library: library,
      node: NodeID(78)
    )
    let admitted = try store.admission.admit(machine).get()
    #expect(admitted.grants == [Grant(.relay)] && admitted.nodes == [NodeID(77), NodeID(78)])
    let code = Login(
      secret: [UInt8](repeating: 9, count: 32),
      code: [UInt8](repeating: 3, count: 32),
      library: RecordID(high: 1, low: 1),
      node: NodeID(5)
    )
    #expect(try store.admission.admit(code).get().grants == [Grant(.editor)])
    let script = try store.members.caller(secret: [UInt8](repeating: 4, count: 32)).get()
    #expect(script.grants == [Grant(.viewer, expiresMilliseconds: 9_999_999_999_999)])
    let peer = try #require(try store.peers.all().first)
    #expect(peer.grants == [Grant(.editor, on: PaletteID(library))] && peer.secret == [5])
  }

  private func turnIntoFormatOne(_ folder: LibraryFolder) throws {
    let connection = try DatabaseConnection(
      path: folder.databasePath,
      mode: .readWrite(create: false)
    )
    var nodes: [Int64: NodeID] = [:]
    try connection.prepare("SELECT id, node FROM stream").rows { row in
      nodes[row.int64(0)] = NodeID(UInt64(bitPattern: row.int64(1)))
    }
    var rows: [(id: Int64, bytes: [UInt8])] = []
    try connection.prepare("SELECT id, bytes FROM change").rows { row in
      guard let node = nodes[row.int64(0) >> 32] else { return }
      let dot = Dot(node, UInt32(truncatingIfNeeded: row.int64(0)))
      rows.append((row.int64(0), row.changeBytes(1, of: dot)))
    }
    let update = try connection.prepare("UPDATE change SET bytes = ?2 WHERE id = ?1")
    for row in rows {
      try update.bind(row.id, at: 1)
      try update.bind(row.bytes, at: 2)
      try update.run()
    }
    for column in ["placeDot", "colorDot", "nameDot", "noteDot"] {
      try connection.execute(
        "UPDATE record SET \(column) = ((\(column) & 15) << 32) | (\(column) >> 4)"
      )
    }
    try connection.execute(
      """
      CREATE TABLE older(id INTEGER PRIMARY KEY, palette INTEGER NOT NULL,
        undone INTEGER NOT NULL DEFAULT 0, steps BLOB NOT NULL) STRICT;
      INSERT INTO older SELECT NULL, id >> 32, undone, steps FROM action;
      DROP TABLE action;
      ALTER TABLE older RENAME TO action;
      CREATE INDEX actionByPalette ON action(palette, undone);
      DROP TABLE member; DROP TABLE granted; DROP TABLE binding; DROP TABLE peerGrant;
      DROP TABLE memberStack; DROP TABLE edit; DROP TABLE removal;
      ALTER TABLE identity DROP COLUMN author;
      DROP INDEX streamByNode;
      ALTER TABLE peer DROP COLUMN code;
      ALTER TABLE peer DROP COLUMN library;
      ALTER TABLE peer DROP COLUMN name;
      ALTER TABLE peer ADD COLUMN role TEXT NOT NULL DEFAULT '';
      ALTER TABLE peer ADD COLUMN palette BLOB;
      CREATE TABLE token(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE,
        hash BLOB NOT NULL UNIQUE, codeHash BLOB UNIQUE, role TEXT NOT NULL, palette BLOB,
        created INTEGER NOT NULL, expires INTEGER, isCode INTEGER NOT NULL, library BLOB,
        node INTEGER, seen INTEGER, revoked INTEGER NOT NULL DEFAULT 0) STRICT;
      CREATE TABLE tokenNode(node INTEGER PRIMARY KEY, token INTEGER NOT NULL) STRICT;
      INSERT INTO token(name, hash, codeHash, role, created, expires, isCode, library, node) VALUES
        ('aaaaaaaa', \(hash(1)), \(hash(2)), 'relay', 1, 5, 1, zeroblob(16), 77),
        ('bbbbbbbb', \(hash(3)), NULL, 'editor', 2, 9999999999999, 1, NULL, NULL),
        ('cccccccc', \(hash(4)), NULL, 'viewer', 3, 9999999999999, 0, NULL, NULL);
      INSERT INTO tokenNode VALUES(77, 1), (78, 1);
      INSERT INTO peer(url, addresses, pin, secret, role, palette)
        VALUES('http://a', 'http://a', x'', x'05', 'editor', zeroblob(16));
      DROP TABLE link;
      DROP TABLE bucket;
      DROP INDEX paletteByTitle;
      DROP INDEX paletteInConflict;
      DROP INDEX paletteByBucket;
      ALTER TABLE palette DROP COLUMN title;
      ALTER TABLE palette DROP COLUMN dropped;
      ALTER TABLE palette DROP COLUMN placed;
      DROP TABLE placed;
      ALTER TABLE stream DROP COLUMN peak;
      ALTER TABLE stream DROP COLUMN sorted;
      PRAGMA user_version = 1
      """
    )
  }
}
