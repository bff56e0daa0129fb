import Foundation
import PalettePlatform
import PaletteStore
import Testing

struct LibraryLockTests {
  let scratch: Scratch
  let folder: LibraryFolder

  init() throws {
    scratch = try Scratch()
    folder = try scratch.library()
    try folder.create()
  }

  @Test func excludesASecondWriterAndNamesTheFirst() throws {
    let first = try folder.opened()
    let error = #expect(throws: StoreError.self) { _ = try folder.opened() }
    #expect(error?.code == .locked)
    #expect(error?.message.contains("process \(getpid()) ") == true)
    #expect(error?.hint != nil)
    try first.connection.add("still works")
    #expect(try folder.words() == ["still works"])
  }

  @Test func isFreeWhenItsHolderLetsGo() throws {
    for _ in 0..<3 { _ = try folder.opened() }
    #expect(try bytes(folder.lockPath).isEmpty)
    #expect(try mode(folder.lockPath) == 0o600)
  }

  @Test func isHeldUntilTheLastStatementIsGone() throws {
    func statement() throws -> Statement { try folder.opened().connection.prepare("SELECT 1") }
    do {
      let last = try statement()
      #expect(throws: StoreError.self) { _ = try folder.opened() }
      #expect(try last.step())
    }
    _ = try folder.opened()
  }

  @Test func waitsUntilTheTimeIsOver() throws {
    let first = try LibraryLock.acquire(in: folder.path)
    let start = ContinuousClock.now
    #expect(throws: StoreError.self) {
      _ = try LibraryLock.acquire(in: folder.path, timeoutMilliseconds: 60)
    }
    #expect(ContinuousClock.now - start >= .milliseconds(59))
    first.release()
  }

  @Test func excludesOtherProcessesUntilTheyAreKilled() throws {
    let other = try LockHolder(folder.lockPath)
    let error = #expect(throws: StoreError.self) { _ = try folder.opened() }
    #expect(error?.code == .locked)
    #expect(error?.message.contains("another process") == true)
    other.kill()
    _ = try folder.opened()
  }

  @Test func getsTheLockWhileWaiting() throws {
    let other = try LockHolder(folder.lockPath)
    Thread.detachNewThread { other.kill() }
    let lock = try LibraryLock.acquire(in: folder.path, timeoutMilliseconds: 30_000)
    lock.release()
  }

  @Test func isNotInheritedByPrograms() throws {
    let child = Process()
    child.executableURL = URL(filePath: "/bin/cat")
    let input = Pipe()
    child.standardInput = input
    let lock = try LibraryLock.acquire(in: folder.path, timeoutMilliseconds: 0)
    try child.run()
    lock.release()
    let again = try LibraryLock.acquire(in: folder.path, timeoutMilliseconds: 0)
    again.release()
    try input.fileHandleForWriting.close()
    child.waitUntilExit()
  }
}

/// Another process that holds a lock until it is killed.
private final class LockHolder: Sendable {
  private let process = Process()

  init(_ path: String) throws {
    let output = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/flock")
    process.arguments = ["--no-fork", path, "sh", "-c", "echo held; exec sleep 600"]
    process.standardOutput = output
    try process.run()
    try #require(output.fileHandleForReading.read(upToCount: 5) == Data("held\n".utf8))
  }

  func kill() {
    PalettePlatform.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  deinit { kill() }
}
