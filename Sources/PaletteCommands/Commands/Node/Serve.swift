extension Command {
  package static let serve = Command(
    "serve",
    .node,
    .program,
    summary: "Runs a node in the foreground",
    details: [
      "Prints two lines: `hued ready URL`, and `open URL` with the one-time link of the web page. "
        + "Logs go to the standard error. SIGTERM or SIGINT ends it in order; SIGHUP, "
        + "without a terminal, makes it read its certificate again.",
      "ADDR is HOST:PORT, [IPV6]:PORT or PORT; 127.0.0.1:4833 when not given. Where other machines "
        + "can connect there is always TLS, with a certificate of the node's own unless another "
        + "is given; only --behind-proxy turns it off, and then needs --public-url.",
      "A service manager that passes a listening socket (systemd's LISTEN_FDS) says with it where to "
        + "listen, instead of --listen.",
      "BYTES is a number, which may end in K, M or G. Edits of members wait also while the disk has "
        + "less than 256 MiB left, or a quarter of a disk below 1 GiB.",
    ],
    flags: [
      Flag("listen", "ADDR", "listen on this address"),
      Flag("tls-cert", "FILE", "use this certificate chain (PEM)", content: .file),
      Flag("tls-key", "FILE", "use this private key (PEM)", content: .file),
      Flag("public-url", "URL", "the URL under which others reach the node"),
      Flag("allow-origin", "ORIGIN", "let programs with a token whose Origin this is use the node")
        .repeatable,
      Flag("behind-proxy", nil, "speak plain HTTP everywhere: a proxy in front encrypts"),
      Flag("quota", "BYTES", "let each member write this much (1G); then its edits wait"),
      Flag("enable-echo", nil, "serve /echo, for tests of the protocol"),
    ],
    examples: [
      .init("hued serve", "serve this machine"),
      .init("hued serve --listen 0.0.0.0:4833", "serve other machines, with TLS"),
    ],
    otherNames: ["daemon", "start", "run", "server", "node"]
  )
  .with(\.programPart, .serve)
  .with(\.runsOn)
}
