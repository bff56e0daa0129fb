/// The white space at the beginnings of the lines of a text.
struct Indentation {
  let text: [UInt8]

  /// The space at the beginning of the line that a place is in.
  func of(_ place: Int) -> [UInt8] {
    var start = place
    while start > 0, text[start - 1] != 0x0A, text[start - 1] != 0x0D { start -= 1 }
    return Array(text[start...].prefix { $0 == 0x20 || $0 == 0x09 })
  }

  /// The space by which the members of an object are further in than the object.
  func step(of places: [EntryPlace]) -> [UInt8] {
    for place in places where place.lineEnd != nil && place.isMember {
      let (own, around) = (
        of(place.range.lowerBound), place.groups.last.map { of($0.lowerBound) } ?? []
      )
      let step = Array(own.dropFirst(around.count))
      if !place.groups.isEmpty || !around.isEmpty || own.count <= 4, own.starts(with: around),
        !step.isEmpty
      {
        return own.first == 0x09 ? [0x09] : step
      }
    }
    return [0x20, 0x20]
  }

  /// A unit without the space before it, whose lines come to stand in others' place.
  static func core(of unit: [UInt8], from old: [UInt8], to new: [UInt8]) -> [UInt8] {
    let core = unit.drop { $0 == 0x20 || $0 == 0x09 }
    guard old != new else { return Array(core) }
    var result: [UInt8] = []
    var rest = core[...]
    while let end = rest.firstIndex(of: 0x0A) {
      result += rest[...end]
      rest = rest[(end + 1)...]
      if rest.starts(with: old) {
        result += new
        rest = rest.dropFirst(old.count)
      }
    }
    return result + rest
  }
}
