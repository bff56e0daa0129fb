internal import PaletteFormats
internal import PaletteModel
internal import PaletteStore

/// `status`: the state of the library and of its peers.
enum StatusVerb {
  /// Without a running node nothing listens, and without peers nothing is pending.
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
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("node", store?.node.description)
    writer.member("version", Release.version)
    writer.member("running", call.library.listening != nil)
    writer.member("listening", call.library.listening ?? [])
    writer.member("pending", 0)
    writer.member("digest", digest.description)
    writer.key("palettes")
    writer.beginArray()
    for palette in palettes {
      writer.beginObject()
      writer.member("id", palette.id.description)
      writer.member("name", palette.name)
      writer.member("count", palette.count)
      writer.member("digest", palette.digest.description)
      writer.member("pending", 0)
      writer.member("conflicts", palette.conflicts)
      writer.endObject()
    }
    writer.endArray()
    writer.key("peers")
    writer.beginArray()
    writer.endArray()
    writer.endObject()
    return writer.bytes
  }
}
