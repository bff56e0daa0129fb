import PalettePlatform
import Testing
import WebSocket

@testable import PaletteNode

/// What is counted of those who are connected, and of the disk.
struct ClientCountsTests {
  private func id(_ number: UInt64) -> ConnectionID { ConnectionID(rawValue: number) }

  @Test func whatWaitsForAMemberIsCountedOverAllItsConnections() {
    var members = MemberConnections()
    for number in 1...3 as ClosedRange<UInt64> { members.add(id(number), of: 7, at: 0) }
    members.add(id(4), of: 8, at: 0)
    let bytes: (ConnectionID) -> Int = { Int($0.rawValue) * 10 }
    #expect(members.count(of: 7) == 3)
    #expect(members.sum(over: id(1), bytes) == 60 && members.sum(over: id(3), bytes) == 60)
    #expect(members.sum(over: id(4), bytes) == 40)
    // Of nobody who is known, each connection counts for itself.
    #expect(members.sum(over: id(9), bytes) == 90)
    members.remove(id(3))
    #expect(members.sum(over: id(1), bytes) == 30)
    members.add(id(2), of: 8, at: 0)
    #expect(members.sum(over: id(1), bytes) == 10 && members.sum(over: id(4), bytes) == 60)
    members.remove(id(1))
    #expect(members.count(of: 7) == 0)
  }

  /// Sizes of disks in KiB, and what is kept free.
  private static let disks: [(size: UInt64, reserve: UInt64)] = [
    (100_000_000, 262_144), (2_097_152, 262_144), (1_048_576, 262_144), (400_000, 100_000),
    (900, 225),
  ]

  @Test(arguments: disks)
  func aSmallDiskKeepsAQuarter(size: UInt64, reserve: UInt64) {
    let space = DiskSpace(freeBytes: reserve * 1_024, sizeBytes: size * 1_024)
    #expect(space.reserveBytes == reserve * 1_024 && space.isEnough)
    #expect(!DiskSpace(freeBytes: reserve * 1_024 - 1, sizeBytes: size * 1_024).isEnough)
  }
}
