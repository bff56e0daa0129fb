import PaletteModel
import PaletteStore
import PaletteSync
import PaletteTestSupport
import Testing

@testable import PaletteNode

struct StoredTokenAuthorityTests {
  private let clock = ManualClock()
  private let library: TemporaryLibrary
  private let store: ChangeStore
  private let secret = [UInt8](repeating: 7, count: 32)

  init() throws {
    library = try TemporaryLibrary()
    store = try ChangeStore(
      writing: library.folder,
      milliseconds: { [clock] in clock.milliseconds }
    )
  }

  private func grant(expires: Int64? = nil) throws -> StoredToken {
    try store.makeToken(
      secret: secret,
      role: Role.editor.rawValue,
      palette: nil,
      expiresMilliseconds: expires,
      isJoinCode: false
    )
  }

  @Test func endsARightWithItsToken() throws {
    let token = try grant()
    let authority = StoredTokenAuthority(store: store)
    for _ in 0..<2 { #expect(authority.rights(ofToken: Secret.text(secret))?.role == .editor) }
    #expect(authority.rights(ofToken: Secret.text([UInt8](repeating: 8, count: 32))) == nil)
    #expect(try store.revokeToken(token.id))
    #expect(authority.rights(ofToken: Secret.text(secret)) == nil)
  }

  @Test func endsARightInTime() throws {
    _ = try grant(expires: clock.milliseconds + 1_000)
    let authority = StoredTokenAuthority(store: store)
    #expect(authority.rights(ofToken: Secret.text(secret)) != nil)
    clock.milliseconds += 1_000
    #expect(authority.rights(ofToken: Secret.text(secret)) != nil)
    clock.milliseconds += 1
    #expect(authority.rights(ofToken: Secret.text(secret)) == nil)
  }
}
