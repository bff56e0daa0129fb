import PalettePlatform

/// Another process of this program, whose output is read line by line.
final class BenchProcess {
  private let process: pid_t
  private let output: UnsafeMutablePointer<FILE>

  init(_ words: [String]) throws {
    var ends: [CInt] = [-1, -1]
    guard pipe(&ends) == 0, let output = fdopen(ends[0], "r") else {
      throw BenchError("there are no descriptors left")
    }
    self.output = output
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
    posix_spawn_file_actions_addclose(&actions, ends[0])
    var arguments: [UnsafeMutablePointer<CChar>?] = (["hued-bench"] + words).map { strdup($0) }
    arguments.append(nil)
    defer { for word in arguments { free(word) } }
    var process: pid_t = 0
    let status = posix_spawn(&process, "/proc/self/exe", &actions, nil, &arguments, environ)
    close(ends[1])
    guard status == 0 else { throw BenchError("no process can be started") }
    self.process = process
  }

  deinit { fclose(output) }

  /// The next line of output, without its end.
  func line() throws -> String {
    var line: UnsafeMutablePointer<CChar>?
    var size = 0
    defer { free(line) }
    let count = getline(&line, &size, output)
    guard count > 0, let line else { throw BenchError("a process of the workload has ended") }
    return String(cString: line).filter { $0 != "\n" }
  }

  /// Asks the process to end.
  func end() { kill(process, SIGTERM) }

  /// Waits for the end.
  func wait() throws {
    var status: CInt = 0
    guard waitpid(process, &status, 0) == process, status == 0 else {
      throw BenchError("a process of the workload failed")
    }
  }

  /// The processor time of the process so far, in seconds.
  var processorSeconds: Double { Measurement.processorSeconds(of: process) }

  /// The greatest memory of the process so far, in MiB.
  var peakMebibytes: Double { Measurement.peakMebibytes(of: "\(process)") }
}
