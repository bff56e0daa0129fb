import PaletteJSON
import Testing

@testable import PaletteCommands
@testable import PaletteNode

struct OpenRPCTests {
  private static let document = OpenRPC.document(url: "https://example.com:1", path: NodeRoute.rpc)

  /// All references in a value.
  private static func references(in value: JSON) -> [String] {
    if let object = value.objectValue {
      return object.members.flatMap { member in
        member.key == "$ref"
          ? [member.value.stringValue].compactMap(\.self) : references(in: member.value)
      }
    }
    return (value.arrayValue ?? []).flatMap(references)
  }

  @Test func describesEveryMethod() throws {
    let methods = try #require(Self.document["methods"]?.arrayValue)
    #expect(methods.compactMap { $0["name"]?.stringValue } == CommandTable.methods.map(\.name))
    for method in methods {
      #expect(method["result"]?["schema"] != nil)
      #expect(method["errors"]?.arrayValue?.isEmpty == false)
      #expect(method["summary"]?.stringValue?.hasSuffix(".") == false)
    }
    #expect(Self.document["servers"]?[0]?["url"] == "wss://example.com:1/rpc")
  }

  @Test func definesWhatItRefersTo() throws {
    let components = try #require(Self.document["components"])
    for reference in Self.references(in: Self.document) {
      let path = reference.split(separator: "/").map(String.init)
      #expect(path.count == 4 && path[0] == "#" && path[1] == "components", "\(reference)")
      #expect(components[path[2]]?[path[3]] != nil, "\(reference)")
    }
    let schemas = try #require(components["schemas"]?.objectValue).members.map(\.key)
    #expect(Set(schemas).count == schemas.count)
    let used = Set(Self.references(in: Self.document).compactMap { $0.split(separator: "/").last })
    for schema in schemas { #expect(used.contains(schema[...]), "\(schema)") }
  }

  @Test func tellsTheFormOfARecordAsItIs() throws {
    let record = try #require(
      Self.document["components"]?["schemas"]?["Record"]?["properties"]?.objectValue
    )
    #expect(
      record.members.map(\.key) == [
        "id", "name", "color", "hex", "index", "note", "conflicts", "seen",
      ]
    )
  }
}
