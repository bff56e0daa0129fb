internal import PaletteJSON
internal import PaletteModel

/// A file that is to be recognised and read: its bytes, and what they are seen as text, JSON, XML or
/// archive.
///
/// Each view is made when it is first asked for, once for all the formats that look.
public final class FileProbe {
  /// The bytes of the file; nothing for a folder.
  public let bytes: [UInt8]
  /// The name or path that the file goes by, as far as it has one.
  public let name: String
  private let folder: [ArchivedFile]?

  /// Creates a probe of a file's bytes.
  public init(_ bytes: [UInt8], named name: String = "") {
    self.bytes = bytes
    self.name = name
    folder = nil
  }

  /// Creates a probe of the files in a folder.
  public init(folder files: [ArchivedFile], named name: String) {
    bytes = []
    self.name = name
    folder = files
  }

  /// The lines of the file.
  private(set) lazy var text = TextFile(bytes)

  /// The lines that hold more than white space.
  var lines: [TextFile.Line] { text.lines }

  /// True if it is a text with more lines than a palette has; documents and archives have no lines.
  var hasTooManyLines: Bool {
    guard folder == nil, !ZipArchive.isOne(bytes), let first = firstByte,
      ![UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "<")].contains(first)
    else { return false }
    return text.isCut
  }

  /// The bytes after a byte order mark.
  var content: ArraySlice<UInt8> { bytes.withoutByteOrderMark }

  /// The same as an array of its own.
  private(set) lazy var contentBytes = Array(content)

  /// True if the bytes of the text are those of the file.
  private(set) lazy var isUTF8 = text.text.utf8.elementsEqual(content)

  /// True if the bytes are a text, without characters that only control something.
  private(set) lazy var isPlainText: Bool = {
    let isControl = { (byte: UInt8) in byte < 0x20 && !(0x09...0x0D).contains(byte) }
    return String(validating: content, as: UTF8.self) != nil && !content.contains(where: isControl)
  }()

  /// The first byte that is no white space.
  var firstByte: UInt8? {
    let space: Set<UInt8> = [0x09, 0x0A, 0x0D, 0x20]
    return content.first { !space.contains($0) }
  }

  /// The JSON document in the file, or why there is none.
  private(set) lazy var parsedJSON: Result<JSON, FormatError> = {
    do {
      return .success(try JSON(parsing: Array(content)))
    } catch {
      return .failure(.badFile("not a JSON document: \(error)"))
    }
  }()

  /// The JSON document in a file that begins like one.
  var json: JSON? {
    guard let first = firstByte, first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else {
      return nil
    }
    return try? parsedJSON.get()
  }

  /// The outermost element of the XML document in the file, or why there is none.
  private(set) lazy var parsedXML: Result<XMLElement, FormatError> = {
    do throws(FormatError) {
      return .success(try XMLElement(parsing: bytes))
    } catch {
      return .failure(error)
    }
  }()

  /// The outermost element of a file that begins like XML; UTF-16 begins with its mark.
  var xml: XMLElement? {
    let isUTF16 = bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE])
    guard isUTF16 || firstByte == UInt8(ascii: "<") else { return nil }
    return try? parsedXML.get()
  }

  /// The archive that the file is, or why it is none.
  private(set) lazy var openedArchive: Result<ZipArchive, FormatError> = {
    do throws(FormatError) {
      return .success(try ZipArchive(bytes))
    } catch {
      return .failure(error)
    }
  }()

  /// The archive that the file is.
  var archive: ZipArchive? {
    ZipArchive.isOne(bytes) ? try? openedArchive.get() : nil
  }

  /// The files of the folder, or of the archive; unpacked at each call.
  func files() throws(FormatError) -> [ArchivedFile] {
    if let folder { return folder }
    return try openedArchive.get().files()
  }

  /// The paths in the folder or the archive; none in any other file.
  private(set) lazy var paths: [String] = folder?.map(\.path) ?? archive?.paths ?? []
}

extension FileProbe {
  /// The last part of the name, without its ending.
  var title: String? {
    let last = name.split(separator: "/").last ?? ""
    let dot = last.lastIndex(of: ".") ?? last.endIndex
    return TextRule.name.cleaned(String(dot == last.startIndex ? last : last[..<dot]))
  }
}
