import PaletteModel
import Testing

struct PresetListTests {
  @Test func findsTheEntryEqualToAColor() {
    #expect(PresetList.basic.title(for: Color(.srgb, 1, 0, 0)) == "Red")
    #expect(PresetList.basic.preset(matching: Color(.srgb, 0, 0, 128.0 / 255))?.name == "Navy")
  }

  @Test func callsEverythingElseCustom() {
    #expect(PresetList.basic.title(for: Color(.srgb, 1, 0, 0.1)) == "Custom")
    #expect(PresetList([]).title(for: Color(.srgb, 1, 0, 0)) == "Custom")
  }

  @Test func comparesAsItIsTold() {
    let red = Color(.hsb, 0, 100, 100)
    #expect(PresetList.basic.title(for: red) == "Custom")
    #expect(PresetList.basic.title(for: red, where: { $0.second == 0 && $1.first == 0 }) == "Black")
  }

  @Test func offersEachBasicColorOnce() {
    #expect(Set(PresetList.basic.presets.map(\.color)).count == 16)
    #expect(Set(PresetList.basic.presets.map(\.name)).count == 16)
  }
}
