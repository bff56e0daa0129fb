import PaletteMerge
import PaletteTestSupport

/// An edit as the workloads define it: of ten, six recolor, two rename, one moves, one deletes.
struct BenchEdit {
  enum Kind {
    case recolor(UInt32)
    case rename(String)
    case move(UInt64)
    case delete
  }

  /// The index of the color in the base.
  let target: Int
  let kind: Kind

  /// The edits of a base of `base` colors: three draws each, of a color that is still there.
  static func edits(base: Int, _ count: Int, seed: UInt64) -> [BenchEdit] {
    var random = SeededRandom(seed: seed)
    var live = Array(0..<base)
    return (0..<count).map { number in
      let (choice, at, draw) = (random.next() % 100, random.next(), random.next())
      let index = Int(at % UInt64(live.count))
      let target = live[index]
      switch choice {
      case 0..<60: return BenchEdit(target: target, kind: .recolor(UInt32(draw & 0xFFFF_FFFF)))
      case 60..<80:
        return BenchEdit(target: target, kind: .rename("\(BenchColor.words(draw)) r\(number)"))
      case 80..<90:
        return BenchEdit(target: target, kind: .move(draw % (UInt64(base) * 1000)))
      default:
        live[index] = live[live.count - 1]
        live.removeLast()
        return BenchEdit(target: target, kind: .delete)
      }
    }
  }

  /// Edits that recolor, so that there is no end to them.
  static func recolors(base: Int, _ count: Int, seed: UInt64) -> [BenchEdit] {
    var random = SeededRandom(seed: seed)
    return (0..<count).map { _ in
      let target = Int(random.next() % UInt64(base))
      return BenchEdit(target: target, kind: .recolor(UInt32(random.next() & 0xFFFF_FFFF)))
    }
  }

  /// Makes the edit that a user would make.
  func edit(of colors: [BenchColor]) -> Edit {
    let id = colors[target].id
    return switch kind {
    case .recolor(let rgba): .set(id, [.color: RegisterValue(color: BenchColor.color(rgba))])
    case .rename(let name): .set(id, [.name: RegisterValue(text: name)])
    case .move(let position):
      .set(id, [.place: RegisterValue(placeBytes: BenchColor.place(position).bytes)])
    case .delete: .delete(id)
    }
  }

  /// The colors after the edits, made in turn.
  static func apply(_ edits: [BenchEdit], to colors: [BenchColor]) -> [BenchColor] {
    var colors: [BenchColor?] = colors
    for edit in edits {
      switch edit.kind {
      case .recolor(let rgba): colors[edit.target]?.rgba = rgba
      case .rename(let name): colors[edit.target]?.name = name
      case .move(let position): colors[edit.target]?.position = position
      case .delete: colors[edit.target] = nil
      }
    }
    return colors.compactMap(\.self).sorted {
      $0.position == $1.position ? $0.id < $1.id : $0.position < $1.position
    }
  }
}
