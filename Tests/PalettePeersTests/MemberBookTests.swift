import PaletteMerge
import PaletteModel
import PaletteSync
import Testing

@testable import PalettePeers

/// What is known of the machines that were let in.
struct MemberBookTests {
  private static let palette = PaletteID(RecordID(high: 1, low: 1))
  private static let other = PaletteID(RecordID(high: 1, low: 2))
  private let ann = NodeID(1)
  private let bob = NodeID(2)

  private func head(_ sequence: UInt32) -> StreamHead {
    StreamHead(sequence: sequence, link: 0)
  }

  @Test func countsWhatIsNotStatedToBeHeld() {
    var lacked = LackedChanges()
    #expect(lacked.count == 0)
    lacked.lacks(ann, 5...6, of: Self.palette)
    lacked.lacks(ann, 7...9, of: Self.palette)
    lacked.lacks(ann, 1...1, of: Self.other)
    #expect(lacked.count == 6)
    lacked.holds([ann: 7, bob: 100], of: Self.palette)
    #expect(lacked.count == 3)
    lacked.holds([ann: 9], of: Self.palette)
    #expect(lacked.count == 1)
    lacked.clear(except: [Self.palette])
    #expect(lacked.count == 0)
  }

  @Test func aWholeStatementReplacesWhatWasCounted() {
    var lacked = LackedChanges()
    lacked.lacks(ann, 3...3, of: Self.palette)
    lacked.compare([ann: head(2)], with: [ann: head(10), bob: head(4)], of: Self.palette)
    #expect(lacked.count == 12)
    // A machine may hold more than this library, and states what it likes.
    lacked.compare(
      [ann: head(.max), bob: head(4)],
      with: [ann: head(10), bob: head(4)],
      of: Self.palette
    )
    #expect(lacked.count == 0)
  }

  @Test func aListThatGrowsTooLongIsNotCounted() {
    var lacked = LackedChanges()
    for number: UInt64 in 0...1_000 { lacked.lacks(NodeID(number), 1...1, of: Self.palette) }
    #expect(lacked.count == nil)
    lacked.clear(except: [])
    #expect(lacked.count == 0)
  }

  @Test func aMachineIsHereWhileAnyOfItsConnectionsIs() {
    let book = MemberBook()
    let (first, second) = (PeerConnectionID(rawValue: 1), PeerConnectionID(rawValue: 2))
    #expect(book.standing(of: 7) == nil)
    book.greeted(7, by: first, .library, at: 10)
    book.greeted(7, by: second, .library, at: 20)
    book.closed(first, of: 7, at: 30)
    #expect(book.standing(of: 7)?.isLive == true && book.standing(of: 7)?.sinceMilliseconds == 10)
    book.heard(7, at: 35)
    book.closed(second, of: 7, at: 40)
    #expect(book.standing(of: 7)?.isLive == false && book.standing(of: 7)?.sinceMilliseconds == 40)
    #expect(book.standing(of: 7)?.lastHeardMilliseconds == 35)
    // What is written while it is away, it lacks; what it sent itself, it does not.
    book.committed(ChangeRun.runs(of: [Dot(ann, 1), Dot(ann, 2)]) { _ in nil }, in: Self.palette)
    #expect(book.standing(of: 7)?.lackedChanges == 2)
    book.greeted(7, by: first, .palettes([Self.other]), at: 50)
    book.committed(ChangeRun.runs(of: [Dot(bob, 1)]) { _ in nil }, in: Self.palette)
    book.committed(ChangeRun.runs(of: [Dot(bob, 1)]) { _ in first }, in: Self.other)
    book.stated(7, [:], of: Self.palette, beside: [:])
    #expect(book.standing(of: 7)?.lackedChanges == 0)
  }

  /// The changes of a commit are told apart by author and by where they came from.
  @Test func aCommitOfSeveralAuthorsIsCountedForEach() {
    let book = MemberBook()
    let connection = PeerConnectionID(rawValue: 1)
    book.greeted(7, by: connection, .library, at: 0)
    let dots = [Dot(ann, 4), Dot(ann, 5), Dot(bob, 2), Dot(ann, 6), Dot(bob, 3)]
    let runs = ChangeRun.runs(of: dots) { $0.node == bob ? connection : nil }
    #expect(runs.map(\.count) == [2, 1, 1, 1])
    book.committed(runs, in: Self.palette)
    #expect(book.standing(of: 7)?.lackedChanges == 3)
    book.stated(7, [ann: head(5)], of: Self.palette, beside: nil)
    #expect(book.standing(of: 7)?.lackedChanges == 1)
  }

  @Test func thoseAwayAreForgottenAtAnEnd() {
    let book = MemberBook()
    for member: Int64 in 0...256 {
      let connection = PeerConnectionID(rawValue: UInt64(member))
      book.greeted(member, by: connection, .library, at: member)
      book.closed(connection, of: member, at: member)
    }
    #expect(book.standing(of: 0) == nil && book.standing(of: 256) != nil)
  }
}
