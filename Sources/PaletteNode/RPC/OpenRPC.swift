internal import PaletteCommands
internal import PaletteJSON

/// The description of the RPC API in the form that OpenRPC gives it, from the tables that the
/// server itself works by.
enum OpenRPC {
  /// The description for the node at a URL, which speaks at the path.
  static func document(url: String, path: String) -> JSON {
    let socket = "ws" + url.dropFirst("http".count) + path
    return [
      "openrpc": "1.3.2",
      "info": [
        "title": "hued.rpc.v1", "version": .string(Release.version),
        "description": .string(introduction),
      ],
      "servers": [["name": "node", "url": .string(socket)]],
      "methods": .array(CommandTable.methods.map(method)),
      "components": [
        "schemas": .object(
          JSONObject(forms.map { .init($0.name, $0.form.document) })
        ),
        "errors": .object(JSONObject(errors.map { .init($0.name, $0.document) })),
      ],
      "x-notifications": .array(notifications),
    ]
  }

  private static let introduction = """
    JSON-RPC 2.0 in text messages over a WebSocket at /rpc, subprotocol hued.rpc.v1 or none. The \
    upgrade needs "Authorization: Bearer TOKEN" or the cookie of the web page's session, whose second \
    half is then the first message; the Unix socket node.sock in the home needs neither. Parameters go by name. A batch has at most \
    \(RPCRequest.batchLimit) calls, which are carried out one after the other; once their results \
    have \(RPCAnswers.byteLimit >> 20) MiB, the rest is not carried out and fails with over-budget. \
    Every error carries data {"code","message","hint"}, whose \
    code is a stable word such as not-found. Each method names in x-access who may call it: a \
    viewer, an editor, an owner, or local for the Unix socket alone; each includes those before \
    it. Notifications of the server are listed in x-notifications; a call with "progress": true beside \
    its params gets those named progress until it is answered. Positions count from 0.
    """

  /// The forms that others refer to by name, each once.
  private static var forms: [(name: String, form: Schema)] {
    let parameters = CommandTable.methods.flatMap(\.parameters).map(\.schema)
    let results = CommandTable.methods.map(\.result)
    let events = [
      RPCEvents.diff, RPCEvents.title, RPCEvents.presence, RPCEvents.palettesDiff,
      RPCEvents.peers, RPCEvents.progress, RPCEvents.failure,
    ]
    var known: Set<String> = []
    return (results + parameters + events).flatMap(\.names).filter {
      known.insert($0.name).inserted
    }
  }

  private static func method(_ method: Command) -> JSON {
    [
      "name": .string(method.name),
      "summary": .string(
        method.remark.isEmpty ? method.summary : "\(method.summary); \(method.remark)"
      ),
      "paramStructure": "by-name",
      "params": .array(method.parameters.map(parameter)),
      "result": ["name": "result", "schema": method.result.document],
      "errors": .array(errors.map { ["$ref": .string("#/components/errors/\($0.name)")] }),
      "x-access": .string(method.access.map { "\($0)" } ?? ""),
    ]
  }

  private static func parameter(_ parameter: Parameter) -> JSON {
    [
      "name": .string(parameter.name), "summary": .string(parameter.summary),
      "required": .bool(parameter.isRequired), "schema": parameter.schema.document,
    ]
  }

  private static let errors: [(name: String, document: JSON)] = RPCError.Code.allCases.map { code in
    let text =
      switch code {
      case .parse: "The message is no JSON."
      case .invalidRequest: "The message is no request."
      case .methodNotFound: "There is no such method."
      case .invalidParameters: "The parameters do not fit the method."
      case .failed: "The method was carried out and failed; data tells why."
      case .notAllowed: "The caller may not do this."
      }
    return (
      "\(code)",
      [
        "code": .integer(Int64(code.rawValue)), "message": .string(text),
        "data": RPCEvents.failure.document,
      ]
    )
  }

  private static let notifications: [JSON] = [
    notification(
      "palette.diff",
      "A watched palette changed. Deletions and moves' from count by old index, everything else by "
        + "new index; a moved color is neither in deletions nor in insertions. Never empty. A "
        + "dropped palette loses all colors; they come back when it is restored. Where whoever made the "
        + "newest change looks at the palette here, visitor is the name told to palette.present. A client that "
        + "reads too slowly gets several changes joined in one diff.",
      RPCEvents.diff
    ),
    notification(
      "progress",
      "How far a call is that asked for this: id is the call's, the unit null where nothing is counted.",
      RPCEvents.progress
    ),
    notification("palette.title", "A watched palette has another name.", RPCEvents.title),
    notification(
      "palette.presence",
      "Somebody came to a watched palette, left it, or selected another color there.",
      RPCEvents.presence
    ),
    notification(
      "library.peers",
      "A joined peer is connected, refuses this library or cannot be reached any more; told to those "
        + "who watch a palette and may read the whole library.",
      RPCEvents.peers
    ),
    notification(
      "library.palettes",
      "What changed in the list of palettes, to those who watch the library: added has the rows of those "
        + "that were made or brought back, changed of those with another name, removed the ids of those "
        + "that were dropped; all others are as they were.",
      RPCEvents.palettesDiff
    ),
  ]

  private static func notification(_ name: String, _ summary: String, _ schema: Schema) -> JSON {
    [
      "name": .string(name), "summary": .string(summary),
      "params": schema.document,
    ]
  }
}
