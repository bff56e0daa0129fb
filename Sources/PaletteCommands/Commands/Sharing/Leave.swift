internal import PaletteMerge
internal import PaletteModel
internal import PaletteStore

extension Command {
  package static let leave = Command(
    "leave",
    .sharing,
    .alone,
    view: .left,
    summary: "Gives back what a peer granted; what came from it stays",
    positionals: [
      Positional("PEER", "the peer's URL, or a part of it that fits no other", content: .peer),
      Positional("PALETTE", "give back this palette only", need: .optional, content: .palette),
    ],
    examples: [
      .init("hued leave 127.0.0.1:4833", "stop syncing with this node"),
      .init("hued leave 127.0.0.1:4833 Brand", "keep the other palettes that it shares"),
    ],
    otherNames: ["disconnect"]
  ) { call in
    let argument = try call.parameters.text("peer")
    let peers = try call.library.reading()?.peers.all() ?? []
    let exact = peers.filter { $0.url == argument }
    let found = exact.isEmpty ? peers.filter { $0.url.contains(argument) } : exact
    guard let peer = found.first else {
      throw APIError(
        code: "not-found",
        message: "'\(argument)' is no peer",
        hint: "'hued peers' lists them"
      )
    }
    guard found.count == 1 else {
      throw APIError(
        code: "ambiguous",
        message: "'\(argument)' fits \(found.count) peers",
        hint: found.map(\.url).joined(separator: ", ")
      )
    }
    let palette = try call.palette(givenBackTo: peer)
    if let sharing = call.library.sharing {
      try sharing.leave(url: peer.url, palette: palette)
    } else if let store = try call.library.editing() {
      if let rest = palette.flatMap(peer.without) {
        try store.peers.save(rest)
      } else {
        _ = try store.peers.remove(peer.url)
      }
    }
    return TextAnswer(key: "left", text: peer.url)
  }.notInFleets("'hued leave' on a machine of yours")
    .with(\.clientPart, .leaving)
    .logged(as: "leave", "left a peer")
}

extension LibraryCall {
  /// The palette that is given back; nil for all that the peer granted.
  fileprivate func palette(givenBackTo peer: StoredPeer) throws -> PaletteID? {
    guard let argument = try parameters.optionalText("palette") else { return nil }
    let granted = peer.grants.compactMap(\.palette)
    let store = try library.reading()
    // A palette that never came has no name here.
    let byName = try? store?.visiblePalette(argument).id
    let prefix = argument.lowercased()
    let palette =
      byName
      ?? granted.first { prefix.utf8.count >= 4 && $0.description.hasPrefix(prefix) }
    guard let palette, granted.contains(palette) else {
      throw APIError(
        code: "not-found",
        message: "\(peer.url) granted nothing for '\(argument)' alone",
        hint: "'hued peers' shows what was granted; 'hued leave \(peer.url)' gives all of it back"
      )
    }
    return palette
  }
}

extension Received where Form == TextAnswer {
  /// The peer that was left.
  package var left: String { text("left") }
}
