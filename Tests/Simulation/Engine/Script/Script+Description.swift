import PaletteMerge
import PaletteModel
import PaletteSync

extension Script: CustomStringConvertible {
  /// The script in words, a line a step.
  public var description: String {
    let absent = absentMachines
    let present = (0..<machines).filter { !absent.contains(Self.name($0)) }
    var lines = ["\(present.count) machines: \(Self.names(present))"]
    for edge in edges {
      let scope =
        (edge.palette.map { " for palette#\($0)" } ?? "")
        + (edge.milliseconds.map { ", at \($0 / 1000) s" } ?? "")
        + (edge.lastsMilliseconds.map { ", for \($0 / 1000) s" } ?? "")
      lines.append(
        "\(Self.name(edge.dialer)) joined \(Self.name(edge.hub)) as \(edge.role.rawValue)\(scope)"
      )
    }
    if limits.creditBytes < 100_000 {
      lines.append("credit \(limits.creditBytes) bytes, payload \(limits.payloadBytes) bytes")
    }
    lines += steps.map(\.description)
    return lines.joined(separator: "\n")
  }

  /// The name of a machine.
  public static func name(_ machine: Int) -> String {
    String(UnicodeScalar(UInt8(65 + machine % 26)))
  }

  static func names(_ machines: some Sequence<Int>) -> String {
    machines.map(name).joined(separator: ", ")
  }
}

extension Script.Step: CustomStringConvertible {
  /// The step as a line.
  public var description: String {
    let seconds = "\(milliseconds / 1000)." + "\(1000 + milliseconds % 1000)".dropFirst()
    switch event {
    case .edit(let machine, let palette, let edit):
      return "#\(number) \(seconds) \(Script.name(machine)): \(edit.words(palette))"
    case .fault(let fault): return "#\(number) \(seconds) \(fault)"
    }
  }
}

extension UserEdit {
  func words(_ palette: Int) -> String {
    let of = "of palette#\(palette)"
    switch self {
    case .new: return "new palette#\(palette)"
    case .title(let name): return "title palette#\(palette) 't\(name)'"
    case .drop: return "drop palette#\(palette)"
    case .restorePalette: return "restore palette#\(palette)"
    case .add(let first, let count, let index):
      let what = count == 1 ? "c\(first)" : "c\(first) to c\(first + count - 1)"
      return "add palette#\(palette) \(what) \(index.map { "at \($0)" } ?? "at the end")"
    case .recolor(let color, let value): return "set c\(color) \(of) to value \(value)"
    case .rename(let color, let name): return "rename c\(color) \(of) to 'n\(name)'"
    case .note(let color, let text): return "note c\(color) \(of): \(text)"
    case .tweak(let color, let isLighter):
      return "tweak c\(color) \(of) \(isLighter ? "lighter" : "darker")"
    case .move(let color, let index): return "move c\(color) \(of) to \(index)"
    case .remove(let colors):
      return "remove \(colors.map { "c\($0)" }.joined(separator: ", ")) \(of)"
    case .restore(let color): return "restore c\(color) \(of)"
    case .resolve(let color, let register, let choice):
      return "resolve \(register) of c\(color) \(of) by choice \(choice)"
    case .undo: return "undo in palette#\(palette)"
    case .redo: return "redo in palette#\(palette)"
    case .importList(let entries):
      let list = entries.map { entry in
        "\(entry.color.map { "c\($0) " } ?? "")'n\(entry.name)' value \(entry.value)"
      }
      return "import into palette#\(palette): \(list.joined(separator: ", "))"
    case .compact(let age): return "compact palette#\(palette) older than \(age) ms"
    }
  }
}

extension Script.Edge {
  /// The grant, in words.
  var words: String { role.rawValue + (palette.map { " of palette#\($0)" } ?? "") }
}

extension Fault: CustomStringConvertible {
  /// The fault in words.
  public var description: String {
    func name(_ machine: Int) -> String { Script.name(machine) }
    switch self {
    case .cut(let one, let other, let later):
      return "cut between \(name(one)) and \(name(other)), noticed \(later) ms later there"
    case .partition(let some, let time): return "\(Script.names(some)) cut off for \(time) ms"
    case .distort(let from, let to, let how, let time):
      return "messages from \(name(from)) to \(name(to)) \(how.rawValue) for \(time) ms"
    case .slowReader(let machine, let time): return "\(name(machine)) reads slowly for \(time) ms"
    case .crash(let machine, let syncs, let isAfter, let back):
      let when = "\(isAfter ? "after" : "before") sync \(syncs + 1) from now"
      return "\(name(machine)) loses power \(when), back \(back) ms later"
    case .powerLoss(let machine, let back):
      return "\(name(machine)) loses power, back \(back) ms later"
    case .restart(let machine, let back): return "\(name(machine)) ends, back \(back) ms later"
    case .diskFailure(let machine, let kind, let skip, let count):
      return "\(name(machine))'s disk: \(count) x \(kind.rawValue) fails, after \(skip) others"
    case .slowDisk(let machine, let time): return "\(name(machine))'s disk is slow for \(time) ms"
    case .look(let machine, let palette, let color):
      return
        "\(name(machine)) looks at \(color.map { "c\($0) of " } ?? "nothing in ")palette#\(palette)"
    case .fetchHistory(let machine, let palette):
      return "\(name(machine)) asks for the history of palette#\(palette)"
    case .clockJump(let machine, let time): return "\(name(machine))'s clock jumps by \(time) ms"
    case .backup(let machine): return "\(name(machine)) is backed up"
    case .recover(let machine): return "\(name(machine)) recovers its backup"
    case .image(let machine): return "\(name(machine))'s disk is put aside as it is"
    case .rollBack(let machine, let time):
      return "\(name(machine))'s disk is put back to its last image, cut off for \(time) ms"
    case .clone(let machine, let new):
      return "\(name(machine)) is cloned to a new machine, \(name(new))"
    case .versions(let machine, let versions): return "\(name(machine)) speaks versions \(versions)"
    case .revoke(let hub, let dialer): return "\(name(hub)) revokes \(name(dialer))'s token"
    case .revokeOne(let edge):
      return "\(name(edge.hub)) revokes that \(name(edge.dialer)) is \(edge.words)"
    case .giveBack(let edge, let back):
      return
        "\(name(edge.dialer)) is no more \(edge.words) at \(name(edge.hub)), again \(back) ms later"
    case .share(let hub, let dialer): return "\(name(hub)) shares with \(name(dialer)) anew"
    case .leave(let hub, let dialer, let back):
      return "\(name(dialer)) leaves \(name(hub)), joins again \(back) ms later"
    case .move(let dialer, let hub, let other):
      return "\(name(dialer)) leaves \(name(hub)) for \(name(other))"
    case .syncNow(let machine): return "\(name(machine)): sync"
    case .file(let machine, let file, let action):
      return "\(name(machine))'s \(file) \(action.words)"
    }
  }
}
