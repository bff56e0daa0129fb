"""Fuzzes what reads bytes of strangers, with libFuzzer and AddressSanitizer; `Scripts/fuzz` tells how."""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
FUZZ = Path(".build/fuzz/release/fuzz")
KEPT = Path(".build/fuzz-corpus")
FOUND = Path(".build/fuzz-found")
# Debian's gold fails at the sanitizer's symbols, lld comes with the toolchain.
FLAGS = ["-sanitize=fuzzer,address", "-enable-testing", "-Xclang-linker", "-fuse-ld=lld"]
# The pointers that Swift keeps in its globals are tagged, so everything in them would count as leaked.
ENVIRONMENT = os.environ | {"HUED_FUZZ": "1", "SWIFT_BACKTRACE": "enable=no",
                            "ASAN_OPTIONS": "detect_leaks=0:malloc_context_size=3"}


def build():
    command = ["swift", "build", "--configuration", "release", "--scratch-path", ".build/fuzz", "--product", "fuzz"]
    for flag in FLAGS:
        command += ["-Xswiftc", flag]
    done = subprocess.run(command, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        sys.exit(done.stdout)


def listing():
    return subprocess.run([FUZZ, "--list"], env=ENVIRONMENT, stdout=subprocess.PIPE, text=True, check=True).stdout


def targets(name):
    return [line.split("\t")[0] for line in listing().splitlines()] if name == "all" else [name]


class Target:
    """A target with its seeds and dictionary, and the folders in which inputs are kept from run to run."""

    def __init__(self, name, work):
        self.name = name
        self.work = Path(work, name)
        self.seeds = self.work / "seeds"
        self.corpus, self.found = KEPT / name, FOUND / name
        for folder in [self.seeds, self.corpus, self.found]:
            folder.mkdir(parents=True, exist_ok=True)
        subprocess.run([FUZZ, "--prepare", name, self.work], env=ENVIRONMENT, check=True)
        self.length = (self.work / "length").read_text().strip()
        number = 0
        for file in [HERE / f"Corpus/{name}.hex", HERE / f"Crashes/{name}.hex"]:
            for line in file.read_text().splitlines() if file.exists() else []:
                if not line.startswith("#"):
                    number += 1
                    (self.seeds / f"kept-{number}").write_bytes(bytes.fromhex(line))

    def fuzzer(self, *arguments):
        return subprocess.run([FUZZ, self.name, f"-max_len={self.length}", *arguments], env=ENVIRONMENT,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, errors="replace")

    def run(self, seconds):
        flags = [f"-max_total_time={seconds}", "-timeout=20", "-rss_limit_mb=2048", "-print_final_stats=1",
                 f"-artifact_prefix={self.found}/"]
        dictionary = self.work / "dictionary"
        if dictionary.exists() and dictionary.stat().st_size:
            flags.append(f"-dict={dictionary}")
        done = self.fuzzer(*flags, self.corpus, self.seeds)
        if done.returncode:
            lines = [line for line in done.stdout.splitlines()
                     if re.search("Fatal error|ERROR|SUMMARY|[Tt]est unit", line)]
            sys.exit("\n".join(lines[:12]))

        def last(pattern):
            return int((re.findall(pattern + r"\s+([0-9]+)", done.stdout) or ["0"])[-1])
        print(f"{self.name:12} {last('number_of_executed_units:'):12} runs "
              f"{last('average_exec_per_sec:'):8}/s {last(' cov:'):7} edges "
              f"{last('new_units_added:'):6} new {sum(1 for _ in self.corpus.iterdir()):6} kept", flush=True)

    def keep(self):
        """Puts the smallest set of inputs with the same coverage into the tree."""
        merged = self.work / "kept"
        merged.mkdir()
        # Counters of how often an edge was taken multiply the inputs tenfold and find little again.
        done = self.fuzzer("-merge=1", "-use_counters=0", merged, self.corpus, self.seeds)
        if done.returncode:
            sys.exit(done.stdout)
        lines = sorted(file.read_bytes().hex() + "\n" for file in merged.iterdir())
        (HERE / f"Corpus/{self.name}.hex").write_text("".join(lines))
        print(f"{self.name}: {len(lines)} inputs")


def main():
    build()
    arguments = sys.argv[1:]
    if not arguments:
        return print(listing(), end="")
    if len(arguments) != 2:
        sys.exit("usage: Scripts/fuzz [TARGET SECONDS | all SECONDS | --keep TARGET | --keep all]")
    with tempfile.TemporaryDirectory() as work:
        if arguments[0] == "--keep":
            for name in targets(arguments[1]):
                Target(name, work).keep()
        else:
            for name in targets(arguments[0]):
                Target(name, work).run(arguments[1])


main()
