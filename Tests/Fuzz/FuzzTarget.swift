/// Something that takes bytes from strangers, and what must hold whatever the bytes are.
struct FuzzTarget: Sendable {
  /// The word that names the target on the command line and its folder of kept inputs.
  let name: String
  /// What is read, in a few words.
  let summary: String
  /// The most bytes of an input.
  var lengthLimit = 1024
  /// Words that inputs are made of.
  var words: [String] = []
  /// Inputs that are known to be good.
  let seeds: @Sendable () throws -> [[UInt8]]
  /// Reads an input; throws when a property does not hold.
  let check: @Sendable ([UInt8]) throws -> Void

  /// All targets.
  static let all: [FuzzTarget] = others + fileReaders

  private static let others: [FuzzTarget] = [
    cbor, frames, changes, rows, merge, snapshot, store, session, node, json, rpc, joinCode, css,
    arguments, socket, addresses, times, text, files, patches,
  ]
}

/// A property that does not hold for an input.
struct Violation: Error, CustomStringConvertible {
  let description: String
}

/// Throws unless a property holds.
func ensure(
  _ condition: @autoclosure () throws -> Bool,
  _ property: @autoclosure () -> String
) throws {
  guard try condition() else { throw Violation(description: property()) }
}

/// What an input is read as; nil when it is refused, and then in the same words each time.
func accepted<Value, Failure: Error>(
  _ bytes: [UInt8],
  _ read: () throws(Failure) -> Value
) throws -> Value? {
  let first: Failure
  do throws(Failure) {
    return try read()
  } catch {
    first = error
  }
  // Most inputs are refused, and putting that in words takes longer than reading them.
  guard bytes.count.isMultiple(of: 16) else { return nil }
  do throws(Failure) {
    _ = try read()
  } catch {
    try ensure("\(error)" == "\(first)", "refused in two ways: \(first), \(error)")
    return nil
  }
  throw Violation(description: "refused, then taken: \(first)")
}

extension [UInt8] {
  /// The parts of an input that holds several: a byte of length before each, 255 for what is left.
  var chunks: [[UInt8]] {
    var chunks: [[UInt8]] = []
    var rest = self[...]
    while let length = rest.popFirst() {
      let count = length == 255 ? rest.count : Int(length)
      chunks.append(Array(rest.prefix(count)))
      rest = rest.dropFirst(count)
    }
    return chunks
  }

  /// The input that has these parts; those that are longer than a byte can say are left out.
  static func joining(_ chunks: [[UInt8]]) -> [UInt8] {
    chunks.filter { $0.count < 255 }.flatMap { [UInt8($0.count)] + $0 }
  }
}
