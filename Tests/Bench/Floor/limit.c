// What SQLite costs a C program that keeps a log row and a state row for each color and nothing else:
// no merge, no digest, no identity, no undo. The page cache and everything else are SQLite's defaults.
//
//   limit insert WORKLOAD FILE ROWS KEYS   ROWS rows about KEYS colors, in one durable transaction
//   limit read WORKLOAD FILE               the ordered list of what is there
//
// Prints the lines that hued-bench prints, with "peer": "limit".
#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static sqlite3 *database;
static const char *workload;

static void require(int isTrue, const char *what) {
  if (isTrue) return;
  fprintf(stderr, "limit: %s: %s\n", what, database ? sqlite3_errmsg(database) : "failed");
  exit(1);
}

static void execute(const char *sql) {
  require(sqlite3_exec(database, sql, NULL, NULL, NULL) == SQLITE_OK, sql);
}

static sqlite3_stmt *prepare(const char *sql) {
  sqlite3_stmt *statement = NULL;
  require(sqlite3_prepare_v2(database, sql, -1, &statement, NULL) == SQLITE_OK, sql);
  return statement;
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

// The finaliser of SplitMix64: an id looks random, and is the same for the same color.
static uint64_t scatter(uint64_t word) {
  word += 0x9E3779B97F4A7C15ull;
  word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9ull;
  word = (word ^ (word >> 27)) * 0x94D049BB133111EBull;
  return word ^ (word >> 31);
}

static void emit(const char *metric, double value, const char *unit) {
  printf("{\"w\": \"%s\", \"peer\": \"limit\", \"metric\": \"%s\", \"value\": %.6f, \"unit\": \"%s\"}\n",
         workload, metric, value, unit);
}

static void emitMemory(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  emit("peak_rss_mib", (double)usage.ru_maxrss / 1024, "MiB");
}

static void insertRow(sqlite3_stmt *log, sqlite3_stmt *state, int64_t row, uint64_t key) {
  static const uint8_t node[16] = {0xAB};
  uint64_t id[2] = {scatter(key), scatter(key ^ 0x5555555555555555ull)};
  char name[48], change[48] = {0};
  int length = snprintf(name, sizeof name, "quiet harbor %llu", (unsigned long long)key);
  memcpy(change, name, length > 24 ? 24 : (size_t)length);
  sqlite3_bind_blob(log, 1, id, sizeof id, SQLITE_STATIC);
  sqlite3_bind_int64(log, 2, 1700000000000000ll + row);
  sqlite3_bind_blob(log, 3, node, sizeof node, SQLITE_STATIC);
  sqlite3_bind_blob(log, 4, change, sizeof change, SQLITE_STATIC);
  require(sqlite3_step(log) == SQLITE_DONE && sqlite3_reset(log) == SQLITE_OK, "log row");
  sqlite3_bind_blob(state, 1, id, sizeof id, SQLITE_STATIC);
  sqlite3_bind_text(state, 2, name, length, SQLITE_STATIC);
  sqlite3_bind_int64(state, 3, (int64_t)(id[0] & 0xFFFFFFFF));
  sqlite3_bind_double(state, 4, (double)(id[1] % 100000000) / 1000);
  sqlite3_bind_int64(state, 5, 1700000000000000ll + row);
  require(sqlite3_step(state) == SQLITE_DONE && sqlite3_reset(state) == SQLITE_OK, "state row");
}

static void insert(const char *file, int64_t rows, uint64_t keys) {
  require(sqlite3_open(file, &database) == SQLITE_OK, file);
  execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"
          "CREATE TABLE log(seq INTEGER PRIMARY KEY, uuid BLOB, stamp INTEGER, node BLOB, change BLOB);"
          "CREATE TABLE state(uuid BLOB PRIMARY KEY, name TEXT, color INTEGER, position REAL,"
          " deleted INTEGER, stamp INTEGER) WITHOUT ROWID");
  sqlite3_stmt *log = prepare("INSERT INTO log(uuid, stamp, node, change) VALUES(?1, ?2, ?3, ?4)");
  sqlite3_stmt *state =
      prepare("INSERT INTO state VALUES(?1, ?2, ?3, ?4, 0, ?5) ON CONFLICT(uuid) DO UPDATE"
              " SET name = ?2, color = ?3, position = ?4, stamp = ?5 WHERE excluded.stamp > stamp");
  double start = now();
  execute("BEGIN");
  for (int64_t row = 0; row < rows; row++) insertRow(log, state, row, (uint64_t)row % keys);
  execute("COMMIT");
  double end = now();
  sqlite3_finalize(log);
  sqlite3_finalize(state);
  require(sqlite3_close(database) == SQLITE_OK, "close");
  struct stat status;
  require(stat(file, &status) == 0, file);
  emit("wall_s", end - start, "s");
  emit("disk_mib", (double)status.st_size / 1048576, "MiB");
  emitMemory();
}

static void readList(const char *file) {
  double start = now();
  require(sqlite3_open_v2(file, &database, SQLITE_OPEN_READONLY, NULL) == SQLITE_OK, file);
  sqlite3_stmt *select = prepare(
      "SELECT uuid, name, color, position FROM state WHERE deleted = 0 ORDER BY position");
  uint64_t sum = 0, rows = 0;
  for (; sqlite3_step(select) == SQLITE_ROW; rows++) {
    sum += *(const uint8_t *)sqlite3_column_blob(select, 0);
    sum += (uint64_t)sqlite3_column_bytes(select, 1) + (uint64_t)sqlite3_column_int64(select, 2);
  }
  double end = now();
  require(rows > 0 && sum > 0, "nothing to read");
  sqlite3_finalize(select);
  sqlite3_close(database);
  emit("wall_s", end - start, "s");
  emitMemory();
}

int main(int count, char **words) {
  workload = count > 3 ? words[2] : "";
  if (count == 6 && !strcmp(words[1], "insert")) {
    insert(words[3], atoll(words[4]), strtoull(words[5], NULL, 10));
  } else if (count == 4 && !strcmp(words[1], "read")) {
    readList(words[3]);
  } else {
    require(0, "unknown words");
  }
  return fflush(stdout) == 0 ? 0 : 1;
}
