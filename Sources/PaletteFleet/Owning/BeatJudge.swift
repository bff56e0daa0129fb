/// The judgement about which other hubs are dead, by the own clock alone.
struct BeatJudge: Hashable, Sendable {
  /// The time for which a beat has to stand still; longer than a lease.
  static let stillness = 6.0
  /// The time after which a hub that owns nothing is dead as well.
  static let oblivion = 60.0
  /// The longest time between two answers of the own beats that counts.
  static let longestGap = 2.5

  private struct Sighting: Hashable {
    var beat: Int64
    var first: Double
    var last: Double
  }

  private var sightings: [HubID: Sighting] = [:]
  private var answered: Double?

  /// Notes the beats that an own beat was answered with.
  ///
  /// A beat is seen at some time between the question and the answer: what counts is the time from the
  /// answer that showed it first to the question that showed it last.
  mutating func note(_ beats: [HubID: Int64], sent: Double, now: Double) {
    let isSteady = answered.map { sent - $0 <= Self.longestGap } ?? false
    answered = now
    sightings = Dictionary(
      uniqueKeysWithValues: beats.map { hub, beat in
        guard isSteady, var known = sightings[hub], known.beat == beat else {
          return (hub, Sighting(beat: beat, first: now, last: now))
        }
        known.last = sent
        return (hub, known)
      }
    )
  }

  /// The beat at which a hub stood still for long enough; nil while it may live.
  func stillBeat(of hub: HubID) -> Int64? {
    guard let seen = sightings[hub], seen.last - seen.first >= Self.stillness else { return nil }
    return seen.beat
  }

  /// The hubs that stood still for so long that nobody can be waiting for them, with their beats.
  var forgotten: [(hub: HubID, beat: Int64)] {
    sightings.filter { $0.value.last - $0.value.first >= Self.oblivion }
      .sorted { $0.key.number < $1.key.number }
      .map { ($0.key, $0.value.beat) }
  }

  /// Returns whether a hub was alive at the last beat.
  func isListed(_ hub: HubID) -> Bool { sightings[hub] != nil }
}
