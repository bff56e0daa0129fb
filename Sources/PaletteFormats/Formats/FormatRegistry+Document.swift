internal import PaletteJSON

extension FormatRegistry {
  /// The formats as `{"formats":[{"name","title","extensions","reads","writes"}]}`.
  public var document: [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("formats")
    writer.beginArray()
    for format in formats {
      writer.beginObject()
      writer.member("name", format.name)
      writer.member("title", format.title)
      writer.member("extensions", format.extensions)
      writer.member("reads", format.reads)
      writer.member("writes", format.writes)
      writer.endObject()
    }
    writer.endArray()
    writer.endObject()
    return writer.bytes
  }
}
