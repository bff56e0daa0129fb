internal import PaletteMerge
internal import PaletteModel
internal import PaletteStore

extension Command {
  package static let compact = Command(
    "compact",
    .care,
    .alone,
    view: .compaction,
    summary: "Forgets old history to save space",
    details: [
      "Removes changes that nothing depends on and that were replaced before TIME; values that "
        + "are shown always stay. Of what can be undone, what is older than TIME and takes more room than the "
        + "palette goes too. TIME is ISO 8601 or an age, 30 days when not given. Asks first "
        + "on a terminal and needs --yes elsewhere."
    ],
    flags: [Flag("before", "TIME", "keep all history since this time")],
    examples: [
      .init("hued compact", "forget what is older than 30 days"),
      .init("hued compact --before '1 year ago' --yes", "forget less, without asking"),
    ],
    otherNames: ["gc", "vacuum", "prune"],
    question: .about("", before: "Forget old history? This cannot be undone.", after: "")
  ) { call in
    let horizon = try CompactionAnswer.horizon(call)
    var answer = CompactionAnswer(horizon: horizon)
    guard let store = try call.library.editing() else { return answer }
    let palettes = try store.palettes()
    for (done, palette) in palettes.enumerated() {
      do throws(APIError) {
        try call.library.report(Progress("Compacting", .palettes, done: done, of: palettes.count))
      } catch {
        // What is counted has to be what is there.
        try store.members.written.recount()
        let consequence = "\(done) of \(palettes.count) palettes are compacted"
        throw APIError.interrupted(consequence, hint: "'hued compact' again does the rest")
      }
      let summary = try store.compact(palette.id, beforeMilliseconds: horizon.milliseconds)
      answer.add(summary, of: palette)
    }
    try store.members.written.recount()
    do throws(APIError) {
      try call.library.report(Progress("Giving space back"))
    } catch {
      throw APIError.interrupted("all is compacted, but the file is as large as it was")
    }
    answer.sizes = try store.tidy()
    return answer
  }.inTurns { LongCompaction() }
    .notInFleets("hubs rewrite the log by themselves")
    .with(\.work, "Compacting")
    .with(\.consequence, .historyCompacted)
}

/// The history that was forgotten.
package struct CompactionAnswer: ObjectAnswer {
  let horizon: Moment
  private var palettes: [CompactedPalette] = []
  private var total = CompactionSummary()
  var sizes = (before: 0, after: 0)

  init(horizon: Moment) {
    self.horizon = horizon
  }

  /// The time that a call names, or thirty days ago.
  static func horizon(_ call: LibraryCall) throws -> Moment {
    let now = call.library.now
    return try call.parameters.optionalMoment("before", now: now)
      ?? now.advanced(by: .seconds(-30 * 86_400))
  }

  /// Adds a palette that is compacted.
  mutating func add(_ summary: CompactionSummary, of palette: PaletteSummary) {
    palettes.append(CompactedPalette(palette: palette, summary: summary))
    total.add(summary)
  }

  package static let fields: [Field<Self>] = [
    Field("before", "ISO 8601") { $0.horizon.description }, Field("palettes") { $0.palettes },
    Field("changes") { $0.total.changes }, Field("removed") { $0.total.removed },
    Field("removedBytes") { $0.total.removedBytes }, Field("bytesBefore") { $0.sizes.before },
    Field("bytesAfter") { $0.sizes.after },
  ]
}

package struct CompactedPalette: ObjectAnswer {
  let palette: PaletteSummary
  let summary: CompactionSummary

  package static let fields: [Field<Self>] = [
    Field("id", "a UUID, lower case") { $0.palette.id.description },
    Field("name") { $0.palette.name }, Field("changes") { $0.summary.changes },
    Field("removed") { $0.summary.removed }, Field("removedBytes") { $0.summary.removedBytes },
  ]
}

extension Received where Form == CompactionAnswer {
  package var palettes: [Received<CompactedPalette>] { parts("palettes") }
}

extension Received where Form == CompactedPalette {
  package var id: String { text("id") }
  package var name: String { text("name") }
  package var changes: Int? { integer("changes") }
  package var removed: Int? { integer("removed") }
  package var removedBytes: Int? { integer("removedBytes") }
}
