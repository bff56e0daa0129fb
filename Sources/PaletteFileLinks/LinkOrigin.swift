internal import PaletteFormats
internal import PaletteMerge
internal import PaletteModel

/// A linked file as a program left it: the text of which whatever is written is a patch.
///
/// A color that is removed, moved or changed and comes back finds its own text at its own place, because each
/// version is made from the same text.
struct LinkOrigin {
  /// The bytes of the file.
  let bytes: [UInt8]
  /// Which color each of its entries is, in order.
  let ids: [RecordID]
  /// The name of the palette then, to which the title of the file goes; nil until it is known.
  var name: String?

  /// The most bytes that are kept with a link; the text of a larger file is known while the node runs.
  static let keptLimit = 1 << 20
}

/// The fingerprint of a file, by which one that was written here is known again.
struct FileFingerprint: Hashable {
  /// The first bytes of the hash.
  let bytes: [UInt8]

  /// The fingerprint of these bytes.
  init(of file: [UInt8]) {
    var hash = BLAKE2b(resultLength: 16)
    hash.update(file)
    let (high, low) = hash.finalizeWords()
    bytes = [high, low].flatMap { word in
      (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) }
    }
  }

  /// A fingerprint as it was kept.
  init(kept bytes: [UInt8]) { self.bytes = bytes }
}

/// What is kept of a link beside its versions, as bytes.
struct KeptLink {
  /// The version that both sides knew last, the one that may have been written over it, and earlier ones.
  var versions: [LinkVersion?]
  /// The file as a program left it.
  var origin: LinkOrigin?
  /// The fingerprints of what was written last, and of what may have been.
  var written: [FileFingerprint]

  /// The bytes: CBOR.
  var bytes: [UInt8] {
    var writer = CBORWriter(reservingCapacity: 1024)
    writer.write(array: 5)
    writer.write(bytes: LinkVersion.encode(versions))
    if let origin, origin.bytes.count <= LinkOrigin.keptLimit {
      writer.write(bytes: origin.bytes)
      writer.write(array: origin.ids.count)
      for id in origin.ids { writer.write(id) }
    } else {
      writer.writeNull()
      writer.write(array: 0)
    }
    writer.write(array: written.count)
    for fingerprint in written { writer.write(bytes: fingerprint.bytes) }
    if let name = origin?.name { writer.write(text: name) } else { writer.writeNull() }
    return writer.bytes
  }
}

extension KeptLink {
  /// Reads what `bytes` wrote; nil for anything else.
  init?(_ bytes: [UInt8]) {
    let kept = bytes.withUnsafeBytes { buffer -> KeptLink? in
      var reader = CBORReader(buffer)
      do throws(CBORError) {
        guard try reader.readArray() == 5,
          let versions = LinkVersion.decode(Array(try reader.readBytes()))
        else { return nil }
        var kept = KeptLink(versions: versions, origin: nil, written: [])
        var text: [UInt8]?
        if reader.isNull { try reader.readNull() } else { text = Array(try reader.readBytes()) }
        var ids: [RecordID] = []
        for _ in 0..<(try reader.readArray()) { ids.append(try reader.readRecordID()) }
        kept.origin = text.map { LinkOrigin(bytes: $0, ids: ids) }
        for _ in 0..<(try reader.readArray()) {
          kept.written.append(FileFingerprint(kept: Array(try reader.readBytes())))
        }
        if reader.isNull {
          try reader.readNull()
        } else {
          kept.origin?.name = try reader.readText()
        }
        return reader.isAtEnd ? kept : nil
      } catch {
        return nil
      }
    }
    guard let kept else { return nil }
    self = kept
  }
}
