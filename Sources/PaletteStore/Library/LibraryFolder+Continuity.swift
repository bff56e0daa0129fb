import PaletteModel
import PalettePlatform

extension LibraryFolder {
  /// Compares the files with what the last opening for writing left; writes nothing.
  func readContinuity(_ connection: borrowing DatabaseConnection) throws(StoreError)
    -> LibraryContinuity
  {
    guard let nonce = try connection.local(.nonce),
      let recorded = try connection.local(.fileIdentity)
    else { return .new }
    let found = try FileIdentity(of: databasePath)
    guard let recorded = FileIdentity(bytes: recorded) else { return .changed(.opening) }
    if recorded.machineID != found.machineID { return .changed(.machine) }
    if recorded != found { return .changed(.file) }
    guard try FileDescriptor.contents(of: openedPath) == Self.openedContents(nonce) else {
      return .changed(.opening)
    }
    return .same
  }

  /// Compares, and then makes this opening the last one: first in `opened`, then in the database.
  ///
  /// In this order every rollback of one of the two is noticed. A crash in between is taken for a
  /// rollback too, which costs nothing but a new node id; so `opened` needs no `fsync`.
  func renewContinuity(
    _ connection: borrowing DatabaseConnection,
    using random: inout some RandomNumberGenerator,
    adopt: (borrowing DatabaseConnection, LibraryContinuity) throws(StoreError) -> Void
  ) throws(StoreError) -> LibraryContinuity {
    let continuity = try readContinuity(connection)
    let nonce = (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &random) }
    let identity = try FileIdentity(of: databasePath).bytes
    let opened = try FileDescriptor(path: openedPath, flags: O_WRONLY | O_CREAT, mode: 0o600)
    fchmod(opened.rawValue, 0o600)
    try opened.replaceContents(Self.openedContents(nonce), path: openedPath)

    try connection.begin()
    do throws(StoreError) {
      try connection.setLocal(.nonce, nonce)
      try connection.setLocal(.fileIdentity, identity)
      try adopt(connection, continuity)
      try connection.commit()
    } catch {
      connection.rollBack()
      throw error
    }
    return continuity
  }

  /// The nonce as a line of hexadecimal digits.
  private static func openedContents(_ nonce: [UInt8]) -> [UInt8] {
    Array("\(nonce.hexDigits)\n".utf8)
  }
}
