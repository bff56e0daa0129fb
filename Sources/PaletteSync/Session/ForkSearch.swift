import PaletteModel

/// The search for the last change of an author that both sides hold, where later ones differ.
///
/// Changes are chained, so both sides hold the same up to some number, and from then on they do not.
/// Each round asks for many links at once: four rounds are enough for any history.
struct ForkSearch: Hashable {
  /// Up to here both sides hold the same.
  private(set) var common: UInt32 = 0
  /// The link of that change, where one side knows it.
  private(set) var link: UInt64?
  /// From here on they do not.
  private(set) var differing: UInt32
  /// Whether a change was found that is not the same on both sides.
  private(set) var isFork = false
  /// What was asked for and not answered yet, ascending.
  private(set) var asked: [UInt32] = []

  /// Begins a search up to a number, which is included.
  init(upTo last: UInt32) {
    differing = last == .max ? last : last + 1
  }

  /// Whether the last common change is found.
  var isDone: Bool { differing <= common + 1 }

  /// Chooses what to ask for next: all that is in question, or numbers at equal distances.
  mutating func ask(_ limit: Int = SyncProtocol.probes) -> [UInt32] {
    let count = Int(differing - common) - 1
    if count <= limit {
      asked = Array(common + 1..<differing)
    } else {
      asked = (1...limit).map { common + UInt32(count * $0 / limit) }
    }
    return asked
  }

  /// Narrows the search by an answer.
  ///
  /// A link that one side no longer knows counts as equal. A change that the peer left out it does
  /// not hold, so it is not common.
  mutating func take(
    _ links: [Frame.Link],
    own: [UInt32: UInt64]
  ) {
    let theirs = Dictionary(
      links.map { ($0.sequence, $0.link) },
      uniquingKeysWith: { first, _ in first }
    )
    for sequence in asked where sequence > common && sequence < differing {
      guard let answer = theirs[sequence] else {
        differing = sequence
        break
      }
      if let answer, let own = own[sequence], answer != own {
        differing = sequence
        isFork = true
        break
      }
      common = sequence
      link = own[sequence] ?? answer
    }
    asked = []
  }
}
