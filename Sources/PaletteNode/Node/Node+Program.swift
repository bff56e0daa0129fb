internal import Dispatch
public import PaletteCommands
internal import PaletteFormats
internal import PaletteJSON
public import PaletteMerge
public import PaletteModel
public import PaletteStore
internal import WebSocket

/// A node in one's own program: what the commands do, as values and sequences.
extension Node {
  /// A right for somebody else, to be used once.
  public struct Invitation: Identifiable, Equatable, Sendable {
    /// The id by which the right is revoked.
    public let id: String
    /// The code that the other person passes to `join`, or pastes into the page.
    public let code: String
    /// The page that opens with that right; nil where the node serves none.
    public let link: String?
    /// The role that the code grants.
    public let role: Role
    /// The palette that it is for; nil for the whole library.
    public let palette: PaletteID?
    /// The time at which the code expires.
    public let expires: Moment
  }

  /// Starts a node on the library in a folder, which is made when it is missing.
  ///
  /// - Parameters:
  ///   - folder: The folder, as an absolute path.
  ///   - settings: Where to listen, and what else `hued serve` can be told.
  /// - Returns: The node, which runs until it is ended.
  /// - Throws: `locked` when another process has the library, and why it cannot listen otherwise.
  public static func start(
    in folder: String,
    settings: NodeSettings = NodeSettings()
  ) async throws(APIError) -> Node {
    let location = LibraryLocation(home: folder, configurationFile: folder + "/config.json")
    // Opening waits for the disk, and perhaps for a lock: no thread that tasks share has time for it.
    let result = await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        do throws(APIError) {
          continuation.resume(
            returning: Result<Node, APIError>.success(
              try Node(at: location, settings: settings)
            )
          )
        } catch {
          continuation.resume(returning: .failure(error))
        }
      }
    }
    return try result.get()
  }

  /// Closes every connection, writes back what the library holds in memory, and ends.
  public func end() async {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        self.stop()
        continuation.resume()
      }
    }
  }

  /// The library as a log that works on the node's own thread: palettes that it loads are kept the same
  /// as the node's, and what is written through it goes to peers and watchers at once.
  ///
  /// The library stays open as long as somebody holds the log, or a palette of it, also when the node
  /// has ended.
  public var log: ChangeLog {
    get async throws(APIError) {
      try await onLoop { [thread, key] room in
        room.program.log(on: LoopExecutor(thread, key))
      }
    }
  }

  /// Makes a code that lets somebody else join; the role is what `hued share` gives unless one is said.
  ///
  /// - Parameters:
  ///   - palette: The palette; nil for the whole library.
  ///   - role: What the other one may do.
  ///   - name: What to call whoever uses the code.
  ///   - duration: How long the right lasts; nil for a code of ten minutes whose right does not end.
  /// - Returns: The code.
  /// - Throws: `not-found` where there is no such palette.
  public func share(
    _ palette: PaletteID? = nil,
    as role: Role? = nil,
    to name: String? = nil,
    for duration: Duration? = nil
  ) async throws(APIError) -> Invitation {
    let answer: SharedCode = try await ask(
      .share,
      [
        "palette": palette.map { .string($0.description) } ?? .null,
        "role": role.map { .string($0.rawValue) } ?? .null,
        "name": name.map { .string($0) } ?? .null,
        "expires": duration.map { .string("\($0.components.seconds)s") } ?? .null,
      ]
    )
    guard let code = answer.code, let expires = answer.expires else {
      throw APIError(code: "failed", message: "no code was made")
    }
    return Invitation(
      id: answer.id,
      code: code,
      link: pageLink.map { _ in answer.link },
      role: answer.role,
      palette: palette,
      expires: expires
    )
  }

  /// Joins another node by its code, and waits for the first catch-up.
  ///
  /// - Parameters:
  ///   - code: What `share`, or `hued share`, made there.
  ///   - patience: How long the other node may take to be reached.
  /// - Returns: The other node, once everything that it shares is here.
  /// - Throws: `bad-value` for what is no code, `not-allowed` for a code that is used or has expired,
  ///   `incompatible` where the other node speaks another version, `unreachable`; then nothing is joined,
  ///   nor when the task is cancelled before the other node has answered.
  @discardableResult
  public func join(
    _ code: String,
    within patience: Duration = .seconds(15)
  ) async throws(APIError) -> NodeStatus.Peer {
    let joined: TextAnswer = try await ask(.join, ["code": .string(code)])
    let url = joined.text
    var waiting = JoinWaiting(for: url, within: patience)
    var failure: APIError?
    for await status in statuses where failure == nil {
      let peer = status.peers.first { $0.url == url }
      switch waiting.look(at: peer?.standing) {
      case .waiting: continue
      case .caughtUp: if let peer { return peer }
      case .failed(let error): failure = error
      }
      break
    }
    // The node has ended, or the task.
    if failure == nil, waiting.isLive { throw .interrupted }
    try await leave(url)
    throw failure ?? waiting.unreachable
  }

  /// Leaves a node that was joined; what came from it stays.
  ///
  /// - Parameters:
  ///   - url: The URL of the peer.
  ///   - palette: The palette that alone is given back; nil for all that the peer granted.
  /// - Throws: `not-found` where it was not joined, or granted nothing for that palette alone.
  public func leave(
    _ url: String,
    givingBack palette: PaletteID? = nil
  ) async throws(APIError) {
    let _: TextAnswer = try await ask(
      .leave,
      [
        "peer": .string(url), "palette": palette.map { .string($0.description) } ?? .null,
      ]
    )
  }

  /// Everybody whom the library lets in, in the order of names.
  public var members: [NodeStatus.Member] {
    get async throws(APIError) { try await status.members }
  }

  /// Takes back all that a member was granted; its sessions end at once.
  ///
  /// - Parameter member: The member.
  /// - Throws: `not-found` where it has no right any more.
  public func revoke(_ member: NodeStatus.Member) async throws(APIError) {
    try await revoke(member.id)
  }

  /// Takes one right of a member back at once.
  ///
  /// - Parameter right: The right.
  /// - Throws: `not-found` where it was taken back before.
  public func revoke(_ right: NodeStatus.Right) async throws(APIError) {
    try await revoke(right.id)
  }

  /// Takes an invitation back: its code is good no more, and neither is the right of whoever used it.
  ///
  /// - Parameter invitation: The invitation.
  /// - Throws: `not-found` where it was taken back before.
  public func revoke(_ invitation: Invitation) async throws(APIError) {
    try await revoke(invitation.id)
  }

  private func revoke(_ id: String) async throws(APIError) {
    let _: TextAnswer = try await ask(.revoke, ["token": .string(id)])
  }

  /// The present state of the library and its peers.
  public var status: NodeStatus {
    get async throws(APIError) {
      try await onLoop { room in try room.program.status() }
    }
  }

  /// The state of the library and its peers, now and whenever it changes, until the node ends; a
  /// slow reader gets the newest.
  public var statuses: AsyncStream<NodeStatus> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { [thread, key] continuation in
      let isAccepted = thread.perform(isUrgent: true) { _, process in
        guard let number = try? process.use(key, { $0.program.add(continuation) }) else {
          return continuation.finish()
        }
        continuation.onTermination = { _ in
          thread.perform(isUrgent: true) { _, process in
            _ = try? process.use(key) { $0.program.remove(number) }
          }
        }
      }
      if !isAccepted { continuation.finish() }
    }
  }

  private func ask<Typed: Answer>(
    _ command: Command,
    _ parameters: JSON
  ) async throws(APIError) -> Typed {
    let given = (parameters.objectValue?.members ?? []).filter { !$0.value.isNull }
    let request = Request(method: command.name, parameters: .object(JSONObject(given)))
    return try await onLoop { room in
      guard let answer = try room.answer(request) as? Typed else {
        preconditionFailure("\(command.name) answers \(Typed.self)")
      }
      return answer
    }
  }

  /// Uses the room of the library on the loop's thread.
  func onLoop<Result: Sendable>(
    _ body: @escaping @Sendable (Room) throws -> Result
  ) async throws(APIError) -> Result {
    do {
      return try await thread.call { [key] _, process in try process.use(key, body) }
    } catch let error as WebSocketError where error.code == .loopUnreachable {
      throw APIError(code: "failed", message: "the node has ended")
    } catch {
      throw APIError(any: error)
    }
  }
}

/// Runs an actor's jobs on the thread of a node's loop, and on another one when that has ended.
private final class LoopExecutor: SerialExecutor {
  private let thread: LoopThread<NodeProcess>
  private let key: RoomKey
  private let rest = DispatchQueue(label: "hued.node-log")

  init(_ thread: LoopThread<NodeProcess>, _ key: RoomKey) {
    self.thread = thread
    self.key = key
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let executor = asUnownedSerialExecutor()
    let isAccepted = thread.perform(isUrgent: true) { [key] _, process in
      job.runSynchronously(on: executor)
      process.logHasWorked(key)
    }
    guard !isAccepted else { return }
    rest.async { [thread] in
      thread.join()
      job.runSynchronously(on: executor)
    }
  }
}
