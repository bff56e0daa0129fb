// Runs hued and its floor in turn and compares whole processes: wall time and peak memory.
//
//   measure NAME REPETITIONS RESULTS HUED... -- FLOOR...
//   measure --disk NAME RESULTS HUED-FOLDER FLOOR-FOLDER
//
// Prints one row of the table and appends one JSON line to the file RESULTS. In a command `{}` stands
// for the number of the repetition. Repetition 0 fills the caches and is not counted. Link this
// statically: a process that begins here inherits this one's peak memory as its least.
#define _GNU_SOURCE
#include <fcntl.h>
#include <ftw.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

enum { repetitionsMost = 1000, wordsMost = 32, wordBytes = 4096 };

struct run {
  double milliseconds;
  long peakKibibytes;
};

struct summary {
  double least, median, most;
  long peakKibibytes;
};

extern char **environ;

static void require(int isTrue, const char *what) {
  if (isTrue) return;
  fprintf(stderr, "measure: %s\n", what);
  exit(1);
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

// The command's words with the repetition's number in place of `{}`.
static char **numbered(char **command, long repetition) {
  static char storage[wordsMost][wordBytes];
  static char *words[wordsMost + 1];
  int count = 0;
  for (; command[count]; count++) {
    require(count < wordsMost, "too many words");
    const char *mark = strstr(command[count], "{}");
    int before = mark ? (int)(mark - command[count]) : wordBytes - 1;
    snprintf(storage[count], wordBytes, "%.*s", before, command[count]);
    if (mark) {
      snprintf(storage[count] + before, wordBytes - (size_t)before, "%ld%s", repetition, mark + 2);
    }
    words[count] = storage[count];
  }
  words[count] = NULL;
  return words;
}

static struct run runOnce(char **command, long repetition) {
  char **words = numbered(command, repetition);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  pid_t process;
  int status = 0;
  struct rusage usage;
  double start = now();
  require(posix_spawn(&process, words[0], &actions, NULL, words, environ) == 0, words[0]);
  require(wait4(process, &status, 0, &usage) == process, words[0]);
  double end = now();
  posix_spawn_file_actions_destroy(&actions);
  require(WIFEXITED(status) && WEXITSTATUS(status) == 0, "a measured command failed");
  return (struct run){end - start, usage.ru_maxrss};
}

static int compareTimes(const void *left, const void *right) {
  double a = ((const struct run *)left)->milliseconds, b = ((const struct run *)right)->milliseconds;
  return (a > b) - (a < b);
}

static struct summary summarise(struct run *runs, long count) {
  qsort(runs, (size_t)count, sizeof *runs, compareTimes);
  double median = (runs[(count - 1) / 2].milliseconds + runs[count / 2].milliseconds) / 2;
  struct summary summary = {runs[0].milliseconds, median, runs[count - 1].milliseconds, 0};
  for (long index = 0; index < count; index++) {
    if (runs[index].peakKibibytes > summary.peakKibibytes) {
      summary.peakKibibytes = runs[index].peakKibibytes;
    }
  }
  return summary;
}

static FILE *beginResult(const char *path, const char *name) {
  FILE *file = fopen(path, "a");
  require(file != NULL, path);
  char text[32];
  time_t seconds = time(NULL);
  double load = 0;
  getloadavg(&load, 1);
  strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", gmtime(&seconds));
  const char *commit = getenv("BENCH_COMMIT");
  fprintf(file, "{\"metric\":\"%s\",\"time\":\"%s\",\"commit\":\"%s\",\"load\":%.2f", name, text,
          commit ? commit : "", load);
  return file;
}

static void writeSummary(FILE *file, const char *key, struct summary summary) {
  fprintf(file, ",\"%s\":{\"minMs\":%.3f,\"medianMs\":%.3f,\"maxMs\":%.3f,\"peakKiB\":%ld}", key,
          summary.least, summary.median, summary.most, summary.peakKibibytes);
}

static void compare(const char *name, long repetitions, const char *results, char **commands) {
  static struct run hued[repetitionsMost], floor[repetitionsMost];
  char **floorCommand = commands;
  while (*floorCommand && strcmp(*floorCommand, "--")) floorCommand++;
  require(repetitions > 0 && repetitions <= repetitionsMost, "1 to 1000 repetitions");
  require(*floorCommand != NULL && floorCommand[1] != NULL, "no floor");
  *floorCommand++ = NULL;
  for (long repetition = 0; repetition <= repetitions; repetition++) {
    // Who begins changes, so that neither always inherits the other's caches and writes.
    long slot = repetition ? repetition - 1 : 0;
    if (repetition % 2) hued[slot] = runOnce(commands, repetition);
    floor[slot] = runOnce(floorCommand, repetition);
    if (!(repetition % 2)) hued[slot] = runOnce(commands, repetition);
  }
  struct summary a = summarise(hued, repetitions), b = summarise(floor, repetitions);
  double ratio = a.median / b.median;
  double memory = (double)a.peakKibibytes / (double)b.peakKibibytes;
  printf("%-24s %8.2f %8.2f %8.2f  %8.2f %8.2f %8.2f  %6.2f %6.2f  %7.1f %7.1f %6.2f\n", name,
         a.least, a.median, a.most, b.least, b.median, b.most, ratio, a.least / b.least,
         (double)a.peakKibibytes / 1024, (double)b.peakKibibytes / 1024, memory);
  FILE *file = beginResult(results, name);
  fprintf(file, ",\"repetitions\":%ld", repetitions);
  writeSummary(file, "hued", a);
  writeSummary(file, "floor", b);
  fprintf(file, ",\"ratio\":{\"min\":%.3f,\"median\":%.3f,\"peak\":%.3f}}\n", a.least / b.least,
          ratio, memory);
  require(fclose(file) == 0, results);
}

static long long diskBytes;

static int addBlocks(const char *path, const struct stat *file, int kind, struct FTW *walk) {
  (void)path, (void)walk;
  if (kind == FTW_F) diskBytes += (long long)file->st_blocks * 512;
  return 0;
}

static long long bytesIn(const char *folder) {
  diskBytes = 0;
  require(nftw(folder, addBlocks, 16, FTW_PHYS) == 0 && diskBytes > 0, folder);
  return diskBytes;
}

static void compareDisk(const char *name, const char *results, char **folders) {
  long long hued = bytesIn(folders[0]), floor = bytesIn(folders[1]);
  double ratio = (double)hued / (double)floor;
  printf("%-24s %22lld B    %22lld B    %6.2f\n", name, hued, floor, ratio);
  FILE *file = beginResult(results, name);
  fprintf(file, ",\"huedBytes\":%lld,\"floorBytes\":%lld,\"ratio\":%.3f}\n", hued, floor, ratio);
  require(fclose(file) == 0, results);
}

int main(int count, char **words) {
  if (count == 6 && !strcmp(words[1], "--disk")) {
    compareDisk(words[2], words[3], words + 4);
  } else {
    require(count > 6, "too few words");
    compare(words[1], atol(words[2]), words[3], words + 4);
  }
  return 0;
}
