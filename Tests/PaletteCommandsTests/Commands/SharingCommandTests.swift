import PaletteJSON
import PaletteMerge
import PaletteModel
import PaletteStore
import Testing

@testable import PaletteCommands

struct SharingCommandTests {
  private static let keys = ["member", "name", "kind", "role", "grants", "node", "author"]

  @Test func theLibraryItselfMayDoEverything() throws {
    let empty = try TestLibrary()
    let nobody = try empty.call("whoami")
    #expect(nobody.keys == Self.keys)
    #expect(nobody["node"]?.isNull == true && nobody["role"] == "owner")
    let library = try TestLibrary(colors: ["red"])
    let answer = try library.call("whoami")
    #expect(answer["member"]?.isNull == true && answer["kind"]?.isNull == true)
    #expect(answer["grants"] == [["role": "owner", "palette": .null, "expires": .null]])
    #expect(answer["author"]?.stringValue == OwnName.system && answer["name"] == answer["author"])
    #expect(answer["node"] == (try library.call("status"))["node"])
  }

  @Test func aMemberLearnsItsRights() throws {
    let library = try TestLibrary(colors: ["red"])
    let store = try ChangeStore(writing: try LibraryFolder(library.home))
    let sea = try #require(try store.palettes().first).id
    let expires: Int64 = 4_102_444_800_000
    let (member, _) = try store.members.makeMember(
      .script,
      secret: [UInt8](repeating: 1, count: 32),
      grant: Grant(.editor, on: sea, expiresMilliseconds: expires),
      name: "Bot"
    )
    let access = OpenedLibrary(store: store)
    func whoami() throws -> JSON {
      try access.answer(Request(method: "whoami", parameters: [:]), by: AuthorID(member)).json
    }
    let before = try whoami()
    #expect(before.keys == Self.keys)
    #expect(before["member"]?.stringValue == member.uid && before["kind"] == "script")
    #expect(before["name"] == "Bot" && before["author"] == "Bot")
    // It has no role for the whole library.
    #expect(before["role"]?.isNull == true && before["node"]?.isNull == true)
    #expect(
      before["grants"] == [
        [
          "role": "editor", "palette": .string(sea.description),
          "expires": "2100-01-01T00:00:00.000Z",
        ]
      ]
    )
    let add = Request(method: "add", parameters: ["palette": "Sea", "value": "blue"])
    _ = try access.answer(add, by: AuthorID(member))
    let newest = try access.answer(Request(method: "history", parameters: ["palette": "Sea"])).json
    #expect(try whoami()["node"] == newest["changes"]?[0]?["node"])
  }

  @Test func aMemberTakesAnotherName() throws {
    let library = try TestLibrary(colors: ["red"])
    let store = try ChangeStore(writing: try LibraryFolder(library.home))
    let sea = try #require(try store.palettes().first).id
    let (member, _) = try store.members.makeMember(
      .page,
      secret: [UInt8](repeating: 1, count: 32),
      grant: Grant(.editor, on: sea),
      name: "Guest"
    )
    let access = OpenedLibrary(store: store)
    func call(_ method: String, _ parameters: JSONObject, by member: Member?) throws -> JSON {
      let request = Request(method: method, parameters: .object(parameters))
      return try access.answer(request, by: AuthorID(member)).json
    }
    let add: JSONObject = ["palette": "Sea", "value": "blue"]
    _ = try call("add", add, by: member)
    #expect(try call("introduce", ["name": " Bob "], by: member)["author"] == "Bob")
    // What was done before was done by the same one, and others learn the name with the next edit.
    let history = try call("history", ["palette": "Sea"], by: nil)
    #expect(history["changes"]?[0]?["author"] == "Bob")
    _ = try call("add", add, by: member)
    #expect(try store.authors.claims(in: sea).map(\.name).last == "Bob")
    #expect(throws: APIError.self) { try call("introduce", ["name": ""], by: member) }
    #expect(throws: APIError.self) { try call("introduce", ["name": "Me"], by: nil) }
  }

  /// A member that took another one's name leads nobody to revoke a third one by mistake.
  @Test func aMemberIsStillFoundByTheNameThatItsTokenWasGiven() throws {
    let library = try TestLibrary(colors: ["red"])
    let store = try ChangeStore(writing: try LibraryFolder(library.home))
    let members = try [("ci", Role.editor), ("guest", .viewer)].enumerated().map { index, one in
      try store.members.makeMember(
        .script,
        secret: [UInt8](repeating: UInt8(index), count: 32),
        grant: Grant(one.1),
        name: one.0
      ).member
    }
    let access = OpenedLibrary(store: store)
    func call(_ method: String, _ parameters: JSON, by member: Member? = nil) throws -> JSON {
      try access.answer(Request(method: method, parameters: parameters), by: AuthorID(member)).json
    }
    _ = try call("introduce", ["name": "release-bot"], by: members[0])
    _ = try call("introduce", ["name": "ci"], by: members[1])
    let error = #expect(throws: APIError.self) { try call("revoke", ["token": "ci"]) }
    #expect(error?.code == "ambiguous")
    #expect(error?.hint?.contains("\(members[0].uid) (release-bot, let in as ci)") == true)
    #expect(error?.hint?.contains("\(members[1].uid) (ci, let in as guest)") == true)
    let tokens = try #require(try call("tokens", [:])["tokens"]?.arrayValue)
    #expect(tokens.compactMap { $0["letInAs"]?.stringValue }.sorted() == ["ci", "guest"])
    #expect(try call("revoke", ["token": "release-bot"])["revoked"]?.stringValue == members[0].uid)
    #expect(try call("revoke", ["token": "ci"])["revoked"]?.stringValue == members[1].uid)
  }

  @Test func aNameLeadsToItsMemberWhateverBecameOfOtherCodes() throws {
    let library = try TestLibrary(colors: ["red"])
    let store = try ChangeStore(writing: try LibraryFolder(library.home))
    let member = try store.members.makeMember(
      .script,
      secret: [UInt8](repeating: 1, count: 32),
      grant: Grant(.editor),
      name: "Hal"
    ).member
    for (byte, expires) in [(UInt8(2), Int64(1)), (3, nil)] {
      try store.members.offer(
        Grant(.viewer),
        code: [UInt8](repeating: byte, count: 16),
        codeExpiresMilliseconds: expires,
        name: "Hal"
      )
    }
    let access = OpenedLibrary(store: store)
    let request = Request(method: "revoke", parameters: ["token": "Hal"])
    #expect(try access.answer(request, by: .library).json["revoked"]?.stringValue == member.uid)
    let now = store.nowMilliseconds
    #expect(try store.members.grants().allSatisfy { !$0.grant.counts(atMilliseconds: now) })
  }

  @Test func aRightThatEndsAtOnceIsRefused() throws {
    let library = try TestLibrary(colors: ["red"])
    for time in ["0s", "0d", "2001-01-01T00:00:00Z"] {
      #expect(try library.code("token", ["expires": JSON(time)]) == "bad-time")
    }
  }

  @Test(arguments: ["a", "http://127.0.0.1:4833/#hued1-abc", String(repeating: "x", count: 900)])
  func drawsCodes(_ text: String) throws {
    let rows = try #require(QRCode(text)).rows
    let side = rows.count
    #expect(side >= 21 && side % 4 == 1)
    #expect(rows.allSatisfy { $0.count == side && $0.allSatisfy { "01".contains($0) } })
    let finder = ["1111111", "1000001", "1011101", "1011101", "1011101", "1000001", "1111111"]
    #expect(rows.prefix(7).map { $0.prefix(7) } == finder.map { $0[...] })
    #expect(rows.prefix(7).map { $0.suffix(7) } == finder.map { $0[...] })
    #expect(rows.suffix(7).map { $0.prefix(7) } == finder.map { $0[...] })
    // Between the corners light and dark take turns.
    let timing = rows[6].dropFirst(8).dropLast(8)
    #expect(zip(timing, timing.dropFirst()).allSatisfy { $0 != $1 })
  }

  @Test func whatIsTooLongIsNoCode() {
    #expect(QRCode(String(repeating: "x", count: 3_000)) == nil)
  }
}

/// A library that a test holds open.
private struct OpenedLibrary: LibraryAccess {
  let store: ChangeStore

  var location: LibraryLocation { LibraryLocation(home: "/nowhere", configurationFile: "") }
  var now: Moment { Moment(milliseconds: store.nowMilliseconds) }
  var ownName: String { "Owner" }
  var listening: [String]? { nil }
  var sharing: (any Sharing)? { nil }
  var linking: (any Linking)? { nil }

  func reading() -> ChangeStore? { store }
  func editing() -> ChangeStore? { store }
  func creating() -> ChangeStore { store }
}
