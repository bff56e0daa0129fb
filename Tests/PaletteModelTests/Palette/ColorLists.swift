import PaletteModel
import Testing

extension RecordID {
  /// A recognisable id for tests.
  static func numbered(_ number: Int) -> Self { Self(high: 7, low: UInt64(number)) }
}

extension NamedColor {
  /// A recognisable color for tests.
  static func numbered(_ number: Int, version: Int = 0) -> Self {
    Self(id: .numbered(number), name: "color \(number) \(version)", color: Color(.srgb, 0, 0.5, 1))
  }
}

extension [NamedColor] {
  /// The list of these numbers.
  static func numbered(_ numbers: some Sequence<Int>) -> Self { numbers.map { .numbered($0) } }

  /// Ids and contents, which `==` of named colors does not compare.
  var contents: [String] { map { "\($0.id) \($0.name) \($0.color) \($0.note)" } }
}

/// A pair of lists to compare.
struct ListPair: CustomTestStringConvertible {
  let title: String
  let old: [NamedColor]
  let new: [NamedColor]

  init(_ title: String, _ old: some Sequence<Int>, _ new: some Sequence<Int>) {
    self.title = title
    self.old = .numbered(old)
    self.new = .numbered(new)
  }

  var testDescription: String { title }

  /// A list and another made of it by some of every kind of edit.
  init(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let old = [NamedColor].numbered(0..<Int.random(in: 0...40, using: &random))
    var new = old
    for step in 0..<Int.random(in: 0...25, using: &random) {
      let place = Int.random(in: 0...new.count, using: &random)
      switch (Int.random(in: 0..<5, using: &random), place < new.count) {
      case (0, true): new.remove(at: place)
      case (1, true):
        let color = new.remove(at: place)
        new.insert(color, at: Int.random(in: 0...new.count, using: &random))
      case (2, true): new[place].name = "changed \(step)"
      case (3, true): new[place].note = "note \(step)"
      default: new.insert(.numbered(1000 + step), at: place)
      }
    }
    title = "seed \(seed)"
    self.old = old
    self.new = new
  }
}
