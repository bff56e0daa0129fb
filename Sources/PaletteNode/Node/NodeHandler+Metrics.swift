internal import PaletteStore
internal import WebSocket

extension NodeHandler {
  /// What the node has counted, and what it holds now.
  var metricsText: String {
    var text = MetricsText()
    let uptime = Double(store.nowMilliseconds - metrics.startMilliseconds) / 1000
    text.add(.gauge, "hued_uptime_seconds", "Time since the start.", max(uptime, 0))
    addConnections(to: &text)
    addRefusals(to: &text)
    addWork(to: &text)
    if let totals = try? store.totals() {
      let palettes = Double(totals.palettes)
      text.add(.gauge, "hued_palettes", "Palettes that are not dropped.", palettes)
      text.add(.gauge, "hued_colors", "Colors in these palettes.", Double(totals.colors))
      let conflicts = Double(totals.conflicts)
      text.add(.gauge, "hued_conflicts", "Registers with several values.", conflicts)
    }
    return text.text
  }

  private func addConnections(to text: inout MetricsText) {
    var local = 0
    var remote = 0
    var echo = 0
    for client in clients.values {
      switch client {
      case .rpc(token: nil): local += 1
      case .rpc: remote += 1
      case .echo: echo += 1
      }
    }
    let others = loop.connectionCount - clients.count
    text.add(
      .gauge,
      "hued_connections",
      "Open connections; other is HTTP and sync.",
      [
        (#"kind="local""#, Double(local)), (#"kind="rpc""#, Double(remote)),
        (#"kind="echo""#, Double(echo)), (#"kind="other""#, Double(max(others, 0))),
      ]
    )
    text.add(.gauge, "hued_watchers", "Watches of palettes.", Double(watches.count))
  }

  private func addRefusals(to text: inout MetricsText) {
    text.add(
      .counter,
      "hued_refused_connections_total",
      "Connections ended before they showed who they are: too many of an address, too many in all, "
        + "or no descriptors left.",
      ConnectionRefusal.allCases.map { reason in
        (#"reason="\#(reason.rawValue)""#, Double(metrics.refusedConnections[reason] ?? 0))
      }
    )
    text.add(
      .counter,
      "hued_refusals_total",
      "Requests and greetings without a valid right, and breaches of a protocol.",
      Double(metrics.refusals)
    )
    text.add(
      .counter,
      "hued_over_quota_total",
      "Edits that wait: their member has written its share, or the disk is nearly full.",
      Double(metrics.delays)
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
      ("hued_rpc_failed_calls_total", "Calls that had no result.", metrics.failedCalls),
      ("hued_http_requests_total", "HTTP requests.", metrics.requests),
      ("hued_received_bytes_total", "Bytes of WebSocket messages received.", metrics.receivedBytes),
      ("hued_sent_bytes_total", "Bytes of RPC messages sent.", metrics.sentBytes),
      ("hued_queue_overflows_total", "Times that a client took too little.", metrics.overflows),
    ]
    for counter in counters {
      text.add(.counter, counter.name, counter.help, Double(counter.value))
    }
  }
}
