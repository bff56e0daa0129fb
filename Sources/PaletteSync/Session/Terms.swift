import PaletteMerge
import PaletteModel

/// The terms on which hello and welcome agreed.
struct Terms: Sendable {
  /// True if this side connected.
  let isDialer: Bool
  /// The library that the session speaks for.
  let library: RecordID
  /// The effects that either side may have at the other.
  var trust: Trust
  /// The abilities of both sides beyond the version.
  let features: Set<String>
  /// The credit to grant.
  let creditBytes: UInt64
  /// Frames that carry changes, palettes or a snapshot are packed to this.
  let payloadBytes: Int

  /// The terms before any agreement.
  static let none = Terms(
    isDialer: false,
    library: RecordID(high: 0, low: 0),
    trust: .none,
    features: [],
    limits: SyncLimits()
  )

  /// Describes what was agreed; frames are packed to fit what the peer takes.
  init(
    isDialer: Bool,
    library: RecordID,
    trust: Trust,
    features: some Sequence<String>,
    limits: SyncLimits,
    frameBytes: Int = SyncProtocol.frameBytes
  ) {
    self.isDialer = isDialer
    self.library = library
    self.trust = trust
    self.features = Set(features)
    creditBytes = limits.creditBytes
    payloadBytes = min(limits.payloadBytes, frameBytes * 3 / 4)
  }

  var scope: Scope { trust.scope }
  var packsSnapshots: Bool { features.contains(SyncProtocol.packedSnapshots) }
  var packsChanges: Bool { features.contains(SyncProtocol.packedChanges) }
  /// True if many palettes go into a frame; their changes are packed.
  var packsPalettes: Bool { packsChanges && features.contains(SyncProtocol.wholePalettes) }
}
