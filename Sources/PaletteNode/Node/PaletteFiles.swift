internal import PaletteCommands
internal import PaletteFormats
internal import PaletteModel
internal import PaletteStore
internal import WebSocket

/// The palettes as files over HTTP: `/p/PALETTE.EXTENSION`.
///
/// A file is made once for each state of its palette. Who may read it is asked every time.
struct PaletteFiles {
  /// What all addresses of files begin with.
  static let prefix = "/p/"

  /// A file as it was made.
  private struct File {
    let digest: Digest
    let bytes: [UInt8]
  }

  private struct Key: Hashable {
    let palette: PaletteID
    let format: String
  }

  private static let byteLimit = 16 << 20

  private let store: ChangeStore
  private var files: [Key: File] = [:]
  private var byteCount = 0
  /// What is published, and until when that is known: until members change or a grant ends.
  private var published: Set<PaletteID> = []
  private var publishedChanges: Int?
  private var publishedUntil = Int64.max

  init(store: ChangeStore) {
    self.store = store
  }

  /// Answers a request for a file.
  ///
  /// - Parameters:
  ///   - path: The path without the prefix.
  ///   - headers: The headers of the request.
  ///   - trust: What whoever asks may do; nil when that is nobody.
  /// - Returns: The file, or why there is none for them.
  mutating func response(
    to path: Substring,
    _ headers: RequestHeaders,
    trust: Trust?
  ) -> HTTPResponse {
    guard let dot = path.lastIndex(of: "."),
      let format = FormatRegistry.standard.format(toServe: String(path[path.index(after: dot)...]))
    else { return HTTPResponse(status: 404, headers: Self.open) }
    do {
      let name = String(path[..<dot])
      let palette = palette(named: name)
      let isPublic = try palette.map { try isPublished($0.id) } ?? false
      // A palette that is not there and one that is not theirs are the same to others.
      guard isPublic || trust != nil else { return .unauthorized }
      guard let palette, isPublic || trust?.reads(palette.id) == true else {
        return HTTPResponse(status: 404, headers: [])
      }
      return try response(palette, format, headers, isPublic: isPublic)
    } catch let error as FormatError {
      return HTTPResponse(
        status: 422,
        headers: [HTTPField("content-type", "text/plain; charset=utf-8")],
        body: Array("\(error.message)\n".utf8)
      )
    } catch {
      return HTTPResponse(status: 503)
    }
  }

  /// What a character of a path may have been: libwebsockets makes a space of a plus sign, and a comma of
  /// what divides the arguments of a query, as if a path had arguments.
  private static let replaced: [Character: [Character]] = [" ": [" ", "+"], ",": [",", "&", ";"]]
  private static let spellingLimit = 64

  /// The palette that a path names: one that is called exactly so comes first.
  private func palette(named name: String) -> PaletteSummary? {
    var spellings = [""]
    for character in name {
      let choices = Self.replaced[character] ?? [character]
      let isFew = spellings.count * choices.count <= Self.spellingLimit
      spellings = (isFew ? choices : [character]).flatMap { choice in
        spellings.map { $0 + String(choice) }
      }
    }
    for spelling in spellings {
      if let found = try? store.read({ try store.visiblePalette(spelling) }) { return found }
    }
    return nil
  }

  private mutating func response(
    _ palette: PaletteSummary,
    _ format: any FileFormat,
    _ headers: RequestHeaders,
    isPublic: Bool
  ) throws -> HTTPResponse {
    let tag = "\"\(format.name)-\(palette.digest)\""
    var fields = [
      HTTPField("etag", tag),
      HTTPField("cache-control", isPublic ? "no-cache" : "private, no-cache"),
      HTTPField("x-content-type-options", "nosniff"),
      HTTPField("referrer-policy", "no-referrer"),
      // Pages and drawings show themselves and do nothing.
      HTTPField(
        "content-security-policy",
        "default-src 'none'; style-src 'unsafe-inline'; sandbox"
      ),
    ]
    fields += isPublic ? Self.open : [HTTPField("cross-origin-resource-policy", "same-origin")]
    if PageFile.names(tag, in: headers.ifNoneMatch) {
      return HTTPResponse(status: 304, headers: fields, body: [])
    }
    let bytes = try bytes(of: palette, format)
    fields.append(HTTPField("content-type", format.contentType))
    return HTTPResponse(status: 200, headers: fields, body: bytes)
  }

  private mutating func bytes(
    of palette: PaletteSummary,
    _ format: any FileFormat
  ) throws -> [UInt8] {
    let key = Key(palette: palette.id, format: format.name)
    if let file = files[key], file.digest == palette.digest { return file.bytes }
    let list = try store.read { try store.colors(of: palette.id) }
    let bytes = try format.write(PaletteSheet(palette, list))
    byteCount += bytes.count - (files[key]?.bytes.count ?? 0)
    files[key] = File(digest: palette.digest, bytes: bytes)
    if byteCount > Self.byteLimit {
      files = [:]
      byteCount = 0
    }
    return bytes
  }

  private mutating func isPublished(_ palette: PaletteID) throws -> Bool {
    if publishedChanges != store.members.changeCount || store.nowMilliseconds >= publishedUntil {
      let grants = try store.members.publicGrants()
      published = Set(grants.compactMap(\.grant.palette))
      publishedUntil = grants.compactMap(\.grant.expiresMilliseconds).min() ?? .max
      publishedChanges = store.members.changeCount
    }
    return published.contains(palette)
  }

  /// What lets pages of other sites use a file.
  private static let open = [
    HTTPField("access-control-allow-origin", "*"),
    HTTPField("cross-origin-resource-policy", "cross-origin"),
  ]
}
