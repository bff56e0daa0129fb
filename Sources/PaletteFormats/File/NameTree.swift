internal import PaletteJSON
internal import PaletteModel

/// The colors of a palette under the groups that their names say, as `Group/Name`.
///
/// The order stays: a group that comes again after others is not opened twice, its colors keep their
/// whole names. Keys differ from each other within a group.
struct NameTree {
  /// The node under a key.
  indirect enum Node {
    /// A color of the palette, by its index.
    case color(Int)
    /// A group.
    case group(NameTree)
  }

  /// A key with what it leads to.
  struct Member {
    let key: String
    var node: Node
  }

  /// The words that mean something else in a configuration of Tailwind.
  static let reservedInScripts: Set<String> = ["colors", "DEFAULT"]

  /// The members in order.
  private(set) var members: [Member] = []
  private let ignoresCase: Bool
  /// The keys, in lower case where case is ignored.
  private var keys: Set<String> = []

  /// Makes the tree for names.
  ///
  /// - Parameters:
  ///   - names: The names of the colors.
  ///   - reserved: What means something else in a path: a name with such a part stays whole.
  ///   - ignoresCase: Whether keys that differ in case are one to whoever reads them.
  ///   - spell: Makes a key of a part of a name.
  init(
    _ names: [String],
    reserved: Set<String> = [],
    ignoresCase: Bool = false,
    spell: (String) -> String = { $0 }
  ) {
    self.ignoresCase = ignoresCase
    for (index, name) in names.enumerated() {
      let parts = name.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
      let isPath =
        parts.count <= 8 && parts.allSatisfy { !$0.isEmpty && $0 == $0.trimmed }
        && reserved.isDisjoint(with: parts)
      insert(index, isPath ? parts[...] : [name], spell: spell)
    }
  }

  private init(ignoresCase: Bool) { self.ignoresCase = ignoresCase }

  private mutating func insert(
    _ index: Int,
    _ path: ArraySlice<String>,
    spell: (String) -> String
  ) {
    guard let first = path.first else { return }
    let key = spell(first)
    if path.count > 1 {
      if let last = members.last, last.key == key, case .group(var group) = last.node {
        group.insert(index, path.dropFirst(), spell: spell)
        members[members.count - 1].node = .group(group)
        return
      }
      if isNew(key) {
        var group = NameTree(ignoresCase: ignoresCase)
        group.insert(index, path.dropFirst(), spell: spell)
        members.append(Member(key: key, node: .group(group)))
        return
      }
    }
    append(.color(index), key: spell(path.joined(separator: "/")))
  }

  private mutating func append(_ node: Node, key: String) {
    let key = key.isEmpty ? "color" : key
    var free = key
    var number = 2
    while !isNew(free) {
      free = "\(key) \(number)"
      number += 1
    }
    members.append(Member(key: free, node: node))
  }

  private mutating func isNew(_ key: String) -> Bool {
    keys.insert(ignoresCase ? key.lowercased() : key).inserted
  }
}
