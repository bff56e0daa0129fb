import PaletteModel

/// How far a session is with its palettes; those that were never compared are not in here.
///
/// A library may have thousands of palettes, and something happens to one of them with every frame. So
/// what is left to do is known without looking at all of them.
struct ProgressTable: Sendable {
  private var states: [PaletteID: PaletteProgress] = [:]
  /// The palettes of which something is left to push, in order.
  private(set) var due: [PaletteID] = []
  private var unfinished = 0

  /// Whether nothing is left to do for any palette.
  var isLive: Bool { unfinished == 0 }

  subscript(palette: PaletteID) -> PaletteProgress? {
    get { states[palette] }
    set {
      let old = states[palette]
      states[palette] = newValue
      unfinished += (newValue.isFinished ? 0 : 1) - (old.isFinished ? 0 : 1)
      guard old.isPushing != newValue.isPushing else { return }
      let position = position(of: palette)
      if newValue.isPushing {
        due.insert(palette, at: position)
      } else {
        due.remove(at: position)
      }
    }
  }

  /// Where a palette is among those that are due, or belongs.
  private func position(of palette: PaletteID) -> Int {
    var low = 0
    var high = due.count
    while low < high {
      let middle = (low + high) / 2
      if due[middle] < palette { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension PaletteProgress? {
  fileprivate var isFinished: Bool {
    switch self {
    case .live, nil: true
    case .comparing, .pushing, .pushingSnapshot, .pushingPacked: false
    }
  }

  fileprivate var isPushing: Bool {
    switch self {
    case .pushing, .pushingSnapshot, .pushingPacked: true
    case .comparing, .live, nil: false
    }
  }
}
