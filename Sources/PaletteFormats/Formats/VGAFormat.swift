internal import PaletteModel

/// The palette of a VGA card: 256 times red, green and blue, of six bits each or of eight.
struct VGAFormat: FileFormat {
  let name = "vga"
  let title = "VGA palette"
  let extensions = ["pal"]
  let writes = false
  let keeps: KeptContent = []

  func match(_ file: FileProbe) -> FormatMatch {
    guard file.bytes.count == 768, !file.isPlainText else { return .none }
    return file.bytes.allSatisfy { $0 < 64 } ? .likely : .possible
  }

  func read(_ file: FileProbe) throws(FormatError) -> FileContents {
    guard file.bytes.count == 768 else {
      throw .badFile("a VGA palette has 768 bytes, this file has \(file.bytes.count)")
    }
    let isSixBit = file.bytes.allSatisfy { $0 < 64 }
    let bytes = isSixBit ? file.bytes.map { UInt8((Int($0) * 255 + 31) / 63) } : file.bytes
    return FileContents(
      entries: (0..<256).map { FileEntry(bytes: Array(bytes[($0 * 3)..<($0 * 3 + 3)])) }
    )
  }

  func write(_ sheet: PaletteSheet) throws(FormatError) -> [UInt8] { throw .onlyRead(name) }
}
