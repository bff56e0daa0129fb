import Testing

@testable import PaletteSync

struct ReceivingWindowTests {
  private func expectRoom(_ window: inout ReceivingWindow, _ bytes: Int) {
    let isTaken = window.admit(bytes)
    #expect(isTaken)
  }

  private func expectNoGrant(_ window: inout ReceivingWindow) {
    let granted = window.grant()
    #expect(granted == nil)
  }

  @Test func roomIsGivenBackWhenItIsDurable() {
    var window = ReceivingWindow()
    for _ in 0..<16 { expectRoom(&window, 65_536) }
    #expect(window.credit == 0)
    // Nothing is merged: nothing is granted, however often it is asked.
    expectNoGrant(&window)
    for _ in 0..<3 { window.merged() }
    expectNoGrant(&window)
    window.merged()
    let granted = window.grant()
    #expect(granted == 262_144)
    #expect(window.credit == 262_144)
  }

  @Test func overdrawingDoesNotWidenTheWindow() {
    var window = ReceivingWindow()
    for _ in 0..<1_000 {
      while window.credit > 0 { expectRoom(&window, 60_000) }
      expectRoom(&window, 60_000)
      while window.grant() == nil { window.merged() }
      #expect(window.credit <= SyncProtocol.creditBytes)
    }
  }

  @Test func whoSendsOnWithoutCreditIsFoundOut() {
    var window = ReceivingWindow()
    var count = 0
    while window.admit(65_536) { count += 1 }
    #expect(count == 20)
  }
}
