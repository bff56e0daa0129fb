import PaletteMerge
import PaletteModel

extension Frame {
  /// The bytes of the frame.
  public var encoded: [UInt8] {
    var writer = CBORWriter(reservingCapacity: 64)
    switch self {
    case .hello(let hello): writer.write(hello)
    case .welcome(let welcome): writer.write(welcome)
    case .refuse(let code, let reason):
      writer.begin(2, items: 2)
      writer.write(text: code)
      writer.write(text: reason)
    case .summary(let digest):
      writer.begin(3, items: 1)
      writer.write(digest)
    case .buckets(let digests):
      writer.begin(4, items: 1)
      writer.write(array: digests.count)
      for digest in digests { writer.write(digest) }
    case .palettes(let buckets, let entries, let isLast):
      writer.begin(5, items: 3)
      writer.write(bytes: buckets)
      writer.write(array: entries.count)
      for entry in entries {
        writer.write(array: 2)
        writer.write(entry.palette.record)
        writer.write(entry.digest)
      }
      writer.write(isLast)
    case .frontier(let palette, let frontier, let digest, let asks, let isLast):
      writer.begin(6, items: 5)
      writer.write(palette.record)
      writer.write(frontier)
      writer.write(digest)
      writer.write(asks)
      writer.write(isLast)
    case .changes(let palette, let node, let first, let changes):
      writer.begin(7, items: 4)
      writer.write(palette.record)
      writer.write(unsigned: node.rawValue)
      writer.write(unsigned: UInt64(first))
      writer.write(array: changes.count)
      for change in changes { writer.write(bytes: change) }
    case .snapshot(let palette, let index, let isLast, let bytes):
      writer.begin(8, items: 4)
      writer.write(palette.record)
      writer.write(unsigned: index)
      writer.write(isLast)
      writer.write(bytes: bytes)
    case .ack(let palette, let frontier):
      writer.begin(9, items: 2)
      writer.write(palette.record)
      writer.write(frontier)
    case .nack(let palette, let dot, let code, let reason):
      writer.begin(10, items: 5)
      writer.write(palette.record)
      writer.write(unsigned: dot.node.rawValue)
      writer.write(unsigned: UInt64(dot.sequence))
      writer.write(text: code)
      writer.write(text: reason)
    case .credit(let bytes):
      writer.begin(11, items: 1)
      writer.write(unsigned: bytes)
    case .presence(let presence):
      writer.begin(12, items: 6)
      writer.write(unsigned: presence.who.node.rawValue)
      writer.write(unsigned: presence.who.session)
      writer.write(text: presence.name)
      writer.write(unsigned: presence.milliseconds)
      writer.write(optional: presence.palette?.record)
      writer.write(optional: presence.selection)
    case .ping(let time):
      writer.begin(13, items: 1)
      writer.write(unsigned: time)
    case .pong(let time, let own):
      writer.begin(14, items: 2)
      writer.write(unsigned: time)
      writer.write(unsigned: own)
    case .goaway(let milliseconds):
      writer.begin(15, items: 1)
      writer.write(unsigned: milliseconds)
    case .bye: writer.begin(16, items: 0)
    case .packed(let palette, let part):
      writer.begin(23, items: 5)
      writer.write(palette.record)
      writer.write(unsigned: part.index)
      writer.write(part.isLast)
      writer.write(bytes: part.plain)
      writer.write(bytes: part.squeezed)
    case .packedChanges(let palette, let changes):
      writer.begin(24, items: 3)
      writer.write(palette.record)
      writer.write(bytes: changes.plain)
      writer.write(bytes: changes.squeezed)
    case .lacking(let palettes):
      writer.begin(29, items: 1)
      writer.write(array: palettes.count)
      for palette in palettes { writer.write(palette.record) }
    case .whole(let whole):
      writer.begin(30, items: 3)
      writer.write(array: whole.entries.count)
      for entry in whole.entries {
        writer.write(array: 3)
        writer.write(entry.palette.record)
        writer.write(entry.digest)
        writer.write(unsigned: UInt64(entry.rows))
      }
      writer.write(bytes: whole.rows.plain)
      writer.write(bytes: whole.rows.squeezed)
    case .acks(let acks):
      writer.begin(31, items: 1)
      writer.write(array: acks.count)
      for ack in acks {
        writer.write(array: 2)
        writer.write(ack.palette.record)
        writer.write(ack.frontier)
      }
    case .linksOf(let palette, let node, let sequences):
      writer.begin(17, items: 3)
      writer.write(palette.record)
      writer.write(unsigned: node.rawValue)
      writer.write(array: sequences.count)
      for sequence in sequences { writer.write(unsigned: UInt64(sequence)) }
    case .links(let palette, let node, let links):
      writer.begin(18, items: 3)
      writer.write(palette.record)
      writer.write(unsigned: node.rawValue)
      writer.write(array: links.count)
      for link in links {
        writer.write(array: 2)
        writer.write(unsigned: UInt64(link.sequence))
        if let link = link.link { writer.write(eightBytes: link) } else { writer.writeNull() }
      }
    case .historyOf(let palette, let node, let first, let last):
      writer.begin(20, items: 4)
      writer.write(palette.record)
      writer.write(unsigned: node.rawValue)
      writer.write(unsigned: UInt64(first))
      writer.write(unsigned: UInt64(last))
    case .history(let history):
      writer.begin(21, items: 5)
      writer.write(history.palette.record)
      writer.write(unsigned: history.node.rawValue)
      writer.write(unsigned: UInt64(history.last))
      if let since = history.sinceMilliseconds {
        writer.write(unsigned: since)
      } else {
        writer.writeNull()
      }
      writer.write(array: history.changes.count)
      for change in history.changes { writer.write(bytes: change) }
    case .challenge(let challenge):
      writer.begin(25, items: 2)
      writer.write(bytes: challenge.secretID)
      writer.write(bytes: challenge.nonce)
    case .proof(let proof):
      writer.begin(26, items: 2)
      writer.write(bytes: proof.nonce)
      writer.write(bytes: proof.code)
    case .giveBack(let palette):
      writer.begin(28, items: 1)
      writer.write(optional: palette?.record)
    case .bindings(let bindings):
      writer.begin(27, items: 1)
      writer.write(array: bindings.count)
      for binding in bindings {
        writer.write(array: 2)
        writer.write(unsigned: binding.node.rawValue)
        writer.write(binding.library)
      }
    }
    return writer.bytes
  }
}

extension CBORWriter {
  fileprivate mutating func begin(_ type: UInt64, items: Int) {
    write(array: items + 1)
    write(unsigned: type)
  }

  fileprivate mutating func write(_ hello: Hello) {
    begin(0, items: 9)
    write(array: hello.versions.count)
    for version in hello.versions { write(unsigned: version) }
    write(hello.features)
    write(unsigned: hello.node.rawValue)
    write(hello.library)
    write(text: hello.name)
    write(unsigned: hello.milliseconds)
    write(bytes: hello.secret)
    write(bytes: hello.code)
    write(array: hello.otherNodes.count)
    for node in hello.otherNodes { write(unsigned: node.rawValue) }
  }

  fileprivate mutating func write(_ welcome: Welcome) {
    begin(1, items: 8)
    write(unsigned: welcome.version)
    write(unsigned: welcome.node.rawValue)
    write(welcome.library)
    write(text: welcome.name)
    write(array: welcome.grants.count)
    for grant in welcome.grants {
      write(array: 3)
      write(text: grant.role.rawValue)
      write(optional: grant.palette?.record)
      if let end = grant.expiresMilliseconds {
        write(unsigned: UInt64(max(0, end)))
      } else {
        writeNull()
      }
    }
    write(unsigned: welcome.frameBytes)
    write(unsigned: welcome.milliseconds)
    write(welcome.features)
  }

  private mutating func write(_ features: [String]) {
    write(array: features.count)
    for feature in features { write(text: feature) }
  }

  mutating func write(_ digest: Digest) { write(bytes: digest.bytes) }

  mutating func write(_ frontier: Frontier) {
    write(map: frontier.count)
    for (node, head) in frontier.sorted(by: { $0.key < $1.key }) {
      write(unsigned: node.rawValue)
      write(array: 2)
      write(unsigned: UInt64(head.sequence))
      write(eightBytes: head.link)
    }
  }

  fileprivate mutating func write(optional id: RecordID?) {
    if let id { write(id) } else { writeNull() }
  }
}
