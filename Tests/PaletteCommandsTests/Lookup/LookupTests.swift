import PaletteModel
import Testing

@testable import PaletteCommands

struct LookupTests {
  private func candidate(_ id: String, _ name: String) throws -> Lookup.Candidate {
    Lookup.Candidate(id: try #require(RecordID(id)), name: name)
  }

  private func candidates() throws -> [Lookup.Candidate] {
    [
      try candidate("0f8fad5b-d9cb-469f-a165-70867728950e", "Coral"),
      try candidate("0f8fad5b-d9cb-469f-a165-70867728950f", "Sea"),
      try candidate("7c9e6679-7425-40de-944b-e07fc1f90ae7", "0f8fad5b"),
      try candidate("7c9e0000-7425-40de-944b-e07fc1f90ae7", "Twin"),
      try candidate("11111111-7425-40de-944b-e07fc1f90ae7", "Twin"),
      try candidate("22222222-7425-40de-944b-e07fc1f90ae7", "e\u{301}"),
    ]
  }

  @Test(arguments: [
    ("Coral", 0), (" Sea ", 1), ("0f8fad5b", 2), ("7c9e6", 2), ("7C9E6679-7425", 2), ("7c9e0", 3),
    ("0F8FAD5B-D9CB-469F-A165-70867728950E", 0), ("0f8fad5b-d9cb-469f-a165-70867728950f", 1),
    ("1111", 4), ("e\u{301}", 5),
  ])
  func finds(_ argument: String, _ index: Int) throws {
    #expect(try Lookup.color.index(of: argument, among: candidates()) == index)
  }

  @Test(arguments: [
    ("Twin", ["7c9e0000-", "11111111-"]), ("7c9e", ["7c9e6679-", "7c9e0000-"]),
    ("0f8fad5b-", ["70867728950e (Coral)", "70867728950f (Sea)"]),
  ])
  func listsWhatItMayBe(_ argument: String, _ expected: [String]) throws {
    let error = try #require(throws: APIError.self) {
      try Lookup.color.index(of: argument, among: candidates())
    }
    #expect(error.code == "ambiguous")
    for part in expected { #expect(error.hint?.contains(part) == true) }
  }

  @Test func manyArgumentsNameWhatOneAloneNames() throws {
    let candidates = try candidates()
    let arguments = [
      "Coral", " Sea ", "0f8fad5b", "7c9e6", "7C9E6679-7425", "7c9e0", "1111", "e\u{301}",
      "0F8FAD5B-D9CB-469F-A165-70867728950E",
    ]
    #expect(
      try Lookup.color.indexes(of: arguments, among: candidates)
        == arguments.map { try Lookup.color.index(of: $0, among: candidates) }
    )
    for (wrong, code) in [
      ("Twin", "ambiguous"), ("7c9e", "ambiguous"), ("é", "not-found"), ("3333", "not-found"),
    ] {
      let error = try #require(throws: APIError.self) {
        try Lookup.color.indexes(of: arguments + [wrong], among: candidates)
      }
      #expect(error.code == code)
    }
  }

  @Test func listsTenAtMost() throws {
    let many = (0..<25).map {
      Lookup.Candidate(id: RecordID(high: 0, low: $0), name: "Same")
    }
    let error = try #require(throws: APIError.self) {
      try Lookup.palette.index(of: "Same", among: many)
    }
    #expect(error.message == "'Same' fits 25 palettes")
    #expect(error.hint?.hasSuffix("00000009 (Same) and 15 more") == true)
  }

  @Test(arguments: [
    ("Corall", "did you mean 'Coral'?"), ("coral", "did you mean 'Coral'?"),
    ("\u{E9}", "did you mean 'e\u{301}'?"), ("unlike", "'hued list PALETTE' lists them"),
    ("222", "'hued list PALETTE' lists them"), ("7c9f", "'hued list PALETTE' lists them"),
    ("", "'hued list PALETTE' lists them"), ("22222222x", "'hued list PALETTE' lists them"),
    ("222222227425", "'hued list PALETTE' lists them"),
    ("0f8fad5b-d9cb-469f-a165-70867728950e0", "'hued list PALETTE' lists them"),
  ])
  func suggests(_ argument: String, _ hint: String) throws {
    let error = try #require(throws: APIError.self) {
      try Lookup.color.index(of: argument, among: candidates())
    }
    #expect(error.code == "not-found" && error.hint == hint)
  }
}
