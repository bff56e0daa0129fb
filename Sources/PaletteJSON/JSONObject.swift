/// The members of a JSON object, in order.
///
/// A key may occur more than once, as RFC 8259 allows; looking it up finds the last.
public struct JSONObject: Equatable, Sendable {
  /// A key with its value.
  public struct Member: Equatable, Sendable {
    /// The key.
    public var key: String
    /// The value.
    public var value: JSON

    /// Creates a member.
    public init(_ key: String, _ value: JSON) {
      self.key = key
      self.value = value
    }

    /// Compares bytes: JSON knows no canonical equivalence.
    fileprivate func has(_ key: String) -> Bool { self.key.hasSameBytes(as: key) }
  }

  /// The members as written.
  public var members: [Member]

  /// Creates an object from its members.
  public init(_ members: [Member] = []) {
    self.members = members
  }

  /// The value of the last member with this key; nil is for no such member, or removes them all.
  public subscript(key: String) -> JSON? {
    get { members.last { $0.has(key) }?.value }
    set {
      let last = members.lastIndex { $0.has(key) }
      switch (last, newValue) {
      case (let last?, let value?): members[last].value = value
      case (nil, let value?): members.append(Member(key, value))
      case (_, nil): members.removeAll { $0.has(key) }
      }
    }
  }
}

extension String {
  /// Returns whether two texts have the same bytes; canonically equivalent ones need not.
  func hasSameBytes(as other: String) -> Bool {
    // Most keys that are compared differ in length.
    utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8)
  }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
  /// Creates an object from a literal, in its order.
  public init(dictionaryLiteral elements: (String, JSON)...) {
    members = elements.map { Member($0.0, $0.1) }
  }
}
