/// The identity of a running hub: random for each start.
package struct HubID: Hashable, Sendable {
  /// The number that the database keeps.
  package let number: Int64

  /// Makes an id from its number.
  package init(_ number: Int64) {
    self.number = number
  }

  /// Makes a new id.
  package static func random(using generator: inout some RandomNumberGenerator) -> HubID {
    HubID(Int64.random(in: 1...Int64.max, using: &generator))
  }

  /// Makes a new id for a command that needs a library for a moment.
  package static func command(using generator: inout some RandomNumberGenerator) -> HubID {
    HubID(-Int64.random(in: 1...Int64.max, using: &generator))
  }

  /// True for a command, which serves nobody and gets each library that it wants at once.
  package var isCommand: Bool { number < 0 }
}

/// A hub's row.
package struct LogHub: Hashable, Sendable {
  /// The hub.
  package let id: HubID
  /// Its name, for people.
  package let name: String
  /// The machine on which it runs.
  package let machine: String
  /// The address under which people reach the fleet.
  package let url: String
  /// The number of seconds that it has lived.
  package var beat: Int64 = 0
  /// The time of its last beat by the clock of the database, in milliseconds since 1970; for people.
  package var seen: Int64 = 0
  /// True once it is dead, for ever.
  package var isDead = false
  /// True if the database has not heard of it for long, where hubs are listed; for people: only beats and
  /// the own clock say that a hub is dead.
  package var isSilent = false
  /// The number of libraries that it owns, where hubs are listed.
  package var libraries = 0

  /// Describes a hub.
  package init(id: HubID, name: String, machine: String, url: String) {
    self.id = id
    self.name = name
    self.machine = machine
    self.url = url
  }
}

/// The answer to a beat.
package struct BeatAnswer: Hashable, Sendable {
  /// A library that the hub owns.
  package struct Owned: Hashable, Sendable {
    /// The epoch under which the hub owns it.
    package let epoch: Int64
    /// The hub that wants it.
    package let wanted: HubID?

    /// Describes a library.
    package init(epoch: Int64, wanted: HubID?) {
      self.epoch = epoch
      self.wanted = wanted
    }
  }

  /// The number of the beat.
  package let beat: Int64
  /// Everything that the hub owns.
  package let owned: [SharedLibraryID: Owned]
  /// The beats of all hubs that are not dead.
  package let beats: [HubID: Int64]

  /// Describes an answer.
  package init(beat: Int64, owned: [SharedLibraryID: Owned], beats: [HubID: Int64]) {
    self.beat = beat
    self.owned = owned
    self.beats = beats
  }
}
