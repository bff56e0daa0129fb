internal import PaletteFormats
internal import PaletteModel
internal import PaletteStore

/// `status`: the state of the library and of its peers.
enum StatusVerb {
  /// Without a running node nothing listens, and without a joined peer nothing is pending.
  static func status(_ call: LibraryCall) throws -> [UInt8] {
    let store = try call.library.reading()
    var palettes: [PaletteSummary] = []
    var digest = Digest.zero
    if let store {
      try store.read {
        palettes = try store.visiblePalettes()
        digest = try store.digest()
      }
    }
    let peers = try call.library.peerStates()
    var pending: [PaletteID: Int] = [:]
    if let store, !peers.isEmpty {
      let changes = try store.pendingChanges()
      for palette in changes.palettes {
        let urls = peers.filter { $0.takes(palette) }.map(\.peer.url)
        pending[palette] = changes.count(of: palette, at: urls)
      }
    }
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("node", store?.node.description)
    writer.member("version", Release.version)
    writer.member("running", call.library.listening != nil)
    writer.member("listening", call.library.listening ?? [])
    let missing = try call.library.sharing?.missingChanges() ?? []
    let report = SyncReport(
      peers,
      isRunning: call.library.listening != nil,
      damage: call.library.sharing?.damage,
      missing: missing
    )
    writer.member("inSync", report.reasons.isEmpty)
    writer.member("reasons", report.reasons)
    writer.member("pending", pending.values.reduce(0, +))
    writer.member("missing", missing.first?.count ?? 0)
    writer.member("digest", digest.description)
    writer.member("clockOffsetMilliseconds", Int(store?.clockOffsetMilliseconds ?? 0))
    writer.key("palettes")
    writer.beginArray()
    for palette in palettes {
      writer.beginObject()
      writer.member("id", palette.id.description)
      writer.member("name", palette.name)
      writer.member("count", palette.count)
      writer.member("digest", palette.digest.description)
      writer.member("pending", pending[palette.id] ?? 0)
      writer.member("conflicts", palette.conflicts)
      writer.endObject()
    }
    writer.endArray()
    writer.key("peers")
    writer.beginArray()
    for peer in peers { writer.peer(peer) }
    writer.endArray()
    writer.endObject()
    return writer.bytes
  }
}
