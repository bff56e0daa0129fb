import PaletteModel
import Testing

@testable import PaletteMerge

struct RegisterTests {
  /// What is written of a register in several places of one file agrees.
  @Test func shownRegistersHaveIndexesAndWords() {
    #expect(Register.PerKnown<Int>(repeating: 0).count == Register.known.count)
    #expect(Register.known == Register.known.sorted())
    #expect(Register.optionalIndexes.map { Register.known[$0] } == Register.optional)
    for (index, register) in Register.known.enumerated() {
      #expect(register.knownIndex == index && Register(knownIndex: index) == register)
      #expect(Register(register.description) == register && register.isKnown)
    }
    #expect(Set(Register.known.map(\.description)).count == Register.known.count)
    #expect(!Register.action.isKnown)
  }

  @Test func optionalRegistersHoldTexts() {
    var color = NamedColor(name: "Sea", color: Color(.srgb, 0, 0, 1))
    for register in Register.optional {
      #expect(color[text: register].isEmpty)
      color[text: register] = "\(register)"
    }
    #expect(Register.optional.map { color[text: $0] } == Register.optional.map(\.description))
  }

  /// The columns of packed rows are a part of the protocol.
  @Test func packedRegistersAreThoseOfTheProtocol() {
    #expect(Register.packed.map(\.rawValue) == [0, 1, 2, 3])
    #expect(Register.packed.map(\.bit) == [1, 2, 4, 8])
    #expect(Register.action.bit == 0)
  }
}
