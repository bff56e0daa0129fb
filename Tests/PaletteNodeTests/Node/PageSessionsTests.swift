import PaletteSync
import Testing

@testable import PaletteNode

struct PageSessionsTests {
  @Test func beginsOneSessionWithOneCode() throws {
    let sessions = PageSessions()
    let code = sessions.makeCode()
    #expect(code.count == 64)
    #expect(sessions.rights(ofToken: code) == nil)
    let secret = try #require(sessions.redeem(code))
    #expect(secret != code)
    #expect(sessions.rights(ofToken: secret) == CallerRights(.owner))
    #expect(sessions.redeem(code) == nil)
    #expect(sessions.redeem(secret) == nil)
  }

  @Test func endsTheOldestSessionOfTooMany() throws {
    let sessions = PageSessions()
    let secrets = try (0...1_000).map { _ in try #require(sessions.redeem(sessions.makeCode())) }
    #expect(sessions.rights(ofToken: secrets[0]) == nil)
    #expect(sessions.rights(ofToken: secrets[1]) != nil)
    #expect(sessions.rights(ofToken: secrets[1_000]) != nil)
  }
}
