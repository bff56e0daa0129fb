import PaletteMerge
import PaletteStore
import PaletteSync
import PaletteTestSupport
import Testing

@testable import PaletteCommands
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

  private func grant(_ kind: MemberKind = .script, expires: Int64? = nil) throws -> String {
    let grant = Grant(.editor, expiresMilliseconds: expires)
    return try store.members.makeMember(kind, secret: secret, grant: grant).grant
  }

  @Test func endsARightWithItsGrant() throws {
    let grant = try grant()
    let authority = StoredTokenAuthority(store: store)
    for _ in 0..<2 {
      #expect(authority.rights(ofToken: Secret.text(secret))?.trust.greatestRole == .editor)
    }
    #expect(authority.rights(ofToken: Secret.text([UInt8](repeating: 8, count: 32))) == nil)
    #expect(try store.members.revokeGrant(grant))
    #expect(authority.rights(ofToken: Secret.text(secret)) == nil)
  }

  @Test func endsARightInTime() throws {
    _ = try grant(expires: clock.milliseconds + 1_000)
    let authority = StoredTokenAuthority(store: store)
    #expect(authority.rights(ofToken: Secret.text(secret)) != nil)
    clock.milliseconds += 999
    #expect(authority.rights(ofToken: Secret.text(secret)) != nil)
    clock.milliseconds += 1
    #expect(authority.rights(ofToken: Secret.text(secret)) == nil)
  }

  @Test func aMachinesSecretIsGoodForSyncingAlone() throws {
    _ = try grant(.machine)
    #expect(StoredTokenAuthority(store: store).rights(ofToken: Secret.text(secret)) == nil)
  }

  @Test func aPageThatNobodyUsesEndsAfterThirtyDays() throws {
    _ = try grant(.page)
    let authority = StoredTokenAuthority(store: store)
    for _ in 0..<4 {
      clock.milliseconds += 20 * 86_400_000
      #expect(authority.rights(ofToken: Secret.text(secret)) != nil)
    }
    clock.milliseconds += 30 * 86_400_000 + 1
    #expect(authority.rights(ofToken: Secret.text(secret)) == nil)
  }
}
