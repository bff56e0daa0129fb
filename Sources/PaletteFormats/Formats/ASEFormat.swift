internal import PaletteModel

/// Adobe Swatch Exchange: blocks of colors with names.
///
/// CMYK is converted naively, since the file says no profile; Lab is relative to D50. Groups are read
/// through: their colors keep their order.
struct ASEFormat: FileFormat {
  let name = "ase"
  let title = "Adobe Swatch Exchange"
  let extensions = ["ase"]
  let keeps: KeptContent = [.names]

  private static let magic = Array("ASEF".utf8)
  private static let colorBlock: UInt16 = 1

  func recognises(_ bytes: [UInt8]) -> Bool { bytes.starts(with: Self.magic) }

  /// The number of blocks is not believed; a block that ends early is an error, because what follows
  /// it cannot be found.
  func read(_ bytes: [UInt8]) throws(FormatError) -> FileContents {
    // An Aseprite sprite shares the ending.
    if bytes.count > 6, bytes[4] == 0xE0, bytes[5] == 0xA5 {
      throw .badFile("this is an Aseprite sprite", hint: "export its palette from Aseprite as .gpl")
    }
    guard recognises(bytes) else { throw .badFile("the file does not begin with 'ASEF'") }
    var reader = ByteReader(bytes[4...])
    _ = try reader.bytes(8)
    var contents = FileContents()
    while reader.count > 0 {
      let place = reader.place
      let type = try reader.big(UInt16.self)
      let body = try reader.bytes(Int(try reader.big(UInt32.self)))
      guard type == Self.colorBlock else { continue }
      do throws(FormatError) {
        contents.entries.append(try Self.entry(body))
      } catch {
        contents.skipped.append(SkippedEntry(at: place, reason: error.message))
      }
    }
    return contents
  }

  private static func entry(_ body: ArraySlice<UInt8>) throws(FormatError) -> FileEntry {
    var reader = ByteReader(body)
    var units: [UInt16] = []
    for _ in 0..<(try reader.big(UInt16.self)) { units.append(try reader.big(UInt16.self)) }
    let text = String(decoding: units.prefix { $0 != 0 }, as: UTF16.self)
    let model = String(decoding: try reader.bytes(4), as: UTF8.self).trimmed.uppercased()
    var values: [Double] = []
    let counts = ["RGB": 3, "CMYK": 4, "LAB": 3, "GRAY": 1]
    guard let count = counts[model] else {
      throw .badFile("a color of the unknown model '\(model)'")
    }
    for _ in 0..<count { values.append(try reader.float()) }
    guard values.allSatisfy(\.isFinite) else { throw .badFile("a component is no number") }
    let color =
      switch model {
      case "CMYK": Color(cmyk: values)
      case "LAB": Color(.lab, values[0] * 100, values[1], values[2])
      case "GRAY": Color(.srgb, values[0], values[0], values[0])
      default: Color(.srgb, values[0], values[1], values[2])
      }
    let nearest = color.nearestBytes
    return FileEntry(
      name: TextRule.name.cleaned(text),
      color: nearest,
      isRounded: nearest.bytes8 != nil,
      hasAlpha: false
    )
  }

  func write(_ sheet: PaletteSheet) throws(FormatError) -> [UInt8] {
    var bytes = Self.magic
    bytes.append(big: UInt16(1))
    bytes.append(big: UInt16(0))
    bytes.append(big: UInt32(sheet.colors.count))
    for named in sheet.colors {
      let rgb = named.color.shownBytes
      var body: [UInt8] = []
      let units = Array((TextRule.name.cleaned(named.name) ?? "").utf16) + [0]
      body.append(big: UInt16(units.count))
      for unit in units { body.append(big: unit) }
      body += Array("RGB ".utf8)
      for byte in [rgb.red, rgb.green, rgb.blue] {
        body.append(big: (Float(byte) / 255).bitPattern)
      }
      // A normal color, neither global nor spot.
      body.append(big: UInt16(2))
      bytes.append(big: Self.colorBlock)
      bytes.append(big: UInt32(body.count))
      bytes += body
    }
    return bytes
  }
}

extension Color {
  /// The naive conversion, for files without a profile.
  init(cmyk values: [Double]) {
    let light = 1 - values[3]
    self.init(
      .srgb,
      (1 - values[0]) * light,
      (1 - values[1]) * light,
      (1 - values[2]) * light
    )
  }

  /// The same color from whole bytes if it differs from that only by the rounding of a float.
  var nearestBytes: Color {
    guard space == .srgb else { return self }
    let bytes = shownBytes
    let exact = Color(red8: bytes.red, green8: bytes.green, blue8: bytes.blue, alpha8: 255)
    let isNear = zip(components, exact.components).allSatisfy {
      abs(($0 ?? 0) - ($1 ?? 0)) < 1e-6
    }
    return isNear ? exact : self
  }
}
