import PaletteMerge
import PaletteModel

extension PaletteWriter {
  /// An addition of a color that is only hidden, as what brings it back and gives it the values it had.
  func bringingBack(_ edit: Edit) throws(StoreError) -> [Edit] {
    guard edit.kind == .add, try !state(of: edit.record).values.isEmpty,
      let place = edit.value(of: .place)
    else { return [edit] }
    var writes: [Change.Write] = []
    for register in [Register.name, .color, .note] {
      // A note that was never written and an empty one are the same to everybody.
      let none = register == .note ? RegisterValue(text: "") : nil
      let shown = try shown(register, of: edit.record)?.value ?? none
      guard let wanted = edit.value(of: register) ?? none, shown != wanted else { continue }
      writes.append(Change.Write(register, value: wanted))
    }
    let restore = Edit.restore(edit.record, [.place: place])
    return writes.isEmpty ? [restore] : [restore, .set(edit.record, writes: writes)]
  }
}
