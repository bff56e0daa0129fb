import Testing

@testable import PaletteNode

struct MetricsTextTests {
  @Test func writesWhatPrometheusReads() {
    var text = MetricsText()
    text.add(.counter, "a_total", "Things.", 3)
    text.add(.gauge, "b", "Others.", [.init([("kind", "x")], 0.5), .init("kind", "y", 2)])
    text.add(.gauge, "c", "None now.", [])
    #expect(
      text.text == """
        # HELP a_total Things.
        # TYPE a_total counter
        a_total 3
        # HELP b Others.
        # TYPE b gauge
        b{kind="x"} 0.5
        b{kind="y"} 2
        # HELP c None now.
        # TYPE c gauge

        """
    )
  }

  @Test func escapesWhatEndsALineOrALabel() {
    var text = MetricsText()
    text.add(.gauge, "a", "A \\ and\na \"line\".", [.init([("peer", "\\\n\"}")], .infinity)])
    #expect(
      text.text == #"""
        # HELP a A \\ and\na "line".
        # TYPE a gauge
        a{peer="\\\n\"}"} +Inf

        """#
    )
  }

  @Test func writesHistograms() {
    var times = Histogram()
    for milliseconds in [0, 1, 3, 20_000] { times.record(.milliseconds(milliseconds)) }
    var text = MetricsText()
    text.add("t_seconds", "Times.", [([("method", "list")], times)])
    let lines = text.text.split(separator: "\n")
    #expect(lines[1] == "# TYPE t_seconds histogram")
    #expect(lines[2] == #"t_seconds_bucket{method="list",le="0.0001"} 1"#)
    #expect(lines.contains(#"t_seconds_bucket{method="list",le="0.001"} 2"#))
    #expect(lines.contains(#"t_seconds_bucket{method="list",le="0.0025"} 2"#))
    #expect(lines.contains(#"t_seconds_bucket{method="list",le="0.005"} 3"#))
    #expect(lines.contains(#"t_seconds_bucket{method="list",le="10"} 3"#))
    #expect(lines.contains(#"t_seconds_bucket{method="list",le="+Inf"} 4"#))
    #expect(
      lines.suffix(2) == [
        #"t_seconds_sum{method="list"} 20.004"#, #"t_seconds_count{method="list"} 4"#,
      ]
    )
  }

  @Test func aClockThatGoesBackCountsAsNoTime() {
    var times = Histogram()
    times.record(.seconds(-5))
    #expect(times.count == 1 && times.sum == 0)
  }

  @Test func countsCallsByNamesOfTheTableAlone() {
    let metrics = NodeMetrics(startMilliseconds: 0)
    for name in ["list", "list", "a made-up name", "another"] {
      metrics.answered(name, arrival: .now, hasFailed: name != "list")
    }
    let counts = zip(NodeMetrics.methods, metrics.callTimes).filter { $1.count > 0 }
    #expect(counts.map(\.0) == ["list", "unknown"])
    #expect(counts.map(\.1.count) == [2, 2])
    #expect(metrics.failedCalls.reduce(0, +) == 2 && metrics.calls == 4)
  }

  @Test func tellsOfTheOldestEditOnce() {
    let metrics = NodeMetrics(startMilliseconds: 0)
    let now = ContinuousClock.now
    metrics.edited(arrival: now - .seconds(1))
    metrics.edited(arrival: now - .seconds(3))
    metrics.told()
    metrics.told()
    #expect(metrics.tellingTimes.count == 1 && metrics.tellingTimes.sum >= 3)
    metrics.edited(arrival: now)
    metrics.forgetEdits()
    metrics.told()
    #expect(metrics.tellingTimes.count == 1)
  }

  @Test func countsForPeersAgainWhenThatCostsLittle() {
    var counts = PeerCounts()
    var now = ContinuousClock.now
    var times = 0
    func count(taking seconds: Int) {
      let clock = { now }
      counts.refresh(now: clock) {
        times += 1
        now += .seconds(seconds)
        return ["http://hub": .init(pending: times, withheld: 0, lag: 0)]
      }
    }
    count(taking: 1)
    now += .seconds(199)
    count(taking: 1)
    #expect(times == 1)
    now += .seconds(1)
    count(taking: 0)
    count(taking: 0)
    #expect(times == 3 && counts.counts["http://hub"]?.pending == 3)
  }

  @Test func knowsItsProcess() {
    let numbers = ProcessNumbers()
    #expect(numbers.cpuSeconds > 0)
    #expect((numbers.residentBytes ?? 0) > 1 << 20)
    #expect((numbers.openDescriptors ?? 0) > 2)
    #expect(numbers.maximalDescriptors > 2)
    #expect((numbers.startSeconds ?? 0) > 1_700_000_000)
  }
}
