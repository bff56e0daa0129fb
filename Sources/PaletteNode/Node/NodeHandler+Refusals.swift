internal import PaletteCommands
internal import PaletteFormats
internal import PaletteModel
internal import PalettePeers
internal import PaletteStore
internal import WebSocket

/// Those who are not let in: each is counted, and the log tells of ten a second.
extension NodeHandler {
  func refused(_ address: String, _ reason: ConnectionRefusal) {
    metrics.refusedConnections[reason, default: 0] += 1
    let text =
      switch reason {
      case .address: "too many connections of an address, the oldest was ended"
      case .unauthenticated: "too many connections of nobody known, the oldest was ended"
      case .descriptors: "nearly all descriptors are in use, a connection of nobody known was ended"
      }
    logRefusal(text, address: address)
  }

  /// Logs that somebody was refused, unless there are too many such lines.
  ///
  /// - Parameters:
  ///   - reason: Why.
  ///   - address: Where it came from.
  ///   - level: How much it matters.
  ///   - fields: Further particulars.
  func logRefusal(
    _ reason: String,
    address: String,
    _ level: NodeLog.Level = .info,
    _ fields: [(key: String, value: JSON)] = []
  ) {
    switch refusals.add(reason, at: store.nowMilliseconds) {
    case .line:
      settings.log(NodeLog(level, .refuse, reason, [("address", JSON(address))] + fields))
    case .omitted(let isFirst):
      guard isFirst else { return }
      loop.schedule(after: .seconds(1)) { [weak self] in
        guard let self else { return }
        let (count, last) = refusals.takeOmitted()
        settings.log(
          NodeLog(
            .info,
            .refuse,
            "more were refused",
            [("count", JSON(count)), ("last", JSON(last))]
          )
        )
      }
    }
  }
}
