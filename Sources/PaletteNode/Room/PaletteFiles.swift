internal import PaletteCommands
internal import PaletteFormats
internal import PaletteMerge
internal import PaletteModel
internal import PalettePeers
internal import PaletteStore
internal import WebSocket

/// The palettes as files over HTTP: `/p/PALETTE.EXTENSION`.
///
/// A file is made once for each state of its palette, beside the loop. Who may read it is asked every time.
final class PaletteFiles {
  /// The common beginning of all addresses of files.
  static let prefix = "/p/"

  /// A file, as one state of a palette has it.
  private struct Key: Hashable {
    let palette: PaletteID
    let format: String
    let digest: Digest
  }

  /// A file made of a palette: its bytes, and the state that they show.
  private struct File: Sendable {
    let digest: Digest
    let bytes: [UInt8]
  }

  /// Somebody who waits for a file.
  private struct Waiting {
    let connection: ConnectionID
    /// The present rights of the one who asked; nil if that is nobody.
    let trust: () -> Trust?
  }

  private unowned let loop: EventLoop
  private let store: ChangeStore
  private let work: SlowWork
  private let files = RecentCache<Key, [UInt8]>(byteLimit: RoomMemory().fileBytes)
  /// The files that are being made, and who waits for them.
  private var waiting: [Key: [Waiting]] = [:]
  /// The published palettes, and how long that holds: until members change or a grant ends.
  private var published: Set<PaletteID> = []
  private var publishedChanges: Int?
  private var publishedUntil = Int64.max

  init(_ loop: EventLoop, store: ChangeStore, _ work: SlowWork) {
    self.loop = loop
    self.store = store
    self.work = work
  }

  /// Keeps at most so many bytes of files from now on.
  func limit(toBytes limit: Int) { files.limit(toBytes: limit) }

  /// True if nobody waits for a file.
  var isIdle: Bool { waiting.isEmpty }

  /// Answers a request for a file.
  ///
  /// - Parameters:
  ///   - path: The path without the prefix.
  ///   - request: The request.
  ///   - payer: Who asks.
  ///   - rights: Tells what whoever asks may do now; nil when that is nobody.
  /// - Returns: The file, or why there is none for them; nil where it has to be made first.
  func response(
    to path: Substring,
    _ request: HTTPRequest,
    from payer: Payer,
    trust rights: @escaping () -> Trust?
  ) -> HTTPResponse? {
    let trust = rights()
    guard path.utf8.count <= Self.pathLimit, let dot = path.lastIndex(of: "."),
      let format = FormatRegistry.standard.format(toServe: String(path[path.index(after: dot)...]))
    else { return HTTPResponse(status: 404, headers: Self.open) }
    do {
      let name = String(path[..<dot])
      let found = try palettes(named: name, for: trust)
      // A palette that is not there and one that is not theirs are the same to others.
      guard let palette = found.first else {
        return trust == nil ? .unauthorized : HTTPResponse(status: 404, headers: [])
      }
      guard found.count == 1 else {
        return .text(404, "\(found.count) palettes are called so; say which by its id")
      }
      let isPublic = try isPublished(palette.id)
      let key = Key(palette: palette.id, format: format.name, digest: palette.digest)
      if PageFile.names(Self.tag(key.format, key.digest), in: request.headers.ifNoneMatch) {
        let fields = Self.fields(format, key.digest, isPublic: isPublic)
        return HTTPResponse(status: 304, headers: fields, body: [])
      }
      if let bytes = files[key] {
        return Self.response(File(digest: key.digest, bytes: bytes), format, isPublic: isPublic)
      }
      make(key, format, for: Waiting(connection: request.id, trust: rights), payer)
      return nil
    } catch {
      return Self.refusal(error)
    }
  }

  /// The characters that a character of a path may have been: libwebsockets replaces a plus sign by
  /// a space, and the divider of a query's arguments by a comma, as if a path had arguments.
  private static let replaced: [Character: [Character]] = [" ": [" ", "+"], ",": [",", "&", ";"]]
  private static let spellingLimit = 64
  /// The most spellings for strangers, whom nothing stops from asking again.
  private static let strangersSpellingLimit = 8
  /// The longest path: a name, a dot and an extension.
  private static let pathLimit = TextRule.byteLimit + 16

  /// The palettes that a path names among those that are published and those that whoever asks may read:
  /// one that is called exactly so comes first, and what others are called changes nothing.
  private func palettes(named name: String, for trust: Trust?) throws -> [PaletteSummary] {
    let limit = trust == nil ? Self.strangersSpellingLimit : Self.spellingLimit
    var spellings = [""]
    for character in name {
      let choices = Self.replaced[character] ?? []
      if choices.isEmpty || spellings.count * choices.count > limit {
        for index in spellings.indices { spellings[index].append(character) }
      } else {
        spellings = choices.flatMap { choice in spellings.map { $0 + String(choice) } }
      }
    }
    for spelling in spellings {
      let found = try store.read {
        try store.visiblePalettes(fitting: spelling) { palette in
          try isPublished(palette) || trust?.reads(palette) == true
        }
      }
      if !found.isEmpty { return found }
    }
    return []
  }

  // MARK: Making

  /// Makes a file; requests for the same one that arrive meanwhile share the result.
  private func make(
    _ key: Key,
    _ format: any FileFormat,
    for asker: Waiting,
    _ payer: Payer
  ) {
    waiting[key, default: []].append(asker)
    guard waiting[key]?.count == 1 else { return }
    let folder = store.folder
    work.perform(for: payer) {
      Result { try Self.file(of: key.palette, format, in: folder) }
    } then: { [weak self] result in
      self?.haveMade(key, format, result ?? .failure(FileFailure.noThread))
    }
  }

  /// Reads a palette as it is by then, and writes it as a file; nil when it is not there any more.
  private static func file(
    of palette: PaletteID,
    _ format: any FileFormat,
    in folder: LibraryFolder
  ) throws -> File? {
    guard let store = try ChangeStore.reading(folder) else { return nil }
    let sheet = try store.read { () -> (digest: Digest, sheet: PaletteSheet)? in
      guard let summary = try store.summary(of: palette), !summary.isDropped else { return nil }
      return (summary.digest, PaletteSheet(summary, try store.colors(of: palette)))
    }
    return try sheet.map { File(digest: $0.digest, bytes: try format.write($0.sheet)) }
  }

  private func haveMade(
    _ key: Key,
    _ format: any FileFormat,
    _ result: Result<File?, any Error>
  ) {
    if let file = try? result.get() {
      let made = Key(palette: key.palette, format: key.format, digest: file.digest)
      files.insert(file.bytes, for: made, bytes: file.bytes.count)
    }
    for asker in waiting.removeValue(forKey: key) ?? [] {
      loop.answer(asker.connection, with: response(result, key.palette, format, to: asker))
    }
  }

  /// The answer to somebody who waited, whose right may have ended meanwhile.
  private func response(
    _ result: Result<File?, any Error>,
    _ palette: PaletteID,
    _ format: any FileFormat,
    to asker: Waiting
  ) -> HTTPResponse {
    do {
      let isPublic = try isPublished(palette)
      guard isPublic || asker.trust()?.reads(palette) == true, let file = try result.get() else {
        return HTTPResponse(status: 404, headers: [])
      }
      return Self.response(file, format, isPublic: isPublic)
    } catch {
      return Self.refusal(error)
    }
  }

  // MARK: Responses

  private static func response(
    _ file: File,
    _ format: any FileFormat,
    isPublic: Bool
  ) -> HTTPResponse {
    let type = HTTPField("content-type", format.contentType)
    let fields = fields(format, file.digest, isPublic: isPublic) + [type]
    return HTTPResponse(status: 200, headers: fields, body: file.bytes)
  }

  /// The reason why there is no file.
  private static func refusal(_ error: any Error) -> HTTPResponse {
    guard let error = error as? FormatError else { return HTTPResponse(status: 503) }
    return .text(422, error.message)
  }

  /// The tag of a file: another version of the program may write other bytes.
  private static func tag(_ format: String, _ digest: Digest) -> String {
    "\"\(format)-\(digest)-\(Release.version)\""
  }

  private static func fields(
    _ format: any FileFormat,
    _ digest: Digest,
    isPublic: Bool
  ) -> [HTTPField] {
    [
      HTTPField("etag", tag(format.name, digest)),
      HTTPField("cache-control", isPublic ? "no-cache" : "private, no-cache"),
      HTTPField("x-content-type-options", "nosniff"),
      HTTPField("referrer-policy", "no-referrer"),
      // Pages and drawings show themselves and do nothing.
      HTTPField(
        "content-security-policy",
        "default-src 'none'; style-src 'unsafe-inline'; sandbox"
      ),
    ] + (isPublic ? open : [HTTPField("cross-origin-resource-policy", "same-origin")])
  }

  private func isPublished(_ palette: PaletteID) throws -> Bool {
    if publishedChanges != store.members.changeCount || store.nowMilliseconds >= publishedUntil {
      let grants = try store.members.publicGrants()
      published = Set(grants.compactMap(\.grant.palette))
      publishedUntil = grants.compactMap(\.grant.expiresMilliseconds).min() ?? .max
      publishedChanges = store.members.changeCount
    }
    return published.contains(palette)
  }

  /// The headers that let pages of other sites use a file.
  private static let open = [
    HTTPField("access-control-allow-origin", "*"),
    HTTPField("cross-origin-resource-policy", "cross-origin"),
  ]
}

/// The reason why a file cannot be made.
private enum FileFailure: Error {
  /// The system has no thread for it.
  case noThread
}

extension HTTPResponse {
  /// A sentence for whoever reads what came instead of a file.
  fileprivate static func text(_ status: Int, _ sentence: String) -> HTTPResponse {
    HTTPResponse(
      status: status,
      headers: [HTTPField("content-type", "text/plain; charset=utf-8")],
      body: Array("\(sentence)\n".utf8)
    )
  }
}
