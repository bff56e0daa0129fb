import PaletteCommands
import Testing

@testable import hued

struct EnvironmentTests {
  @Test(
    arguments: [
      (["HOME": "/u"], nil, "/u/.local/share/hued", "/u/.config/hued/config.json"),
      (["HOME": "/u", "XDG_DATA_HOME": "/d"], nil, "/d/hued", "/u/.config/hued/config.json"),
      (
        ["HOME": "/u", "XDG_CONFIG_HOME": "/c"], nil, "/u/.local/share/hued", "/c/hued/config.json"
      ),
      (
        ["HOME": "/u", "XDG_DATA_HOME": "relative"], nil, "/u/.local/share/hued",
        "/u/.config/hued/config.json"
      ),
      (
        ["HOME": "/u", "HUED_HOME": ""], nil, "/u/.local/share/hued", "/u/.config/hued/config.json"
      ),
      (["HOME": "/u", "HUED_HOME": "/h", "XDG_DATA_HOME": "/d"], nil, "/h", "/h/config.json"),
      (["HUED_HOME": "h"], nil, "/now/h", "/now/h/config.json"),
      (["HUED_HOME": "/h"], "/f", "/f", "/f/config.json"),
      (["HUED_HOME": "/h"], "f", "/now/f", "/now/f/config.json"),
    ] as [([String: String], String?, String, String)]
  )
  func findsTheLibrary(
    _ variables: [String: String],
    _ flag: String?,
    _ home: String,
    _ configuration: String
  ) {
    let environment = Environment(variables: variables, workingDirectory: "/now")
    let location = environment.location(home: flag)
    #expect(location == LibraryLocation(home: home, configurationFile: configuration))
  }
}
