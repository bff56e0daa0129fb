internal import PaletteModel

extension Command {
  package static let pick = Command(
    "pick",
    .facts,
    .fact,
    view: .colors,
    summary: "Finds the colors that an image is mostly made of",
    details: [
      "FILE is a PNG or a JPEG, N is 5 if it is not given. The colors come with the most frequent first, and "
        + "the same image has always the same ones.",
      "When piped, each line holds one color as CSS.",
    ],
    positionals: [
      Positional("FILE", "a PNG or JPEG image, or - for the standard input", content: .file),
      Positional("N", as: "count", "how many colors, 64 at most", need: .optional, content: .count),
    ],
    examples: [
      .init("hued pick photo.jpg 6", "the six main colors"),
      .init("hued pick photo.png | hued add Brand -", "add five of them as one edit"),
    ],
    otherNames: ["extract"],
    // Whoever has the image unpacks it: a node does not for strangers.
    isMethod: false
  ) { call in
    let count = try call.parameters.colorCount("count", upTo: 64) ?? 5
    guard let bytes = try call.parameters.bytes("bytes") else {
      throw APIError.missing("bytes")
    }
    let colors: ImageColors
    do throws(MalformedImage) {
      colors =
        bytes.starts(with: JPEGImage.signature)
        ? ImageColors(try JPEGImage(bytes)) : ImageColors(try PNGImage(bytes))
    } catch {
      throw APIError(
        code: "bad-file",
        message: "the image cannot be read: \(error.reason)",
        hint: "hued reads PNG and JPEG images"
      )
    }
    return ColorsAnswer(
      colors.most(count).map {
        .init($0.color, share: ($0.share * 1e4).rounded() / 1e4)
      }
    )
  }
  .with(\.programPart, .picking)
}
