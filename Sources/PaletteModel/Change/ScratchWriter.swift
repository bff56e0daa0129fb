/// Writes deterministic CBOR into memory of a fixed size, which costs a tenth of what a growing buffer
/// does.
///
/// What does not fit is not written, and `isFull` says so in the end.
struct ScratchWriter {
  private let memory: UnsafeMutableRawBufferPointer
  private var count = 0
  /// Whether something did not fit.
  private(set) var isFull = false

  init(_ memory: UnsafeMutableRawBufferPointer) {
    self.memory = memory
  }

  /// What has been written.
  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: memory[..<count]) }

  /// Forgets what has been written.
  mutating func removeAll() {
    count = 0
    isFull = false
  }

  mutating func write(unsigned value: UInt64) { head(0, value) }

  mutating func write(array count: Int) { head(4, UInt64(count)) }

  mutating func write(map count: Int) { head(5, UInt64(count)) }

  mutating func write(bytes value: UnsafeRawBufferPointer) {
    head(2, UInt64(value.count))
    append(encoded: value)
  }

  /// Writes an id as a byte string of sixteen bytes.
  mutating func write(_ id: RecordID) {
    guard let target = room(17) else { return }
    target.storeBytes(of: 0x50, as: UInt8.self)
    target.storeBytes(of: id.high.bigEndian, toByteOffset: 1, as: UInt64.self)
    target.storeBytes(of: id.low.bigEndian, toByteOffset: 9, as: UInt64.self)
    count += 17
  }

  /// Writes a byte string of eight bytes.
  mutating func write(eightBytes value: UInt64) {
    guard let target = room(9) else { return }
    target.storeBytes(of: 0x48, as: UInt8.self)
    target.storeBytes(of: value.bigEndian, toByteOffset: 1, as: UInt64.self)
    count += 9
  }

  mutating func write(_ dot: Dot) {
    write(array: 2)
    write(unsigned: dot.node.rawValue)
    write(unsigned: UInt64(dot.sequence))
  }

  /// Appends an item that is already encoded.
  mutating func append(encoded item: UnsafeRawBufferPointer) {
    guard let target = room(item.count), let source = item.baseAddress else { return }
    target.copyMemory(from: source, byteCount: item.count)
    count += item.count
  }

  private mutating func head(_ major: UInt8, _ value: UInt64) {
    guard let target = room(CBORHead.longest) else { return }
    count += CBORHead.write(major, value, to: target)
  }

  private mutating func room(_ needed: Int) -> UnsafeMutableRawPointer? {
    guard needed <= memory.count - count, let start = memory.baseAddress else {
      isFull = true
      return nil
    }
    return start + count
  }
}
