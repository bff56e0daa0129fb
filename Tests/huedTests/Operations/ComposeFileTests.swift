import PaletteCommands
import PaletteFormats
import PaletteJSON
import Testing

@testable import hued

struct ComposeFileTests {
  private let compose: YAML

  init() throws {
    let document = try YAMLReader.read(try Repository.text("docker-compose.yml"))
    compose = document.interpolated(["HUED_HOST": "palettes.example", "HUED_PORT": "5000"])
  }

  private var services: [String: YAML] {
    if case .map(let services)? = compose["services"] { services } else { [:] }
  }

  @Test func aHubIsTheOnlyServiceWithoutAProfile() {
    #expect(services.filter { $1["profiles"] == nil }.keys.sorted() == ["hub"])
    #expect(services.filter { $1["profiles"]?.texts == ["demo"] }.count == 2)
  }

  @Test func everyKeyIsKnown() {
    #expect(Set(compose.keys).isSubset(of: ["name", "services", "volumes", "x-node", "x-demo"]))
    let known: Set = [
      "image", "build", "user", "read_only", "tmpfs", "cap_drop", "security_opt", "restart",
      "stop_grace_period", "logging", "healthcheck", "profiles", "depends_on", "entrypoint",
      "command",
      "ports",
      "volumes", "networks",
    ]
    for (name, service) in services {
      #expect(Set(service.keys).subtracting(known) == [], "\(name)")
    }
  }

  @Test func everyServiceHasNoMoreRightsThanItNeeds() throws {
    for (name, service) in services {
      #expect(service["user"]?.text == "10001:10001", "\(name)")
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
      #expect(try Repository.invocations(in: shell).map(\.command) == [.status], "\(name)")
      #expect(shell.contains(#"grep --quiet '"running":true'"#))
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
    for (name, service) in services where name != "hub" {
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
    let volumes = services.mapValues { service in
      service["volumes"]?.texts.first { $0.hasSuffix(":\(home)") }
        .map { String($0.prefix { $0 != ":" }) }
    }
    #expect(volumes.values.compactMap(\.self).sorted() == compose["volumes"]?.keys)
    #expect(volumes == Dictionary(uniqueKeysWithValues: services.keys.map { ($0, $0) }))
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
  }
}
