import PaletteTestSupport
import Testing

struct OwnershipSearchTests {
  /// Every order of ten steps, by night twelve, in which two hubs, an owner change, lost answers and late
  /// statements can meet, but for those that lead to a world which was seen before.
  @Test func noInterleavingBreaksARule() {
    // Also from where the first hub has been silent for a while, so that much fits in behind the change.
    var frontier = [OwnershipWorld()]
    for _ in 1...2 { frontier.append(frontier[frontier.count - 1].after(.wait)) }
    var seen = Set(frontier)
    var changes = 0
    for _ in 1...Self.depth {
      var next: [OwnershipWorld] = []
      for world in frontier {
        for step in world.steps {
          let after = world.after(step)
          guard seen.insert(after).inserted else { continue }
          #expect(after.fault == nil, "\(step)")
          if after.fault != nil { return }
          if after.hasChangedHands { changes += 1 }
          next.append(after)
        }
      }
      frontier = next
    }
    #expect(changes > 0, "the search never came to the second hub")
  }

  // Three roots and 12 steps are 424,937 worlds and 25 s.
  private static let depth = TestSeeds.isNight ? 12 : 10
}
