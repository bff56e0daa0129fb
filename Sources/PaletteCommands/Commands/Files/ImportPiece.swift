internal import PaletteFormats
internal import PaletteModel
internal import PaletteStore
internal import Synchronization

/// What is carried out of an import at once: whole palettes, or a part of one.
enum ImportPiece: Sendable {
  /// The files for palettes that are written whole.
  case files([ImportFile])
  /// One of the parts in which a palette is written, and how many follow.
  case part(of: LongImport, left: Int)
}

extension ImportPiece {
  /// How many colors a piece has, more or less; a turn of the node takes as many pieces as it has time.
  private static let colorLimit = 500

  /// An import in pieces; files of one palette stay together.
  ///
  /// A title that may be the id of a palette leads to one that may have another name, too: then all of
  /// it is one piece.
  static func pieces(of files: [ImportFile], into name: String?) -> [PreparedCall] {
    let titles = files.map { ($0.title ?? "") }
    let sizes = files.map(\.contents.entries.count)
    func whole(_ indexes: [Int]) -> PreparedCall {
      let size = indexes.reduce(0) { $0 + sizes[$1] }
      return PreparedCall(Self.files(indexes.map { files[$0] }), indexes: indexes, size: size)
    }
    guard name != nil || !titles.contains(where: { PaletteID($0) != nil }) else {
      return [whole(Array(files.indices))]
    }
    var groups: [[Int]] = []
    var numbers: [[UInt8]: Int] = [:]
    for (index, title) in titles.enumerated() {
      let key = name == nil ? Array(title.utf8) : []
      if let number = numbers[key] {
        groups[number].append(index)
      } else {
        numbers[key] = groups.count
        groups.append([index])
      }
    }
    var pieces: [PreparedCall] = []
    var gathered: [Int] = []
    var room = colorLimit
    func endGathering() {
      guard !gathered.isEmpty else { return }
      pieces.append(whole(gathered))
      (gathered, room) = ([], colorLimit)
    }
    for group in groups {
      let count = group.reduce(0) { $0 + sizes[$1] }
      if count > room { endGathering() }
      guard count > colorLimit else {
        gathered += group
        room -= count
        continue
      }
      let long = LongImport(group.map { files[$0] })
      let parts = (count + colorLimit - 1) / colorLimit
      for left in (0..<parts).reversed() {
        let piece = Self.part(of: long, left: left)
        let indexes = left == 0 ? group : []
        pieces.append(
          PreparedCall(piece, indexes: indexes, size: count / parts) { long.hasBegun }
        )
      }
    }
    endGathering()
    return pieces.isEmpty ? [whole([])] : pieces
  }
}

/// The import of one palette that is written part by part.
final class LongImport: Sendable {
  private let state: Mutex<State>

  private struct State {
    var files: [ImportFile]
    var planned: PaletteImport?
    var action: LongAction?
    var hasEnded = false
  }

  init(_ files: [ImportFile]) {
    state = Mutex(State(files: files))
  }

  /// Whether something was written that the other parts complete.
  var hasBegun: Bool {
    state.withLock { $0.action.map { !$0.isNew } ?? false && !$0.hasEnded }
  }

  /// Writes the next part.
  ///
  /// - Parameters:
  ///   - store: The library.
  ///   - author: Whose edits they are.
  ///   - left: How many parts follow.
  ///   - plan: Finds the palette of the files, and compares it with them.
  /// - Returns: The files, after the last part.
  /// - Throws: Why it was not written; what was written before is taken back.
  func writePart(
    in store: ChangeStore,
    as author: AuthorID,
    left: Int,
    plan: (inout [ImportFile]) throws -> PaletteImport?
  ) throws -> [ImportFile] {
    try state.withLock { state in
      guard !state.hasEnded else { return left == 0 ? state.files : [] }
      do {
        if state.planned == nil {
          state.planned = try plan(&state.files)
          state.action = state.planned?.action
        }
        if let palette = state.planned, var action = state.action {
          try store.write(as: author) { transaction throws(StoreError) in
            let writer = try transaction.palette(beginning: palette.palette)
            if action.isNew, let name = palette.name { try writer.begin(named: name) }
            try action.write(in: writer, partsLeft: left + 1)
          }
          state.action = action
        }
        state.hasEnded = left == 0 || state.action == nil
        return left == 0 ? state.files : []
      } catch {
        state.hasEnded = true
        if let palette = state.planned, let action = state.action {
          // Where that fails too, it is taken back when the library is next opened.
          try? store.write(as: author) { transaction throws(StoreError) in
            guard let writer = try transaction.palette(palette.palette) else { return }
            try action.revert(in: writer)
          }
        }
        throw error
      }
    }
  }
}
