import PaletteModel

/// A palette file at a machine: of which palette, and in which format.
public struct PaletteFile: Hashable, Sendable, CustomStringConvertible {
  /// The formats that files have: one that rounds, one that spells names otherwise, one without names,
  /// and one that keeps everything.
  public enum Format: String, CaseIterable, Sendable {
    case gpl, css, hex, json
  }

  /// The number of the palette.
  public let palette: Int
  /// The format.
  public let format: Format

  /// Creates the name of a file.
  public init(_ palette: Int, _ format: Format) {
    self.palette = palette
    self.format = format
  }

  /// The file that a path names; nil for another path.
  init?(path: String) {
    let parts = path.dropFirst().split(separator: ".")
    guard parts.count == 2, let palette = Int(parts[0]),
      let format = Format(rawValue: "\(parts[1])")
    else { return nil }
    self.init(palette, format)
  }

  var path: String { "/\(palette).\(format.rawValue)" }

  /// The file in words.
  public var description: String { "\(format.rawValue) of palette#\(palette)" }
}

/// Something that happens to a palette file, most of it by another program.
public enum FileAction: Hashable, Sendable {
  /// The file is linked to its palette.
  case link
  /// It is linked no more.
  case unlink
  /// The other program reads the file.
  case open
  /// Its user edits what it has, and saves that.
  case save(FileEdit, SaveStyle)
  /// Something spoils the file.
  case damage(FileDamage)
  /// Somebody puts back what was there before it was spoiled.
  case repair
  /// A version control system brings the file of another machine.
  case pull(from: Int)
}

/// An edit that the user of another program makes in a list of colors; the numbers choose a line.
public enum FileEdit: Hashable, Sendable {
  case recolor(Int)
  case rename(Int)
  case add(at: Int)
  case remove(Int)
  case move(Int, to: Int)
  case retitle
  /// Nothing: only the program's own way of writing may differ.
  case none
}

/// The way in which another program saves.
public struct SaveStyle: Hashable, Sendable {
  /// True if it reads the file before, and does not save what it has had for long.
  public var readsBefore: Bool
  /// In how many pieces it writes into the file itself; 0 for a new file in place of the old one.
  public var pieces: Int
  /// The time from one piece to the next.
  public var pauseMilliseconds: Int64
  /// True if it loses what it does not understand: names, or all but the bytes of a color.
  public var isLossy: Bool

  /// Creates a style, without pieces unless they are given.
  public init(
    readsBefore: Bool,
    pieces: Int = 0,
    pauseMilliseconds: Int64 = 1,
    isLossy: Bool = false
  ) {
    self.readsBefore = readsBefore
    self.pieces = pieces
    self.pauseMilliseconds = pauseMilliseconds
    self.isLossy = isLossy
  }
}

/// The damage of a file.
public enum FileDamage: String, CaseIterable, Sendable {
  case emptied, deleted, garbage, markers, cut
}
