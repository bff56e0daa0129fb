import PaletteCommands
import PaletteFormats
import PaletteJSON
import Testing

@testable import hued

struct ComposeFileTests {
  private static let guide = "Sources/PaletteNode/PaletteNode.docc/RunningAFleet.md"
  private let compose: YAML

  init() throws {
    let document = try YAMLReader.read(try Repository.text("docker-compose.yml"))
    compose = document.interpolated(["HUED_HOST": "palettes.example", "HUED_PORT": "5000"])
  }

  private var services: [String: YAML] {
    if case .map(let services)? = compose["services"] { services } else { [:] }
  }

  private func services(of profile: String?) -> [String: YAML] {
    services.filter { $1["profiles"]?.texts == profile.map { [$0] } }
  }

  /// The services that are a node, each with its own library.
  private var nodes: [String: YAML] {
    services(of: nil).merging(services(of: "demo")) { $1 }
  }

  /// The hubs of the fleet.
  private var hubs: [String: YAML] {
    services(of: "fleet").filter { $1["image"]?.text == "hued-fleet" }
  }

  @Test func aHubIsTheOnlyServiceWithoutAProfile() {
    #expect(services(of: nil).keys.sorted() == ["hub"])
    #expect(services(of: "demo").count == 2)
    #expect(
      services(of: "fleet").keys.sorted() == ["balancer", "database", "one", "three", "two"]
    )
    #expect(services.count == 8)
  }

  @Test func everyKeyIsKnown() {
    let roots: Set = [
      "name", "services", "volumes", "networks", "x-container", "x-node", "x-demo", "x-fleet",
    ]
    #expect(Set(compose.keys).isSubset(of: roots))
    let known: Set = [
      "image", "build", "user", "read_only", "tmpfs", "cap_drop", "security_opt", "restart",
      "stop_grace_period", "logging", "healthcheck", "profiles", "depends_on", "entrypoint",
      "command", "ports", "volumes", "networks", "environment", "hostname",
    ]
    for (name, service) in services {
      #expect(Set(service.keys).subtracting(known) == [], "\(name)")
    }
  }

  @Test func everyServiceHasNoMoreRightsThanItNeeds() throws {
    for (name, service) in services {
      // The images of others have users of their own.
      let user = ["database": "999:999", "balancer": "99:99"][name] ?? "10001:10001"
      #expect(service["user"]?.text == user, "\(name)")
      #expect(service["read_only"]?.text == "true", "\(name)")
      #expect(service["cap_drop"]?.texts == ["ALL"], "\(name)")
      #expect(service["security_opt"]?.texts == ["no-new-privileges:true"], "\(name)")
      #expect(service["restart"]?.text == "unless-stopped", "\(name)")
    }
  }

  @Test func theLogDoesNotFillTheDisk() {
    for (name, service) in services {
      #expect(service["logging"]?["options"]?["max-size"] != nil, "\(name)")
      #expect(service["logging"]?["options"]?["max-file"] != nil, "\(name)")
    }
  }

  @Test func healthComesFromTheNodeItself() throws {
    for (name, service) in services {
      let test = try #require(service["healthcheck"]?["test"]?.texts, "\(name)")
      #expect(test.first == "CMD-SHELL")
      let shell = try #require(test.last)
      guard nodes[name] != nil else { continue }
      #expect(try Repository.invocations(in: shell).map(\.command) == [.status], "\(name)")
      #expect(shell.contains(#"grep --quiet '"running":true'"#))
    }
    for (name, service) in services {
      for key in ["interval", "timeout", "start_period", "retries"] {
        #expect(service["healthcheck"]?[key]?.text?.first?.isNumber == true, "\(name): \(key)")
      }
    }
  }

  @Test func theHubListensWhereItsPortIsPublished() throws {
    let hub = try #require(services["hub"])
    let words = try #require(hub["command"]?.text).split(separator: " ").map(String.init)
    let invocation = try Repository.invocation(words)
    #expect(invocation.command == .serve)
    #expect(invocation["listen"].stringValue == "0.0.0.0:5000")
    #expect(invocation["public-url"].stringValue == "https://palettes.example:5000")
    #expect(hub["ports"]?.texts == ["5000:5000"])
    #expect(hub["networks"]?["default"]?["aliases"]?.texts == ["palettes.example"])
  }

  @Test func theHubIsWhatTheDemonstrationJoins() throws {
    for (name, service) in services(of: "demo") {
      #expect(service["depends_on"]?.texts == ["hub"], "\(name)")
      #expect(service["entrypoint"]?.texts == ["/bin/sh", "-e", "-c"], "\(name)")
      #expect(service["volumes"]?.texts.contains("hub:/hub:ro") == true, "\(name)")
      let script = try #require(service["command"]?.texts.first, "\(name)")
      #expect(service["command"]?.texts.count == 1, "\(name)")
      #expect(script.contains("hued --home /hub share | hued join -\n"), "\(name)")
      let verbs = try Repository.invocations(in: script).map(\.command)
      #expect(verbs == [.status, .status, .share, .join, .serve], "\(name)")
      #expect(script.hasSuffix("exec hued serve\n"), "\(name)")
    }
  }

  @Test func everyLibraryIsInAVolumeOfItsOwn() throws {
    let home = try #require(
      try Repository.lines("Scripts/Dockerfile").first { $0.hasPrefix("ENV HUED_HOME=") }
    ).dropFirst("ENV HUED_HOME=".count)
    let places = [(nodes, home), (hubs, "/var/cache/hued-fleet")]
    let volumes = places.flatMap { services, place in
      services.compactMap { name, service in
        service["volumes"]?.texts.first { $0 == "\(name):\(place)" }.map { _ in name }
      }
    }
    #expect(services["database"]?["volumes"]?.texts == ["database:/var/lib/postgresql/data"])
    #expect((volumes + ["database"]).sorted() == compose["volumes"]?.keys)
    #expect(volumes.count == nodes.count + hubs.count)
  }

  @Test func theFleetIsBehindItsBalancerAndTheDatabaseBehindTheFleet() throws {
    #expect(hubs.count == 3)
    for (name, hub) in hubs {
      #expect(hub["hostname"]?.text == name)
      #expect(hub["depends_on"]?.texts == ["database"], "\(name)")
      #expect(hub["networks"]?.texts == ["fleet"] && hub["ports"] == nil, "\(name)")
      #expect(hub["build"]?["target"]?.text == "fleet", "\(name)")
      let address = try #require(hub["environment"]?["HUED_DATABASE"]?.text, "\(name)")
      #expect(address.hasSuffix("@database/fleet"), "\(name)")
      let command = try #require(hub["command"]?.text, "\(name)")
      for flag in ["--listen 0.0.0.0:4833", "--cache /var/cache/hued-fleet", "--behind-proxy"] {
        #expect(command.contains(flag), "\(name)")
      }
    }
    #expect(services["database"]?["networks"]?.texts == ["fleet"])
    #expect(services["database"]?["ports"] == nil)
    #expect(compose["networks"]?["fleet"]?["internal"]?.text == "true")
    let balancer = try #require(services["balancer"])
    #expect(balancer["ports"]?.texts.allSatisfy { $0.hasPrefix("127.0.0.1:") } == true)
    #expect(balancer["depends_on"]?.texts.sorted() == hubs.keys.sorted())
    let mounted = try #require(balancer["volumes"]?.texts.first)
    let file = String(mounted.drop { "./".contains($0) }.prefix { $0 != ":" })
    let servers = try Repository.lines(file).compactMap { line -> String? in
      let words = line.split(separator: " ")
      return words.first == "server" ? String(words[2]) : nil
    }
    #expect(servers.sorted() == hubs.keys.sorted().map { "\($0):4833" })
  }

  @Test(arguments: ["Scripts/haproxy.cfg", Self.guide])
  func theBalancerKeepsTheProcessesOwnPathsFromStrangers(_ file: String) throws {
    let line = "  http-request deny deny_status 404 if { path /metrics /readyz }"
    let isThere = try Repository.lines(file).contains(line)
    #expect(isThere)
  }

  @Test func theOtherBalancerOfTheGuideDoesTooAndPassesThePortOn() throws {
    let lines = try Repository.lines(Self.guide).map { $0.drop { $0 == " " } }
    for path in ["/metrics", "/readyz"] {
      let isKept = lines.contains("location = \(path) { return 404; }")
      #expect(isKept, "\(path)")
    }
    let passesPort = lines.contains("proxy_set_header Host $http_host;")
    #expect(passesPort)
  }

  @Test func theImageIsBuiltFromTheDockerfile() throws {
    let text = try Repository.text("docker-compose.yml")
    let plain = try YAMLReader.read(text).interpolated([:])
    let build = try #require(plain["services"]?["hub"]?["build"])
    #expect(build["context"]?.text == ".")
    let lines = try Repository.lines(try #require(build["dockerfile"]?.text))
    let arguments = build["args"].map { args in
      args.keys.map { "ARG \($0)=\(args[$0]?.text ?? "")" }
    }
    #expect(arguments?.sorted() == lines.filter { $0.hasPrefix("ARG ") }.sorted())
    #expect(lines.contains { $0.hasSuffix(" AS fleet") })
  }
}
