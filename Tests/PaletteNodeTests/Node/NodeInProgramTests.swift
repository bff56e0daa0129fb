import PaletteCommands
import PaletteMerge
import PaletteModel
import PaletteNode
import PaletteStore
import PaletteTestSupport
import PaletteWebPage
import Testing

/// Nodes in this process, used as a program of somebody else would.
@MainActor
@Suite(.timeLimit(.minutes(15 * TestPatience.factor)))
struct NodeInProgramTests {
  private let libraries: [TemporaryLibrary]

  init() throws {
    libraries = try (0..<2).map { _ in try TemporaryLibrary() }
  }

  private func node(_ index: Int) async throws -> Node {
    var settings = NodeSettings()
    settings.listen = try ListenAddress("127.0.0.1:0")
    return try await Node.start(in: libraries[index].folder.path, settings: settings)
  }

  @Test func whatIsEditedInOneProgramIsInTheOther() async throws {
    let (ann, bob) = (try await node(0), try await node(1))
    let log = try await ann.log
    let id = try await log.run { try $0.makePalette(named: "Brand") }
    let palette = try await log.palette(id)
    palette.colors = [NamedColor(name: "Ripe", color: try Color("tomato"))]
    try await palette.flush()

    let invitation = try await ann.share(id, as: .editor, to: "Bob", for: .seconds(3_600))
    #expect(invitation.role == .editor && invitation.palette == id)
    let peer = try await bob.join(invitation.code)
    #expect(peer.state == .live && peer.isCaughtUp && peer.error == nil)
    let other = try await bob.log.palette(id)
    #expect(other.colors.map(\.name) == ["Ripe"])

    // An edit there is followed here.
    let following = Task { try await palette.follow() }
    defer { following.cancel() }
    other.colors.append(NamedColor(name: "Sky", color: try Color("skyblue")))
    try await other.flush()
    while palette.colors.count < 2 { await Task.yield() }
    #expect(palette.colors.map(\.name) == ["Ripe", "Sky"])

    // The statuses end in sync, and the same one is there for whoever asks once.
    for await status in bob.statuses where status.isInSync && status.pending == 0 { break }
    let status = try await bob.status
    #expect(status.palettes == 1 && status.colors == 2 && status.peers.map(\.url) == [peer.url])
    #expect(status.digest == (try await ann.status).digest)
    try await bob.leave(peer.url)
    #expect(try await bob.status.peers.isEmpty)
    await ann.end()
    await bob.end()
  }

  @Test func theListOfPalettesFollowsPeers() async throws {
    let (ann, bob) = (try await node(0), try await node(1))
    let mine = try await ann.log.library()
    let theirs = try await bob.log.library()
    var names: [String] = []
    theirs.onChange { change in
      switch change {
      case .appeared(let palette, _): names.append("+\(palette.name)")
      case .went(let palette, _): names.append("-\(palette.name)")
      case .changed(let palette, let was, _, _):
        if palette.name != was.name { names.append(palette.name) }
      }
    }
    let following = Task { try await theirs.follow() }
    try await bob.join(try await ann.share().code)
    let id = try await mine.makePalette(named: "Brand")
    while theirs[id] == nil { await Task.yield() }
    let palette = try await ann.log.palette(id)
    palette.name = "Sea"
    palette.colors = [NamedColor(name: "Ripe", color: try Color("tomato"))]
    try await palette.flush()
    while theirs[id]?.name != "Sea" || theirs[id]?.count != 1 { await Task.yield() }
    try await mine.drop(id)
    while theirs.count > 0 { await Task.yield() }
    #expect(names == ["+Brand", "Sea", "-Sea"])
    following.cancel()
    try await following.value
    await ann.end()
    await bob.end()
  }

  @Test func whoLooksAtAPaletteIsSeenByOthers() async throws {
    let (ann, bob) = (try await node(0), try await node(1))
    let id = try await ann.log.run { try $0.makePalette(named: "Brand") }
    let palette = try await ann.log.palette(id)
    palette.colors = ["Ripe", "Sky"].map { NamedColor(name: $0, color: Color(.srgb, 1, 0, 0)) }
    try await palette.flush()
    try await bob.join(try await ann.share(id, as: .editor).code)
    let other = try await bob.log.palette(id)

    palette.selected = palette.colors[1].id
    let here = try await ann.presence(in: palette, as: "Ann")
    let there = try await bob.presence(in: other, as: "Bob")
    var told: [[String]] = []
    there.onChange { views in told.append(views.map { "\($0.name) \($0.selection as Any)" }) }
    let tasks = [Task { await here.follow() }, Task { await there.follow() }]
    while there.others.map(\.name) != ["Ann"] { await Task.yield() }
    while here.others.map(\.name) != ["Bob"] { await Task.yield() }
    #expect(there.others[0].selection == palette.colors[1].id && here.others[0].selection == nil)
    #expect(here.others[0].id != there.others[0].id)

    // A second view of the same program sees the first one, and is seen by all.
    let second = try await ann.presence(in: palette)
    #expect(Set(second.others.map(\.name)) == ["Ann", "Bob"])
    while there.others.count != 2 { await Task.yield() }
    second.end()
    while there.others.count != 1 { await Task.yield() }

    // What is selected is told by itself.
    other.selected = other.colors[0].id
    while here.others.first?.selection != other.colors[0].id { await Task.yield() }
    palette.selected = nil
    while there.others.first?.selection != nil { await Task.yield() }
    here.end()
    while !there.others.isEmpty { await Task.yield() }
    // No change was told twice.
    #expect(zip(told, told.dropFirst()).allSatisfy { $0 != $1 })
    await #expect { _ = try await ann.presence(in: palette, as: "\u{7}") } throws: {
      ($0 as? APIError)?.code == "bad-name"
    }
    await ann.end()
    await bob.end()
    // Both end with their nodes.
    for task in tasks { await task.value }
  }

  @Test func membersAreTypedObservedAndRevoked() async throws {
    let (ann, bob) = (try await node(0), try await node(1))
    let id = try await ann.log.run { try $0.makePalette(named: "Brand") }
    let unused = try await ann.share()
    let invitation = try await ann.share(id, as: .editor, to: "Bob")
    #expect(try await ann.members.isEmpty)
    let peer = try await bob.join(invitation.code)
    #expect(peer.grants.map(\.role) == [.editor] && peer.grants.map(\.palette) == [id])

    // Whoever joins, looks at something and lacks nothing is told in time.
    let presence = try await bob.presence(in: try await bob.log.palette(id))
    var told: [NodeStatus] = []
    for await status in ann.statuses {
      told.append(status)
      if let member = status.members.first, member.pending == 0, !member.views.isEmpty { break }
    }
    let member = try #require(told.last?.members.first)
    #expect(member.isLive && member.kind == .machine && member.views == [id])
    #expect(member.name == "Bob" && member.since != nil && member.lastContact == nil)
    #expect(member.rights.map(\.grant.role) == [.editor] && member.rights[0].id == invitation.id)
    #expect(zip(told, told.dropFirst()).allSatisfy { $0 != $1 })

    // What is revoked is refused.
    try await ann.revoke(unused)
    await #expect { try await bob.join(unused.code) } throws: {
      ($0 as? APIError)?.code == "not-allowed"
    }
    try await ann.revoke(member)
    for await status in bob.statuses where status.peers.first?.state == .refused { break }
    for await status in ann.statuses where status.members.isEmpty { break }
    await #expect { try await ann.revoke(member) } throws: {
      ($0 as? APIError)?.code == "not-found"
    }
    await #expect { try await ann.revoke(member.rights[0]) } throws: {
      ($0 as? APIError)?.code == "not-found"
    }
    presence.end()
    await ann.end()
    await bob.end()
  }

  @Test func onePaletteOfSeveralIsGivenBack() async throws {
    let (ann, bob) = (try await node(0), try await node(1))
    var peer = ""
    var ids: [PaletteID] = []
    for name in ["Brand", "Sea"] {
      let id = try await ann.log.run { try $0.makePalette(named: name) }
      ids.append(id)
      peer = try await bob.join(try await ann.share(id, as: .viewer).code).url
    }
    for await status in bob.statuses where status.peers.first?.grants.count == 2 { break }
    try await bob.leave(peer, givingBack: ids[0])
    #expect(try await bob.status.peers.first?.grants.map(\.palette) == [ids[1]])
    for await status in ann.statuses where status.members.first?.rights.count == 1 { break }
    #expect(try await ann.members.first?.rights.map(\.grant.palette) == [ids[1]])
    await #expect { try await bob.leave(peer, givingBack: ids[0]) } throws: {
      ($0 as? APIError)?.code == "not-found"
    }
    await ann.end()
    await bob.end()
  }

  @Test(arguments: [nil, NodePage.hued])
  func thePageIsServedByWhomItWasGivenTo(page: NodePage?) async throws {
    var settings = NodeSettings()
    settings.listen = try ListenAddress("127.0.0.1:0")
    settings.page = page
    let node = try await Node.start(in: libraries[0].folder.path, settings: settings)
    let status = page == nil ? 404 : 200
    for path in ["/", "/page.js"] {
      #expect(LoopbackHTTP.get(path, at: node.url, token: "")?.status == status)
    }
    #expect((node.pageLink == nil) == (page == nil))
    let invitation = try await node.share()
    #expect(invitation.link?.hasSuffix(invitation.code) == (page == nil ? nil : true))
    await node.end()
  }

  @Test func aCodeIsGoodOnce() async throws {
    let (ann, bob) = (try await node(0), try await node(1))
    let code = try await ann.share().code
    #expect(try await bob.join(code).state == .live)
    let third = try TemporaryLibrary()
    var settings = NodeSettings()
    settings.listen = try ListenAddress("127.0.0.1:0")
    let eve = try await Node.start(in: third.folder.path, settings: settings)
    await #expect { try await eve.join(code) } throws: { ($0 as? APIError)?.code == "not-allowed" }
    #expect(try await eve.status.peers.isEmpty)
    await #expect { try await eve.join("nonsense") } throws: {
      ($0 as? APIError)?.code == "bad-value"
    }
    for node in [ann, bob, eve] { await node.end() }
  }

  @Test func whoeverAsksANodeThatHasEndedIsTold() async throws {
    let ann = try await node(0)
    let log = try await ann.log
    let statuses = ann.statuses
    await ann.end()
    // The sequence ends with the node.
    for await _ in statuses {}
    await #expect { try await ann.status } throws: { ($0 as? APIError)?.code == "failed" }
    // The log goes on by itself: nothing is left hanging.
    let id = try await log.run { try $0.makePalette(named: "Late") }
    #expect(try await log.run { try $0.summary(of: id)?.name } == "Late")
  }
}
