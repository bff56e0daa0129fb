internal import PaletteCommands
internal import PalettePeers
internal import PalettePlatform
internal import PaletteStore
internal import PaletteSync
internal import WebSocket

/// The page of numbers; writing it costs the same however large the library is.
final class MetricsPage {
  private typealias Sample = MetricsText.Sample

  private unowned let loop: EventLoop
  private let library: OpenLibrary
  private let endpoints: NodeEndpoints
  private let metrics: NodeMetrics
  private let refusals: Refusals
  private let clients: Clients
  private let sync: SyncShell
  private let watching: Watching
  private var peerCounts = PeerCounts()

  private var store: ChangeStore { library.store }

  init(
    _ loop: EventLoop,
    _ library: OpenLibrary,
    _ endpoints: NodeEndpoints,
    _ metrics: NodeMetrics,
    _ refusals: Refusals,
    _ clients: Clients,
    _ sync: SyncShell,
    _ watching: Watching
  ) {
    self.loop = loop
    self.library = library
    self.endpoints = endpoints
    self.metrics = metrics
    self.refusals = refusals
    self.clients = clients
    self.sync = sync
    self.watching = watching
  }

  /// The node's counters and present figures, as text.
  var text: String {
    var text = MetricsText()
    text.add(
      .gauge,
      "hued_build_info",
      "Always 1; the labels say what runs.",
      [
        Sample(
          [
            ("version", Release.version), ("format", "\(ChangeStore.formatVersion)"),
            ("protocol", SyncProtocol.subprotocol),
          ],
          1
        )
      ]
    )
    let uptime = Double(store.nowMilliseconds - metrics.startMilliseconds) / 1000
    text.add(.gauge, "hued_uptime_seconds", "Time since the start.", max(uptime, 0))
    addConnections(to: &text)
    addRefusals(to: &text)
    addWork(to: &text)
    addTimes(to: &text)
    addLoopTime(to: &text)
    addPeers(to: &text)
    addMembers(to: &text)
    addLibrary(to: &text)
    addFiles(to: &text)
    addCertificate(to: &text)
    ProcessNumbers().write(to: &text)
    return text.text
  }

  private func addConnections(to text: inout MetricsText) {
    let (local, remote, echo) = clients.counts
    let peers = sync.connectionCount
    let others = loop.connectionCount - local - remote - echo - peers
    text.add(
      .gauge,
      "hued_connections",
      "Open connections: of commands on this machine, of the API, of peers in either direction; other is "
        + "HTTP and what has not said what it is.",
      [
        Sample("kind", "local", local), Sample("kind", "rpc", remote),
        Sample("kind", "peer", peers), Sample("kind", "echo", echo),
        Sample("kind", "other", max(others, 0)),
      ]
    )
    text.add(.gauge, "hued_watchers", "Watches of palettes.", watching.count)
  }

  private func addRefusals(to text: inout MetricsText) {
    text.add(
      .counter,
      "hued_refused_connections_total",
      "Connections ended before they showed who they are: too many of an address, too many in all, "
        + "or no descriptors left.",
      ConnectionRefusal.allCases.map { reason in
        Sample("reason", reason.rawValue, refusals.connections[reason] ?? 0)
      }
    )
    // Those that an alert is about are there before they happen: a rate needs a first value.
    let usual = [401: 0, 429: 0, 4401: 0, 4403: 0]
    text.add(
      .counter,
      "hued_refusals_total",
      "Requests and greetings without a valid right, and breaches of a protocol, by the status of HTTP "
        + "or the code with which a connection was closed.",
      usual.merging(refusals.codes) { $1 }.sorted { $0.key < $1.key }.map {
        Sample("code", "\($0.key)", $0.value)
      }
    )
    text.add(
      .counter,
      "hued_over_quota_total",
      "Calls of members that were refused, because their share is written or the disk is nearly full.",
      metrics.delays
    )
    text.add(
      .gauge,
      "hued_writes_held",
      "1 while what others write waits, because there is little room on the disk.",
      sync.core.isFull ? 1 : 0
    )
  }

  private func addWork(to text: inout MetricsText) {
    let counters: [(name: String, help: String, value: Int)] = [
      ("hued_commits_total", "Durable steps, one for each palette in it.", metrics.commits),
      (
        "hued_transactions_total", "Transactions committed; many edits can share one.",
        store.commitCount
      ), ("hued_changes_total", "Changes taken into the log.", metrics.changes),
      ("hued_rpc_calls_total", "Calls of the RPC API.", metrics.calls),
      ("hued_http_requests_total", "HTTP requests.", metrics.requests),
      ("hued_received_bytes_total", "Bytes of WebSocket messages received.", metrics.receivedBytes),
      ("hued_sent_bytes_total", "Bytes of WebSocket messages sent.", metrics.sentBytes),
      ("hued_queue_overflows_total", "Times that a client took too little.", metrics.overflows),
    ]
    for counter in counters { text.add(.counter, counter.name, counter.help, counter.value) }
  }

  private func addTimes(to text: inout MetricsText) {
    text.add(
      "hued_commit_seconds",
      "How long the disk took to make a transaction durable.",
      [([], metrics.commitTimes)]
    )
    text.add(
      "hued_edit_to_watchers_seconds",
      "From the arrival of an edit, by the API or from a peer, until it was on its way to those who watch.",
      [([], metrics.tellingTimes)]
    )
    // Most methods are never called; each that was has a histogram.
    let called = metrics.callTimes.indices.filter { metrics.callTimes[$0].count > 0 }
    text.add(
      "hued_rpc_seconds",
      "From the arrival of a call until its answer was on its way.",
      called.map { ([("method", NodeMetrics.methods[$0])], metrics.callTimes[$0]) }
    )
    text.add(
      .counter,
      "hued_rpc_failed_calls_total",
      "Calls that had no result.",
      called.map { Sample("method", NodeMetrics.methods[$0], metrics.failedCalls[$0]) }
    )
  }

  private func addLoopTime(to text: inout MetricsText) {
    let time = sync.core.time
    let accounts =
      time.accounts.map { (label: label(of: $0.payer), spent: $0.spent) }.sorted {
        $0.label < $1.label
      } + [(label: "other", spent: time.spentForOthers)]
    text.add(
      .counter,
      "hued_loop_seconds_total",
      "What the node's loop spent on calls, frames and pushing, by whom it was for: a member, a peer that "
        + "was joined, the owner's socket; other is strangers, and members beyond the first 100.",
      accounts.map { Sample([("member", $0.label)], Double($0.spent.microseconds) / 1_000_000) }
    )
    text.add(
      .counter,
      "hued_member_waits_total",
      "Messages that waited behind those of everybody else, because their member had its share of the loop.",
      accounts.map { Sample("member", $0.label, $0.spent.waits) }
    )
  }

  private func label(of payer: Payer) -> String {
    switch payer {
    case .owner: "owner"
    case .peer(let url): url
    case .member(let id): (try? store.members.member(id))?.uid ?? "member \(id)"
    case .stranger: "other"
    }
  }

  /// The most peers that have numbers of their own.
  private static let peerLimit = 100

  private func addPeers(to text: inout MetricsText) {
    let core = sync.core
    peerCounts.refresh {
      // Where the library cannot be read, all else is told.
      let states = (try? sync.peerStates()) ?? []
      return states.reduce(into: [:]) { counts, state in
        counts[state.url] = PeerCounts.Count(
          pending: state.pending,
          withheld: state.withheld,
          lag: state.changesToCome
        )
      }
    }
    let peers = core.peers.keys.sorted().prefix(Self.peerLimit).map { url in
      (url: url, dialer: core.dialers[url] ?? PeerDialer(), count: peerCounts.counts[url])
    }
    func add(
      _ name: String,
      _ help: String,
      _ value: ((url: String, dialer: PeerDialer, count: PeerCounts.Count?)) -> Double?
    ) {
      text.add(
        .gauge,
        name,
        help,
        peers.compactMap { peer in value(peer).map { Sample([("peer", peer.url)], $0) } }
      )
    }
    text.add(.gauge, "hued_peers", "Peers that this library joined.", core.peers.count)
    add("hued_peer_live", "1 while the peer is connected and answers.") {
      $0.dialer.state == .live ? 1 : 0
    }
    add("hued_peer_pending_changes", "Own changes that the peer has not stated to hold.") {
      $0.count.map { Double($0.pending) }
    }
    add("hued_peer_withheld_changes", "Changes that this library may not give the peer.") {
      $0.count.map { Double($0.withheld) }
    }
    add("hued_peer_lag_changes", "Changes that the peer holds and this library does not yet.") {
      $0.count.map { Double($0.lag) }
    }
    add("hued_peer_last_contact_timestamp_seconds", "When the peer was last heard, since 1970.") {
      sync.times.lastContact(of: $0.url).map { Double($0) / 1000 }
    }
    add("hued_peer_round_trip_seconds", "How long the peer took to answer.") {
      $0.dialer.roundTripMilliseconds.map { Double($0) / 1000 }
    }
    add("hued_peer_clock_offset_seconds", "The peer's clock minus this one's.") {
      $0.dialer.clockOffsetMilliseconds.map { Double($0) / 1000 }
    }
  }

  /// Who is let in here, as far as there are not too many.
  private func addMembers(to text: inout MetricsText) {
    let members = (try? library.memberStates()) ?? []
    text.add(.gauge, "hued_members", "Members that this library lets in.", members.count)
    let told = members.sorted { $0.member.id < $1.member.id }.prefix(Self.peerLimit)
    func add(_ name: String, _ help: String, _ value: (MemberState) -> Double?) {
      text.add(
        .gauge,
        name,
        help,
        told.compactMap { state in
          value(state).map {
            Sample([("member", state.member.uid), ("name", state.member.name)], $0)
          }
        }
      )
    }
    add("hued_member_live", "1 while the member is connected.") { $0.presence.isLive ? 1 : 0 }
    add("hued_member_pending_changes", "Changes that the member has not stated to hold.") {
      $0.presence.pending.map(Double.init)
    }
    add("hued_member_last_contact_timestamp_seconds", "When the member was last there, since 1970.")
    {
      $0.lastContactMilliseconds.map { Double($0) / 1000 }
    }
  }

  private func addLibrary(to text: inout MetricsText) {
    guard let totals = try? store.totals() else { return }
    text.add(.gauge, "hued_palettes", "Palettes that are not dropped.", totals.palettes)
    text.add(.gauge, "hued_colors", "Colors in these palettes.", totals.colors)
    text.add(.gauge, "hued_conflicts", "Registers with several values.", totals.conflicts)
  }

  private func addFiles(to text: inout MetricsText) {
    let database = store.folder.databasePath
    for (name, help, path) in [
      ("hued_database_size_bytes", "The size of the database.", database),
      ("hued_write_ahead_log_size_bytes", "The size of its write-ahead log.", database + "-wal"),
    ] {
      var status = stat()
      let isThere = stat(path, &status) == 0
      text.add(.gauge, name, help, isThere ? [Sample([], Double(status.st_size))] : [])
    }
    var checked = stat()
    let wasChecked = stat(store.folder.backupCheckedPath, &checked) == 0
    text.add(
      .gauge,
      "hued_backup_checked_timestamp_seconds",
      "When the nightly backup was last found sound, since 1970; 0 if none was.",
      wasChecked ? Int(checked.modified.tv_sec) : 0
    )
    let space = DiskSpace(at: store.folder.path)
    text.add(
      .gauge,
      "hued_disk_free_bytes",
      "Room on the library's disk for this user.",
      space.map { [Sample([], Double($0.freeBytes))] } ?? []
    )
    text.add(
      .gauge,
      "hued_disk_size_bytes",
      "The size of the library's disk.",
      space.map { [Sample([], Double($0.sizeBytes))] } ?? []
    )
    text.add(
      .gauge,
      "hued_disk_reserve_bytes",
      "The room that is kept for the library's owner: with less, what others write waits.",
      space.map { [Sample([], Double($0.reserveBytes))] } ?? []
    )
  }

  private func addCertificate(to text: inout MetricsText) {
    let end = endpoints.network.flatMap { loop.certificateEnd(of: $0) }
    text.add(
      .gauge,
      "hued_certificate_expiry_timestamp_seconds",
      "When the certificate that new connections get ends, since 1970.",
      end.map { [Sample([], Double($0))] } ?? []
    )
  }
}
