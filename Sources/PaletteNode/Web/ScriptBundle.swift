/// The modules that a page needs before it runs, as one script.
///
/// A browser fetches six files at a time, and each costs the way to the node and back: with 80 ms for that, 47
/// modules took 850 ms. Each keeps a scope of its own and runs once: at its own address stands what
/// the script has made of it. What a browser says of a line is true of the script alone.
struct ScriptBundle {
  /// The file of the first module, which needs the others.
  private let first: String
  /// The script, which runs the first module last.
  let script: [UInt8]
  /// The names that each module exports, by the name of its file.
  private let exports: [String: [String]]

  /// A module without its imports and exports.
  private struct Module {
    let file: String
    var imports: [(names: String, file: String)] = []
    var exports: [String] = []
    var body: [Substring] = []

    init(_ file: String, _ source: [UInt8]) {
      self.file = file
      let text = String(decoding: LeanSource(source).bytes, as: UTF8.self)
      var begun = ""
      for line in text.split(separator: "\n", omittingEmptySubsequences: true) {
        if !begun.isEmpty || line.hasPrefix("import {") {
          begun += line
          guard line.hasSuffix("\";") else { continue }
          let parts = begun.dropFirst("import ".count).dropLast(2)
            .split(separator: " from \"./", omittingEmptySubsequences: false)
          if parts.count == 2 { imports.append((names: String(parts[0]), file: String(parts[1]))) }
          begun = ""
        } else if line.hasPrefix("export ") {
          let declaration = line.dropFirst("export ".count)
          if let name = Self.name(in: declaration) { exports.append(name) }
          body.append(declaration)
        } else {
          body.append(line)
        }
      }
    }

    /// The name that a declaration gives.
    private static func name(in declaration: Substring) -> String? {
      let words = declaration.split { !($0.isLetter || $0.isNumber || $0 == "_" || $0 == "$") }
      let keywords: Set<Substring> = ["async", "function", "class", "const"]
      return words.first { !keywords.contains($0) }.map(String.init)
    }

    /// The module as a value: its scope, and what it exports.
    var value: String {
      let needed = imports.map { "const \($0.names) = \(ScriptBundle.variable($0.file));" }
      let given = "return { \(exports.joined(separator: ", ")) };"
      let lines = needed + body.map(String.init) + [given]
      return
        "const \(ScriptBundle.variable(file)) = (() => {\n\(lines.joined(separator: "\n"))\n})();\n"
    }
  }

  /// Joins a module and all that it needs before it runs.
  ///
  /// - Parameters:
  ///   - first: The file of the module.
  ///   - contents: The contents of a file; nil where there is none.
  init(_ first: String, contents: (String) -> [UInt8]?) {
    self.first = first
    var modules: [Module] = []
    var known: Set<String> = []
    func add(_ file: String) {
      guard known.insert(file).inserted, let source = contents("/\(file)") else { return }
      let module = Module(file, source)
      for other in module.imports { add(other.file) }
      modules.append(module)
    }
    add(first)
    exports = Dictionary(uniqueKeysWithValues: modules.map { ($0.file, $0.exports) })
    let parts = modules.map { "\"\($0.file)\": \(Self.variable($0.file))" }
    let end = "export const parts = { \(parts.joined(separator: ", ")) };\n"
    script = Array((modules.map(\.value).joined() + end).utf8)
  }

  /// The script at the address of a file: all of it at that of the first module, and at others what it has made
  /// of them; nil for a file that is not part of it.
  func script(at file: String) -> [UInt8]? {
    if file == first { return script }
    guard let names = exports[file] else { return nil }
    let text = """
      import { parts } from "./\(first)";
      export const { \(names.joined(separator: ", ")) } = parts["\(file)"];

      """
    return Array(text.utf8)
  }

  /// The variable that holds what a module exports.
  private static func variable(_ file: String) -> String {
    "$" + file.dropLast(".js".count).map { $0 == "-" ? "_" : String($0) }.joined()
  }
}
