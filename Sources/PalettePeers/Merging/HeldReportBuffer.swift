internal import PaletteMerge
internal import PaletteModel
internal import PaletteStore

/// The reports of what peers hold, until they are written: with the next commit, or after a short
/// while.
///
/// Losing it costs nothing but a number that is too high until the peer says it again.
final class HeldReportBuffer {
  private struct Key: Hashable {
    let url: String
    let palette: PaletteID
  }

  /// The time that a statement waits for a commit to go along with.
  static let delayMilliseconds: Int64 = 250

  private var statements: [Key: HeldReport] = [:]
  private var sinceMilliseconds: Int64?
  /// True if one of them tells all that a peer holds, so that it must not wait.
  private(set) var hasWhole = false
  /// The digest under which each peer is recorded, or about to be, as holding everything.
  private var whole: [String: Digest] = [:]

  /// Adds a statement.
  func add(_ statement: HeldReport, at milliseconds: Int64) {
    whole[statement.url] = nil
    // A peer that was restored holds less than it has said: nobody is to be told otherwise.
    if statement.isWhole { hasWhole = true }
    let key = Key(url: statement.url, palette: statement.palette)
    if statements[key]?.update(with: statement) == nil { statements[key] = statement }
    sinceMilliseconds = sinceMilliseconds ?? milliseconds
  }

  /// A peer holds all that is here, and no statement is missing that would say so.
  func remember(_ url: String, holds digest: Digest) { whole[url] = digest }

  /// Returns whether it is written that a peer holds all that is here.
  func knows(_ url: String, toHold digest: Digest) -> Bool { whole[url] == digest }

  /// Returns whether something waits that a peer said of a palette.
  func holds(of palette: PaletteID, by url: String) -> Bool {
    statements[Key(url: url, palette: palette)] != nil
  }

  /// Returns whether something has waited long enough.
  func isDue(at milliseconds: Int64) -> Bool {
    // A clock that went back must not keep it waiting.
    sinceMilliseconds.map { abs(milliseconds - $0) >= Self.delayMilliseconds } ?? false
  }

  var isEmpty: Bool { statements.isEmpty }

  /// The reports that wait.
  var all: [HeldReport] { Array(statements.values) }

  /// Begins to write what waits; if that fails, none of it is urgent any more.
  func beginWriting() -> [HeldReport] {
    hasWhole = false
    return all
  }

  /// Forgets what waits: it is written, or not needed any more.
  func removeAll() {
    statements = [:]
    sinceMilliseconds = nil
  }

  /// Forgets what a peer said.
  func remove(_ url: String) {
    statements = statements.filter { $0.key.url != url }
    whole[url] = nil
    if statements.isEmpty { sinceMilliseconds = nil }
  }
}
