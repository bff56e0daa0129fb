import Foundation
import PaletteModel
import PaletteTestSupport
import Testing

@testable import PaletteFormats

/// The table of the guide to linked files is what the formats do.
struct LinkedFilesGuideTests {
  private static let guide = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Sources/PaletteFormats/PaletteFormats.docc/LinkedFiles.md")

  /// The other contents of files that are no texts.
  private static let parts = [
    "ase": "models, spot colors, groups, other blocks", "aco": "color spaces, inks",
    "act": "slots behind the colors, the transparent color", "riff": "flags, other chunks",
    "kpl": "models, profiles, cells, groups, comments, other files",
    "swatches": "empty slots, profiles, other members and files",
  ]

  /// With HUED_WRITE_GUIDE in the environment the table is written instead.
  @Test func theTableIsWhatTheFormatsDo() throws {
    let text = try String(contentsOf: Self.guide, encoding: .utf8)
    let parts = text.components(separatedBy: "\n\n")
    let index = try #require(parts.firstIndex { $0.hasPrefix("| Format |") })
    let table = try Self.table
    if ProcessInfo.processInfo.environment["HUED_WRITE_GUIDE"] != nil {
      var new = parts
      new[index] = table
      try new.joined(separator: "\n\n").write(to: Self.guide, atomically: true, encoding: .utf8)
    } else {
      #expect(parts[index] == table, "HUED_WRITE_GUIDE=1 swift test --filter LinkedFilesGuideTests")
    }
  }

  private static var table: String {
    get throws {
      var rows = [
        "| Format | Says | Approximates | Leaves out | Keeps | Refuses |",
        "|---|---|---|---|---|---|",
      ]
      for format in FormatRegistry.standard.formats where format.reads && format.writes {
        // An archive of a folder, which is no file that anybody would follow.
        guard format.name != "xcassets" else { continue }
        rows.append(try row(of: format))
      }
      rows.append(
        "| kde, a scheme | colors | colors outside sRGB, finer values | names, order, new and removed colors |"
          + " all other text | |"
      )
      return rows.joined(separator: "\n")
    }
  }

  private static func row(of format: any FileFormat) throws -> String {
    let colors = [
      NamedColor(id: Samples.id(1), name: "Deep sea", color: try Color(css: "#102030"), note: "n"),
      NamedColor(id: Samples.id(2), name: "Glass", color: try Color(css: "#10203080")),
      NamedColor(
        id: Samples.id(3),
        name: "Wide",
        color: try Color(css: "color(display-p3 0.2 0.8 0.3)")
      ),
      NamedColor(id: Samples.id(4), name: "Fine", color: try Color(css: "oklch(0.5 0.05 20)")),
    ]
    let before = try format.write(Samples.sheet(Array(colors.prefix(1))))
    let ids = [Samples.id(1)]
    let file = try format.patched(before, ids: ids, to: Samples.sheet(colors))
    let found = try format.read(file).entries
    try #require(found.count == colors.count, "\(format.name)")
    var (says, near, out): ([String], [String], [String]) = (["colors"], [], [])
    switch found[0].name {
    case "Deep sea": says.append("names")
    case nil: out.append("names")
    default:
      says.append("names")
      near.append("the spelling of names")
    }
    if found[0].note == "n" { says.append("notes") } else { out.append("notes") }
    if found[1].color.hex == "#10203080" { says.append("opacity") } else { out.append("opacity") }
    if found[2].color == colors[2].color {
      says.append("every color space")
    } else {
      near.append("colors outside sRGB")
      let shown = found[2].color.hex
      #expect(shown == colors[2].color.hex, "\(format.name)")
    }
    if found[3].color != colors[3].color { near.append("finer values") }
    let kept = format.isText ? "all other text" : try #require(parts[format.name], "\(format.name)")
    let columns = [
      format.name, says.joined(separator: ", "), near.joined(separator: ", "),
      out.joined(separator: ", "), kept, try refusal(of: format),
    ]
    return "|" + columns.map { $0.isEmpty ? " |" : " \($0) |" }.joined()
  }

  /// The number of colors beyond which a file of the format has no room.
  private static func refusal(of format: any FileFormat) throws -> String {
    // What is no text may count its colors in two bytes; by night texts are asked as well.
    let isCounted = parts[format.name] != nil || TestSeeds.isNight
    for count in isCounted ? [30, 256, 65_535] : [30, 256] {
      let colors = (0...count).map { Samples.named(UInt64($0), "c\($0)") }
      if (try? format.write(Samples.sheet(colors))) == nil { return "more than \(count) colors" }
    }
    return ""
  }
}
