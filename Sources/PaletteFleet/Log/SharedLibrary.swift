internal import PaletteStore

/// The identity of a library of a fleet: random, and constant while its name may be given again.
package struct SharedLibraryID: Hashable, Sendable {
  /// The length of an id.
  package static let length = 16

  /// The id as the database keeps it.
  package let bytes: [UInt8]

  /// Makes an id from its bytes.
  package init?(_ bytes: [UInt8]) {
    guard bytes.count == Self.length else { return nil }
    self.bytes = bytes
  }

  /// Makes a new id.
  package static func random(
    using generator: inout some RandomNumberGenerator
  ) -> SharedLibraryID {
    var bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &generator) }
    // Version 4, variant 1: what readers of a UUID expect of a random one.
    bytes[6] = bytes[6] & 0x0F | 0x40
    bytes[8] = bytes[8] & 0x3F | 0x80
    return SharedLibraryID(unchecked: bytes)
  }

  private init(unchecked bytes: [UInt8]) {
    self.bytes = bytes
  }
}

extension SharedLibraryID: CustomStringConvertible {
  /// The id as a UUID is written.
  package var description: String {
    bytes.enumerated().map { index, byte in
      let digits = String(byte, radix: 16)
      return ([4, 6, 8, 10].contains(index) ? "-" : "") + (byte < 16 ? "0" : "") + digits
    }.joined()
  }
}

/// A library's row as it was read, with what is known of its owner.
package struct SharedLibrary: Hashable, Sendable {
  /// The library.
  package let id: SharedLibraryID
  /// Its name.
  package let name: String
  /// Its owner; nil for nobody.
  package let owner: HubID?
  /// The hub that has wanted it since it was taken last.
  package let wanted: HubID?
  /// The size of its entries since it was made.
  package let bytes: Int64
  /// Its log.
  package let state: LogState
  /// The owner's row; nil when nobody owns the library, or the row is gone.
  package let hub: LogHub?

  /// Describes a row.
  package init(
    id: SharedLibraryID,
    name: String,
    owner: HubID?,
    wanted: HubID?,
    bytes: Int64,
    state: LogState,
    hub: LogHub?
  ) {
    self.id = id
    self.name = name
    self.owner = owner
    self.wanted = wanted
    self.bytes = bytes
    self.state = state
    self.hub = hub
  }
}

/// The end of a library's log, and where its image stands.
package struct LogState: Hashable, Sendable {
  /// The number of times that the library has changed hands or ended a doubt.
  package var epoch: Int64
  /// The schema of what the entries change; 0 before there is any.
  package var schema: Int
  /// The number of the newest entry; 0 before the first.
  package var head: Int64
  /// The hash of the newest entry, 16 bytes of zero before the first.
  package var hash: [UInt8]
  /// The newest image.
  package var image: LogImage?

  /// Describes a log.
  package init(epoch: Int64, schema: Int, head: Int64, hash: [UInt8], image: LogImage?) {
    self.epoch = epoch
    self.schema = schema
    self.head = head
    self.hash = hash
    self.image = image
  }
}

/// The right to append to a library: under its epoch, and no longer.
package struct LogClaim: Hashable, Sendable {
  /// The library.
  package let library: SharedLibraryID
  /// The hub that owns it.
  package let hub: HubID
  /// The epoch under which it does.
  package var epoch: Int64

  /// Names a claim.
  package init(_ library: SharedLibraryID, hub: HubID, epoch: Int64) {
    self.library = library
    self.hub = hub
    self.epoch = epoch
  }
}

/// The reason why a hub may take a library.
package enum LogTaking: Hashable, Sendable {
  /// Nobody owns it.
  case free
  /// Its owner's beat stood still at a number for as long as makes it dead.
  case stoodStill(HubID, beat: Int64)
  /// Its owner has been declared dead.
  case dead(HubID)
}

/// A whole library as of an entry, in parts.
package struct LogImage: Hashable, Sendable {
  /// The number of the entry.
  package let number: Int64
  /// The epoch of the owner that made the image.
  package let epoch: Int64
  /// The number of its parts.
  package let parts: Int
  /// The hash over all of it.
  package let hash: [UInt8]

  /// Describes an image.
  package init(number: Int64, epoch: Int64, parts: Int, hash: [UInt8]) {
    self.number = number
    self.epoch = epoch
    self.parts = parts
    self.hash = hash
  }
}

extension SharedLibrary {
  /// True if a later program has brought the library to its format, which this one leaves alone.
  var isNewer: Bool { state.schema > ChangeStore.formatVersion }
}

extension SharedLibraryID: Comparable {
  /// Orders ids as their bytes.
  package static func < (left: Self, right: Self) -> Bool {
    left.bytes.lexicographicallyPrecedes(right.bytes)
  }
}
