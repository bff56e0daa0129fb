extension Command {
  package static let open = Command(
    "open",
    .sharing,
    .read,
    view: .value("url"),
    summary: "Prints a link that opens the web page, once",
    details: ["The link works for 10 minutes, for an owner's session. A node must be running."],
    examples: [.init("hued open", "open the page of the node that runs here")],
    otherNames: ["page", "web"],
    access: .local
  ) { call in
    guard let link = call.library.sharing?.makePageLink() else {
      throw APIError(
        code: "unreachable",
        message: "no node serves the page here",
        hint: "run 'hued serve' first"
      )
    }
    return TextAnswer(key: "url", text: link)
  }
  .logged(as: "link", "made a link to the page")
}
