import PaletteTestSupport
import Testing

@testable import PaletteModel

/// What is written into memory of a fixed size is what a growing buffer would hold.
struct ScratchWriterTests {
  @Test(arguments: 0..<50 as Range<UInt64>)
  func writesWhatTheOtherWriterDoes(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var writer = CBORWriter()
    withUnsafeTemporaryAllocation(byteCount: 4_096, alignment: 8) { memory in
      var scratch = ScratchWriter(memory)
      for _ in 0..<40 {
        // Of every length.
        let number =
          UInt64.random(in: .min ... .max, using: &random)
          >> UInt64.random(in: 0..<64, using: &random)
        let count = Int.random(in: 0..<40, using: &random)
        switch Int.random(in: 0..<6, using: &random) {
        case 0:
          writer.write(unsigned: number)
          scratch.write(unsigned: number)
        case 1:
          writer.write(array: count)
          scratch.write(array: count)
        case 2:
          writer.write(map: count)
          scratch.write(map: count)
        case 3:
          writer.write(eightBytes: number)
          scratch.write(eightBytes: number)
        case 4:
          let id = RecordID(high: number, low: ~number)
          writer.write(id)
          scratch.write(id)
        default:
          let bytes = [UInt8](repeating: UInt8(count), count: count)
          writer.write(bytes: bytes)
          bytes.withUnsafeBytes { scratch.write(bytes: $0) }
        }
      }
      #expect(!scratch.isFull)
      #expect(scratch.bytes.elementsEqual(writer.bytes), "replay with seed \(seed)")
    }
  }

  @Test(arguments: [0, 1, 8, 9, 16, 17, 40])
  func writesNothingBeyondItsMemory(size: Int) {
    withUnsafeTemporaryAllocation(byteCount: size + 16, alignment: 8) { memory in
      memory.initializeMemory(as: UInt8.self, repeating: 0xAA)
      var scratch = ScratchWriter(UnsafeMutableRawBufferPointer(rebasing: memory[..<size]))
      for _ in 0..<3 {
        scratch.write(RecordID(high: 1, low: 2))
        scratch.write(Dot(NodeID(.max), .max))
        [UInt8](repeating: 7, count: 20).withUnsafeBytes { scratch.append(encoded: $0) }
      }
      #expect(scratch.isFull)
      #expect(scratch.bytes.count <= size)
      #expect(memory[size...].allSatisfy { $0 == 0xAA })
      scratch.removeAll()
      #expect(!scratch.isFull && scratch.bytes.isEmpty)
    }
  }
}
