import PaletteJSON
import Testing

@testable import PaletteCommands

/// Images of 5 by 3 pixels: ten of one color, five of another, with all filters.
struct PickTests {
  struct Image: CustomTestStringConvertible {
    let kind: Int
    let depth: Int
    let isInterlaced: Bool
    let base64: String

    init(kind: Int, depth: Int, isInterlaced: Bool, _ base64: String) {
      self.kind = kind
      self.depth = depth
      self.isInterlaced = isInterlaced
      self.base64 = base64
    }

    var testDescription: String { "type \(kind), \(depth) bits\(isInterlaced ? ", Adam7" : "")" }
  }

  private let library = FolderAccess(
    location: LibraryLocation(home: "/nowhere", configurationFile: "/nowhere/config.json")
  )

  private func pick(_ parameters: JSON) throws -> JSON {
    try library.call(Request(method: "pick", parameters: parameters)).json
  }

  @Test(arguments: images)
  func findsTheColors(_ image: Image) throws {
    let colors = try pick(["bytes": JSON(image.base64), "count": 4])["colors"].arrayValue ?? []
    let isGrey = image.kind == 0 || image.kind == 4
    let hexes = isGrey ? ["#000000", "#ffffff"] : ["#ff0000", "#0000ff"]
    #expect(colors.compactMap { $0["hex"].stringValue } == hexes)
    #expect(colors.compactMap { $0["share"].numberValue } == [0.6667, 0.3333])
  }

  /// 48 by 16 pixels, two thirds red and one blue.
  private static let jpeg = """
    /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAIBAQEBAQIBAQECAgICAgQDAgICAgUEBAMEBgUGBgYFBgYGBwkIBgcJBw\
    YGCAsICQoKCgoKBggLDAsKDAkKCgr/2wBDAQICAgICAgUDAwUKBwYHCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoK\
    CgoKCgoKCgoKCgoKCgoKCgoKCgoKCgr/wAARCAAQADADAREAAhEBAxEB/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAw\
    QFBgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkK\
    FhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmq\
    KjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3+Pn6/8QAHwEAAwEBAQEB\
    AQEBAQAAAAAAAAECAwQFBgcICQoL/8QAtREAAgECBAQDBAcFBAQAAQJ3AAECAxEEBSExBhJBUQdhcRMiMoEIFEKRob\
    HBCSMzUvAVYnLRChYkNOEl8RcYGRomJygpKjU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6goOE\
    hYaHiImKkpOUlZaXmJmaoqOkpaanqKmqsrO0tba3uLm6wsPExcbHyMnK0tPU1dbX2Nna4uPk5ebn6Onq8vP09fb3+P\
    n6/9oADAMBAAIRAxEAPwD4vr+Uz/fwKACgAoA+Q6/6qD/mvCgD68r/AJVz/pQCgAoAKAPkOv8AqoP+a8KAP//Z
    """

  @Test func readsJPEG() throws {
    let colors = try pick(["bytes": JSON(Self.jpeg), "count": 2])["colors"].arrayValue ?? []
    #expect(colors.compactMap { $0["hex"].stringValue } == ["#fe0000", "#0000fe"])
    #expect(colors.compactMap { $0["share"].numberValue } == [0.6667, 0.3333])
    let bytes = try #require(JSON(Self.jpeg).base64Bytes)
    for count in 3..<(bytes.count - 2) { #expect(code(Array(bytes.prefix(count))) == "bad-file") }
    // The size that the header says decides what is kept, whatever else is there.
    var large = bytes
    let size = try #require(bytes.indices.first { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xC0 }) + 5
    large.replaceSubrange(size..<size + 4, with: [0xFF, 0xDC, 0xFF, 0xDC])
    #expect(code(large) == "bad-file")
    // Decoded at an eighth, too, what has many scans is unpacked whole.
    large.replaceSubrange(size..<size + 4, with: [0x23, 0x28, 0x23, 0x28])
    let refusal = #expect(throws: APIError.self) { try pick(["bytes": JSON(base64: large)]) }
    #expect(refusal?.message.contains("64 megapixels") == true)
  }

  @Test func refusesWhatIsNoImage() throws {
    let bytes = try #require(JSON(Self.images[0].base64).base64Bytes)
    for count in 0..<(bytes.count - 12) { #expect(code(Array(bytes.prefix(count))) == "bad-file") }
    for index in bytes.indices {
      var damaged = bytes
      damaged[index] ^= 0x10
      // Nothing behind the pixels matters any more.
      if index < bytes.count - 12 { #expect(code(damaged) == "bad-file", "byte \(index)") }
    }
    #expect(throws: APIError.self) {
      try pick(["bytes": JSON(Self.images[0].base64), "count": 65])
    }
  }

  private func code(_ bytes: [UInt8]) -> String? {
    do {
      _ = try pick(["bytes": JSON(base64: bytes)])
      return nil
    } catch { return (error as? APIError)?.code }
  }

  private static let images = [
    Image(
      kind: 0,
      depth: 1,
      isInterlaced: false,
      """
      iVBORw0KGgoAAAANSUhEUgAAAAUAAAADAQAAAABzTfhVAAAADklEQVR42mOYwLSD5QYABeYCJ8N2iHYAAAAASUVO\
      RK5CYII=
      """
    ),
    Image(
      kind: 0,
      depth: 1,
      isInterlaced: true,
      """
      iVBORw0KGgoAAAANSUhEUgAAAAUAAAADAQAAAAEESsjDAAAAFklEQVR42mNoYGZgZGBxYHJgYGD2AAAKNgFW79mx\
      0gAAAABJRU5ErkJggg==
      """
    ),
    Image(
      kind: 0,
      depth: 2,
      isInterlaced: false,
      """
      iVBORw0KGgoAAAANSUhEUgAAAAUAAAADAgAAAAA07YKFAAAAEUlEQVR42mM4zMCUe4DljgMADVIDEylMZCEAAAAA\
      SUVORK5CYII=
      """
    ),
    Image(
      kind: 0,
      depth: 2,
      isInterlaced: true,
      """
      iVBORw0KGgoAAAANSUhEUgAAAAUAAAADAgAAAAFD6rITAAAAF0lEQVR42mM4wMzAyMBiwGTAwMBssAIADqQCBp4I\
      6FQAAAAASUVORK5CYII=
      """
    ),
    Image(
      kind: 0,
      depth: 4,
      isInterlaced: false,
      """
      iVBORw0KGgoAAAANSUhEUgAAAAUAAAADBAAAAAC7rXclAAAAFElEQVR42mP4wM/AJP/xA8vHDwIAGwQE983Hy/oA\
      AAAASUVORK5CYII=
      """
    ),
    Image(
      kind: 0,
      depth: 4,
      isInterlaced: true,
      """
      iVBORw0KGgoAAAANSUhEUgAAAAUAAAADBAAAAAHMqkezAAAAGUlEQVR42mP4wMzAyMDC/5GJn4GBmf/nBwAcGgQF\
      tGxKbQAAAABJRU5ErkJggg==
      """
    ),
    Image(
      kind: 0,
      depth: 8,
      isInterlaced: false,
      """
      iVBORw0KGgoAAAANSUhEUgAAAAUAAAADCAAAAAB+XZokAAAAGUlEQVR42mP4z8Dwn4GJ8T8D438WIGZkBAAzKQUH\
      LI+FOgAAAABJRU5ErkJggg==
      """
    ),
    Image(
      kind: 0,
      depth: 8,
      isInterlaced: true,
      """
      iVBORw0KGgoAAAANSUhEUgAAAAUAAAADCAAAAAEJWqqyAAAAG0lEQVR42gXBAQEAIAzAIO4tbvIJWuNqjrB6+jQs\
      BYsMriMaAAAAAElFTkSuQmCC
      """
    ),
    Image(
      kind: 0,
      depth: 16,
      isInterlaced: false,
      """
      iVBORw0KGgoAAAANSUhEUgAAAAUAAAADEAAAAAAuzUZnAAAAGklEQVR42mP4/58BCEAkEyMjiAKRLBCKEQgAux0K\
      B4Tx4wkAAAAASUVORK5CYII=
      """
    ),
    Image(
      kind: 0,
      depth: 16,
      isInterlaced: true,
      """
      iVBORw0KGgoAAAANSUhEUgAAAAUAAAADEAAAAAFZynbxAAAAIUlEQVR42hWGwREAAAiCMFu8ye3kAZAYBAuJNA3F\
      vbv6AbNwCwgnehCfAAAAAElFTkSuQmCC
      """
    ),
    Image(
      kind: 2,
      depth: 8,
      isInterlaced: false,
      """
      iVBORw0KGgoAAAANSUhEUgAAAAUAAAADCAIAAADUVFKvAAAAIUlEQVR42mNgYPj/H4gZGCAMpv8MjIxgLoTBAmcB\
      SSACAETyDQISwlvKAAAAAElFTkSuQmCC
      """
    ),
    Image(
      kind: 2,
      depth: 8,
      isInterlaced: true,
      """
      iVBORw0KGgoAAAANSUhEUgAAAAUAAAADCAIAAAGjU2I5AAAAKElEQVR42h2JAQ4AMAwBr1sfvr7caBAXAF1BOZ1G\
      oo7JhxXnn+zzFj6E7hAFjtS5aAAAAABJRU5ErkJggg==
      """
    ),
    Image(
      kind: 2,
      depth: 16,
      isInterlaced: false,
      """
      iVBORw0KGgoAAAANSUhEUgAAAAUAAAADEAIAAACExI7sAAAAI0lEQVR42mNgAIL/QAChGaAAJsIEohiBACGJLMKC\
      KQRhQ0gA6XYZ/bBEIaAAAAAASUVORK5CYII=
      """
    ),
    Image(
      kind: 2,
      depth: 16,
      isInterlaced: true,
      """
      iVBORw0KGgoAAAANSUhEUgAAAAUAAAADEAIAAAHzw756AAAAMUlEQVR42kVLSRIAIAiS6uHycszBJg/IGnFP2lIT\
      +J1R6Kg5sGy5HRbGmZKvTGZ+pwDD0R/8a6yv1gAAAABJRU5ErkJggg==
      """
    ),
    Image(
      kind: 3,
      depth: 1,
      isInterlaced: false,
      """
      iVBORw0KGgoAAAANSUhEUgAAAAUAAAADAQMAAABh+Fe7AAAABlBMVEUAAP//AADF+ovTAAAADklEQVR42mPIYPJg\
      0QAAAx4A3yfeAMgAAAAASUVORK5CYII=
      """
    ),
    Image(
      kind: 3,
      depth: 1,
      isInterlaced: true,
      """
      iVBORw0KGgoAAAANSUhEUgAAAAUAAAADAQMAAAEW/2ctAAAABlBMVEUAAP//AADF+ovTAAAAFklEQVR42mNgYG5g\
      bGBZwNTAcIB5AwAUPgOeIHyvpQAAAABJRU5ErkJggg==
      """
    ),
    Image(
      kind: 3,
      depth: 2,
      isInterlaced: false,
      """
      iVBORw0KGgoAAAANSUhEUgAAAAUAAAADAgMAAAAmWC1rAAAABlBMVEUAAP//AADF+ovTAAAAEUlEQVR42mMQcWAy\
      PMDC4wAABs4BmACWuz8AAAAASUVORK5CYII=
      """
    ),
    Image(
      kind: 3,
      depth: 2,
      isInterlaced: true,
      """
      iVBORw0KGgoAAAANSUhEUgAAAAUAAAADAgMAAAFRXx39AAAABlBMVEUAAP//AADF+ovTAAAAF0lEQVR42mNgYHZg\
      dGBxYXJgCGB2vQcADEQChR8nl0MAAAAASUVORK5CYII=
      """
    ),
    Image(
      kind: 3,
      depth: 4,
      isInterlaced: false,
      """
      iVBORw0KGgoAAAANSUhEUgAAAAUAAAADBAMAAACpGNjLAAAABlBMVEUAAP//AADF+ovTAAAAFElEQVR42mNgFBBg\
      4mf8wML4QQAACHkCKRPVm2wAAAAASUVORK5CYII=
      """
    ),
    Image(
      kind: 3,
      depth: 4,
      isInterlaced: true,
      """
      iVBORw0KGgoAAAANSUhEUgAAAAUAAAADBAMAAAHeH+hdAAAABlBMVEUAAP//AADF+ovTAAAAGUlEQVR42mNgYBZg\
      FGARYGASYBBkFuD8AQAE0gFwSpH7IgAAAABJRU5ErkJggg==
      """
    ),
    Image(
      kind: 3,
      depth: 8,
      isInterlaced: false,
      """
      iVBORw0KGgoAAAANSUhEUgAAAAUAAAADCAMAAABs6DXKAAAABlBMVEUAAP//AADF+ovTAAAAGElEQVR42mNgYGRk\
      YGRi/M/A+J8FiBkZARR0AwwGIoDjAAAAAElFTkSuQmCC
      """
    ),
    Image(
      kind: 3,
      depth: 8,
      isInterlaced: true,
      """
      iVBORw0KGgoAAAANSUhEUgAAAAUAAAADCAMAAAEb7wVcAAAABlBMVEUAAP//AADF+ovTAAAAHElEQVR42mNgYGZk\
      ZGRh/M/IxMjAwMjIzAgkGAAPJAEX9jYHVwAAAABJRU5ErkJggg==
      """
    ),
    Image(
      kind: 4,
      depth: 8,
      isInterlaced: false,
      """
      iVBORw0KGgoAAAANSUhEUgAAAAUAAAADCAQAAADxPw1zAAAAHElEQVR42mP4/58BCEEkEyOQxcAAIlkgFCMQAgDm\
      xAoCWfex/QAAAABJRU5ErkJggg==
      """
    ),
    Image(
      kind: 4,
      depth: 8,
      isInterlaced: true,
      """
      iVBORw0KGgoAAAANSUhEUgAAAAUAAAADCAQAAAGGOD3lAAAAJElEQVR42hXIwQ0AIAzEsBQ6+DF5Sl+WjF4sbJTi\
      fATZNi/EDCV3EIJM1xFYAAAAAElFTkSuQmCC
      """
    ),
    Image(
      kind: 4,
      depth: 16,
      isInterlaced: false,
      """
      iVBORw0KGgoAAAANSUhEUgAAAAUAAAADEAQAAAChr9EwAAAAH0lEQVR42mP4DwQMDBAMYzMxMkKEQADGZkHmgGgQ\
      BgBwYRP9q+vuMQAAAABJRU5ErkJggg==
      """
    ),
    Image(
      kind: 4,
      depth: 16,
      isInterlaced: true,
      """
      iVBORw0KGgoAAAANSUhEUgAAAAUAAAADEAQAAAHWqOGmAAAALUlEQVR42i2KQQ4AIAzCOvXh7OU4ohwamhTPNtgV\
      nMCGGl1PogQ/tKVuCaT8CzynIPamD7zCAAAAAElFTkSuQmCC
      """
    ),
    Image(
      kind: 6,
      depth: 8,
      isInterlaced: false,
      """
      iVBORw0KGgoAAAANSUhEUgAAAAUAAAADCAYAAABbNsX4AAAAJ0lEQVR42mNgYPj//z+IAGIYm+k/AyMQApkMIFEI\
      mwWZ8x9MMjIAAK34Ef2JQGaYAAAAAElFTkSuQmCC
      """
    ),
    Image(
      kind: 6,
      depth: 8,
      isInterlaced: true,
      """
      iVBORw0KGgoAAAANSUhEUgAAAAUAAAADCAYAAAEsMfVuAAAALUlEQVR42i2KAQoAIBDCdtXD7eV2VghjooA93axg\
      XcOdYqRk/+QdN5bZEih+AG3pGvwiBdpbAAAAAElFTkSuQmCC
      """
    ),
    Image(
      kind: 6,
      depth: 16,
      isInterlaced: false,
      """
      iVBORw0KGgoAAAANSUhEUgAAAAUAAAADEAYAAAALphm7AAAAJUlEQVR42mNgAIL/YABjQWh0cSYQg5ERgiGCEIAu\
      zoJLAsaH0QB0VyPzUdiHjAAAAABJRU5ErkJggg==
      """
    ),
    Image(
      kind: 6,
      depth: 16,
      isInterlaced: true,
      """
      iVBORw0KGgoAAAANSUhEUgAAAAUAAAADEAYAAAF8oSktAAAAN0lEQVR42k2MAQ4AMAQD2fbw9uWmE7Im6lQwS0Vq\
      RxR6w5nE5VXi1Yu+/fH1eUbKAc0kUsqBzi8ryDXqjk4y7gAAAABJRU5ErkJggg==
      """
    ),
  ]
}
