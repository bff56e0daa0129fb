import PaletteModel
import Testing

struct HSBColorTests {
  @Test(arguments: [
    (0.0, 100.0, 100.0, "#ff0000"), (360, 100, 100, "#ff0000"), (120, 100, 50, "#008000"),
    (210, 50, 80, "#6699cc"), (300, 0, 50, "#808080"), (17, 63, 0, "#000000"),
    (60, 1, 99.9, "#fffffc"),
  ])
  func derivesHex(hue: Double, saturation: Double, brightness: Double, hex: String) {
    let model = HSBColor(hue: hue, saturation: saturation, brightness: brightness)
    #expect(model.hex == hex)
    #expect(model.color.hex == hex)
    #expect(
      Color(red8: model.rgb8.red, green8: model.rgb8.green, blue8: model.rgb8.blue).hex == hex
    )
    #expect(model.rgb.red.rounded() == Double(model.rgb8.red))
  }

  @Test func followsAColor() throws {
    var model = HSBColor(try Color(css: "#6699cc80"))
    #expect(abs(model.hue - 210) < 1e-9 && abs(model.saturation - 50) < 1e-9)
    #expect(abs(model.brightness - 80) < 1e-9 && model.alpha == 128.0 / 255)
    model.rgb = (0, 128, 0)
    #expect(model.hue == 120 && model.saturation == 100 && model.hex == "#00800080")
    model.color = Color(.displayP3, 1, 0, 0)
    #expect(model.hex == "#ff0b0c")
  }

  @Test func keepsHueAndSaturationAtGreyAndBlack() throws {
    var model = HSBColor(hue: 210, saturation: 50, brightness: 80)
    model.color = try Color(css: "black")
    #expect((model.hue, model.saturation, model.brightness) == (210, 50, 0))
    model.brightness = 80
    #expect(model.hex == "#6699cc")
    model.rgb = (77, 77, 77)
    #expect((model.hue, model.saturation) == (210, 0))
    model.saturation = 100
    #expect(model.hue == 210)
    #expect(HSBColor(Color(.hsb, 33, 44, 0)) == HSBColor(hue: 33, saturation: 44, brightness: 0))
  }

  @Test func moveOneSliderAtATime() {
    var samples = ColorSamples(seed: 0x511DE)
    var model = HSBColor(hue: 10, saturation: 20, brightness: 30)
    for _ in 0..<2000 {
      let before = model
      switch Int.random(in: 0..<4, using: &samples) {
      case 0:
        model.hue = samples.number(in: 0...360).rounded()
        #expect((model.saturation, model.brightness) == (before.saturation, before.brightness))
      case 1:
        model.saturation = samples.number(in: -20...120)
        #expect((model.hue, model.brightness) == (before.hue, before.brightness))
      case 2:
        model.brightness = samples.number(in: -20...120)
        #expect((model.hue, model.saturation) == (before.hue, before.saturation))
      default:
        model.rgb = (samples.number(in: 0...255), samples.number(in: 0...255), 0)
      }
      #expect((0...360).contains(model.hue) && (0...100).contains(model.saturation))
      #expect((0...100).contains(model.brightness))
    }
  }

  @Test func ignoresItsOwnEcho() throws {
    var samples = ColorSamples(seed: 0xEC40)
    for _ in 0..<1000 {
      var model = HSBColor(
        hue: samples.number(in: 0...360),
        saturation: samples.number(in: 0...100),
        brightness: samples.number(in: 0...100),
        alpha: samples.number(in: 0...1)
      )
      let before = model
      model.color = try Color(css: model.hex)
      #expect(model == before)
      model.rgb = model.rgb
      #expect(model == before)
      model.color = model.color
      #expect(model == before)
    }
  }

  @Test func fadesToBlackAndBack() {
    var model = HSBColor(hue: 123, saturation: 67, brightness: 100)
    let shades = (0...100).map(Double.init)
    var seen: [Double: String] = [:]
    for brightness in shades.reversed() {
      model.brightness = brightness
      seen[brightness] = model.hex
      model.color = model.color.converted(to: .srgb)
    }
    for brightness in shades {
      model.brightness = brightness
      #expect(model.hex == seen[brightness])
    }
    #expect((model.hue, model.saturation) == (123, 67))
  }

  @Test func ignoresWhatIsNoNumber() {
    var model = HSBColor(hue: .nan, saturation: 500, brightness: -3, alpha: .infinity)
    #expect(model == HSBColor(hue: 0, saturation: 100, brightness: 0))
    model.hue = 12
    model.hue = .nan
    model.rgb = (.nan, .nan, .nan)
    #expect(model == HSBColor(hue: 12, saturation: 100, brightness: 0))
  }
}
