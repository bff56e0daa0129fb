internal import CExpat

extension XMLElement {
  /// Reads a document.
  ///
  /// Entities of its own are refused before one is expanded, and so are depth and number beyond what
  /// palettes have.
  init(parsing bytes: [UInt8]) throws(FormatError) {
    let reading = XMLReading()
    guard let parser = XML_ParserCreate(nil) else { throw .badFile("out of memory") }
    defer { XML_ParserFree(parser) }
    reading.parser = parser
    XML_SetUserData(parser, Unmanaged.passUnretained(reading).toOpaque())
    XML_SetElementHandler(
      parser,
      { reading, name, attributes in XMLReading.of(reading)?.begin(name, attributes) },
      { reading, _ in XMLReading.of(reading)?.end() }
    )
    XML_SetCharacterDataHandler(parser) { reading, text, count in
      XMLReading.of(reading)?.append(text, Int(count))
    }
    XML_SetEntityDeclHandler(parser) { reading, _, _, _, _, _, _, _, _ in
      XMLReading.of(reading)?.stop("it declares entities, which palettes do not need")
    }
    let status = withExtendedLifetime(reading) {
      bytes.withUnsafeBytes { buffer in
        XML_Parse(
          parser,
          buffer.baseAddress?.assumingMemoryBound(to: CChar.self),
          Int32(clamping: buffer.count),
          1
        )
      }
    }
    if let refusal = reading.refusal { throw .badFile("the XML is refused: \(refusal)") }
    guard status == XML_STATUS_OK, bytes.count <= Int32.max, let root = reading.root else {
      let message = XML_ErrorString(XML_GetErrorCode(parser)).map { String(cString: $0) }
      let line = XML_GetCurrentLineNumber(parser)
      throw .badFile("not an XML document: \(message ?? "it is empty") in line \(line)")
    }
    self = root
  }
}

/// The elements of a document so far.
private final class XMLReading {
  private static let depthLimit = 64
  private static let countLimit = 800_000

  var parser: XML_Parser?
  private(set) var root: XMLElement?
  private(set) var refusal: String?
  private var open: [XMLElement] = []
  private var count = 0

  static func of(_ pointer: UnsafeMutableRawPointer?) -> XMLReading? {
    pointer.map { Unmanaged<XMLReading>.fromOpaque($0).takeUnretainedValue() }
  }

  func begin(
    _ name: UnsafePointer<CChar>?,
    _ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>?
  ) {
    guard refusal == nil, let name else { return }
    count += 1
    guard open.count < Self.depthLimit else { return stop("its elements are nested too deeply") }
    guard count <= Self.countLimit else { return stop("it has too many elements") }
    var pairs: [(name: String, value: String)] = []
    var next = attributes
    while let key = next?[0], let value = next?[1] {
      pairs.append((name: Self.localName(key), value: String(cString: value)))
      next = next?.advanced(by: 2)
    }
    open.append(
      XMLElement(
        name: Self.localName(name),
        attributes: pairs,
        line: Int(XML_GetCurrentLineNumber(parser)),
        tag: place()
      )
    )
  }

  func end() {
    guard refusal == nil, var element = open.popLast() else { return }
    element.end = max(element.tag.upperBound, place().upperBound)
    if open.isEmpty {
      root = element
    } else {
      open[open.count - 1].children.append(element)
    }
  }

  /// The place of the tag that is being read.
  private func place() -> Range<Int> {
    let start = max(0, Int(XML_GetCurrentByteIndex(parser)))
    return start..<(start + max(0, Int(XML_GetCurrentByteCount(parser))))
  }

  func append(_ text: UnsafePointer<CChar>?, _ count: Int) {
    guard refusal == nil, !open.isEmpty, let text else { return }
    let bytes = UnsafeRawBufferPointer(start: text, count: count)
    open[open.count - 1].text += String(decoding: bytes, as: UTF8.self)
  }

  func stop(_ reason: String) {
    refusal = reason
    XML_StopParser(parser, XML_Bool(XML_FALSE))
  }

  private static func localName(_ name: UnsafePointer<CChar>) -> String {
    let name = String(cString: name)
    guard name.utf8.contains(UInt8(ascii: ":")) else { return name }
    return name.split(separator: ":").last.map(String.init) ?? name
  }
}
