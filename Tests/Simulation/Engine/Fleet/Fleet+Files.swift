import PaletteFileLinks
import PaletteModel

/// Other programs, which open, save and spoil the palette files of machines.
extension Fleet {
  func cause(_ action: FileAction, _ file: PaletteFile, at index: Int) throws {
    // Who may not edit a palette gets a file that nobody edits, and that is no link.
    guard machines[index].isPresent, mayEdit(machines[index], file.palette) else { return }
    let machine = machines[index]
    if action == .link { return try link(file, true, at: machine) }
    if action == .unlink { return try link(file, false, at: machine) }
    guard let there = machine.files[file], there.condition != .partial, !there.isBeingSaved else {
      return
    }
    switch action {
    case .link, .unlink: break
    case .open: _ = there.read()
    case .save(let edit, let style): try save(edit, style, there, at: machine)
    case .damage(let how):
      if there.spoil(how, at: now) { tell(.fileChanged, file, at: machine) }
    case .repair:
      try checkPause(there, at: machine)
      if there.repair() { tell(.fileChanged, file, at: machine) }
    case .pull(let other):
      guard other != index, let theirs = machines[other].files[file] else { return }
      if there.pull(theirs) { tell(.fileChanged, file, at: machine) }
    }
  }

  private func save(
    _ edit: FileEdit,
    _ style: SaveStyle,
    _ file: SimulatedFile,
    at machine: Machine
  ) throws {
    // Nobody saves what he has read long ago and has not changed.
    if edit == .none || style.readsBefore || !file.isOpen {
      guard file.read() || edit != .none else { return }
    }
    let isKnown = machine.links[file.file] != nil || !machine.isRunning
    guard
      let bytes = file.edit(edit, isLossy: style.isLossy, number: step, isKnown: isKnown)
    else { return }
    guard style.pieces > 0 else {
      file.save(bytes)
      return tell(.fileChanged, file.file, at: machine)
    }
    try save(bytes, 0, style, file.file, at: machine)
  }

  /// Writes a piece into a file, and closes it behind the last one.
  func save(
    _ bytes: [UInt8],
    _ number: Int,
    _ style: SaveStyle,
    _ name: PaletteFile,
    at machine: Machine
  ) throws {
    guard let file = machine.files[name] else { return }
    file.isBeingSaved = number <= style.pieces
    guard file.isBeingSaved else { return tell(.fileChanged, name, at: machine) }
    file.save(bytes, count: number < style.pieces ? bytes.count * number / style.pieces : nil)
    tell(.fileBegun, name, at: machine)
    let next = FileEvent(
      machine: machine.index,
      file: name,
      link: nil,
      kind: .piece(bytes, number + 1, style)
    )
    queue.schedule(.file(next), at: now + style.pauseMilliseconds)
  }

  /// Puts back all that was spoiled.
  func repairFiles() throws {
    for machine in machines where machine.isPresent {
      for file in machine.sortedFiles where file.condition == .damaged {
        if file.repair() { tell(.fileChanged, file.file, at: machine) }
      }
    }
  }

  /// Gives each file of a machine the state of one of which nobody knows what was done there.
  func forgetFiles(of machine: Machine) {
    for file in machine.files.values { file.forget() }
  }
}
