extension CommandTable {
  static let fileCommands: [Command] = [
    Command(
      verb: .import,
      group: .files,
      summary: "Reads palette files into the library",
      details: [
        "The format is recognised unless --format says it. Without --palette the file's own title "
          + "names the palette, else the file's name does; importing the same title again changes "
          + "only what differs. A file that cannot be read does not keep the others from being "
          + "imported, but the exit code is 2."
      ],
      positionals: [
        Positional(
          "FILE",
          as: "files",
          "a palette file, or - for the standard input",
          need: .repeated,
          content: .file
        )
      ],
      flags: [
        Flag("palette", "NAME", "put the colors into this palette", content: .palette),
        Flag("format", "F", "read the files as this format", content: .format),
      ],
      examples: [
        .init("hued import sunset.hex", "read a list of hexadecimal colors"),
        .init("hued import *.txt --palette Brand", "collect several files in one palette"),
        .init("curl -s URL | hued import - --palette Web", "read what another command prints"),
      ],
      otherNames: ["load", "read", "open"]
    ),
    Command(
      verb: .export,
      group: .files,
      summary: "Writes a palette as a file",
      details: [
        "Without --output it goes to the standard output. Without --format the extension of the "
          + "output file chooses, and without both it is json. Replacing a file asks first on a "
          + "terminal and needs --yes elsewhere."
      ],
      positionals: [.palette],
      flags: [
        Flag("format", "F", "write this format; `hued formats` lists them", content: .format),
        Flag("output", "FILE", "write to this file", content: .file),
      ],
      examples: [
        .init("hued export Sunset --format hex", "print hexadecimal digits, a color a line"),
        .init("hued export Sunset --output sunset.txt", "write CSS colors with their names"),
      ],
      otherNames: ["write", "dump"]
    ),
    Command(
      verb: .formats,
      group: .files,
      summary: "Lists the file formats",
      details: [
        "When piped, each line holds name, title, extensions, and `reads` and `writes` or a hyphen."
      ],
      examples: [.init("hued formats", "show what can be read and written")]
    ),
  ]
}
