extension Command {
  package static let man = Command(
    "man",
    .care,
    .program,
    summary: "Prints the man page",
    examples: [.init("hued man | man -l -", "read it")],
    otherNames: ["manual"]
  )
}
