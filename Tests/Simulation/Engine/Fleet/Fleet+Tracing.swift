import PalettePeers
import PaletteSync

/// The trace of a run, for a person who wants to follow it.
extension Fleet {
  /// Milliseconds of a step's time, as steps write them.
  var moment: String { "\(now / 1000)." + "\(1000 + now % 1000)".dropFirst() }

  func tell(_ effect: NodeEffect, _ machine: Machine, _ trace: (String) -> Void) {
    switch effect {
    case .sendShared(let link, let frames):
      for frame in frames.frames { tell(.send(link, frame), machine, trace) }
    case .send(let link, let bytes):
      let other = wires[link.rawValue]?.machines.first { $0 != machine.index }
      let frame = (try? Frame(decoding: bytes)).map { "\($0)" } ?? "\(bytes.count) bytes"
      let name = other.map(Script.name) ?? "nobody"
      trace("  \(moment) \(machine.name) to \(name) (\(link.rawValue)): \(frame.prefix(400))")
    case .close(let link, let code, let reason):
      trace("  \(moment) \(machine.name) closes \(link.rawValue): \(code) \(reason)")
    case .dial(let url, _, _, _): trace("  \(moment) \(machine.name) dials \(url)")
    case .log(_, _, let text, _): trace("  \(moment) \(machine.name): \(text)")
    case .greeted, .named, .peersChanged, .cancelDials, .doubt: break
    }
  }

  func tell(_ event: NodeEvent, _ machine: Machine) {
    guard let trace else { return }
    switch event {
    case .closed(let link, let code, _):
      trace("  \(moment) \(machine.name) loses \(link.rawValue): \(code)")
    case .received(let link, let bytes):
      // What was cut off may have no type.
      let type = bytes.dropFirst().first.map { "\($0)" } ?? "none"
      trace(
        "  \(moment) \(machine.name) reads \(bytes.count) bytes of type \(type) on \(link.rawValue)"
      )
    case .congested, .drained: trace("  \(moment) \(machine.name): \(event)")
    default: break
    }
  }
}
