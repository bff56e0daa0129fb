// The least work that a command of hued cannot avoid, without everything that makes it useful: the
// same rows in the same kind of SQLite file, but no merge, no digest, no identity and no undo.
//
//   floor import FOLDER COUNT   a new file; COUNT log and state rows in one transaction
//   floor add FOLDER            one more log and state row, committed
//   floor list FOLDER COUNT     reads all state rows, orders them, writes them as JSON lines
//   floor serve FOLDER SOCKET   keeps the file open; commits one row for each connection
//   floor ask SOCKET            lets `floor serve` commit one row and waits for its answer
#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

// Sizes of an added color in hued's own file, so that both write as many bytes.
enum { changeBytes = 80, uuidBytes = 16, placeBytes = 9, colorBytes = 4, nameBytes = 7 };

static sqlite3 *database;

static void require(int isTrue, const char *what) {
  if (isTrue) return;
  fprintf(stderr, "floor: %s: %s\n", what, database ? sqlite3_errmsg(database) : "failed");
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

static void openDatabase(const char *folder, int flags) {
  char path[4096];
  snprintf(path, sizeof path, "%s/floor.sqlite", folder);
  flags |= SQLITE_OPEN_NOMUTEX;
  require(sqlite3_open_v2(path, &database, flags, NULL) == SQLITE_OK, path);
}

static void openForWriting(const char *folder, int flags) {
  openDatabase(folder, SQLITE_OPEN_READWRITE | flags);
  execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -65536");
}

// Identifiers ascend, the cheapest order for the table; places are a permutation of them, so that
// ordering by place is work, as it is for identifiers drawn at random.
static void insertRow(sqlite3_stmt *log, sqlite3_stmt *state, uint32_t number) {
  uint8_t change[changeBytes], uuid[uuidBytes] = {0}, place[placeBytes] = {0x80};
  uint32_t bigEndian = __builtin_bswap32(number), scattered = number * 2654435761u;
  uint8_t color[colorBytes] = {0x43, scattered >> 24, scattered >> 16 & 255, scattered >> 8 & 255};
  char name[nameBytes + 1];
  memset(change, (int)number, sizeof change);
  memcpy(uuid, &bigEndian, sizeof bigEndian);
  memcpy(place + 1, &scattered, sizeof scattered);
  snprintf(name, sizeof name, "#%06x", scattered >> 8);
  sqlite3_bind_int64(log, 1, number);
  sqlite3_bind_blob(log, 2, change, sizeof change, SQLITE_STATIC);
  require(sqlite3_step(log) == SQLITE_DONE && sqlite3_reset(log) == SQLITE_OK, "log row");
  sqlite3_bind_blob(state, 1, uuid, sizeof uuid, SQLITE_STATIC);
  sqlite3_bind_blob(state, 2, place, sizeof place, SQLITE_STATIC);
  sqlite3_bind_blob(state, 3, color, sizeof color, SQLITE_STATIC);
  sqlite3_bind_text(state, 4, name, nameBytes, SQLITE_STATIC);
  sqlite3_bind_int64(state, 5, number);
  require(sqlite3_step(state) == SQLITE_DONE && sqlite3_reset(state) == SQLITE_OK, "state row");
}

static sqlite3_stmt *prepareLog(void) { return prepare("INSERT INTO log VALUES(?1, ?2)"); }

static sqlite3_stmt *prepareState(void) {
  return prepare("INSERT INTO state VALUES(1, ?1, ?2, ?3, ?4, ?5)");
}

static uint32_t nextNumber(void) {
  sqlite3_stmt *newest = prepare("SELECT max(id) FROM log");
  require(sqlite3_step(newest) == SQLITE_ROW, "newest row");
  uint32_t number = (uint32_t)sqlite3_column_int64(newest, 0) + 1;
  sqlite3_finalize(newest);
  return number;
}

static void insertRows(uint32_t first, uint32_t count) {
  sqlite3_stmt *log = prepareLog(), *state = prepareState();
  execute("BEGIN IMMEDIATE");
  for (uint32_t number = first; number < first + count; number++) insertRow(log, state, number);
  execute("COMMIT");
  sqlite3_finalize(log);
  sqlite3_finalize(state);
}

static void import(const char *folder, uint32_t count) {
  mkdir(folder, 0700);
  openForWriting(folder, SQLITE_OPEN_CREATE);
  execute("CREATE TABLE log(id INTEGER PRIMARY KEY, bytes BLOB NOT NULL) STRICT;"
          "CREATE TABLE state(palette INTEGER, uuid BLOB, place BLOB, color BLOB, name TEXT,"
          " dot INTEGER, PRIMARY KEY(palette, uuid)) STRICT, WITHOUT ROWID");
  insertRows(1, count);
}

struct row {
  uint8_t uuid[uuidBytes], place[placeBytes], color[colorBytes];
  char name[nameBytes + 1];
};

static int comparePlaces(const void *left, const void *right) {
  return memcmp(((const struct row *)left)->place, ((const struct row *)right)->place, placeBytes);
}

static void list(const char *folder, size_t count) {
  struct row *rows = calloc(count, sizeof *rows);
  size_t found = 0;
  openDatabase(folder, SQLITE_OPEN_READONLY);
  sqlite3_stmt *select = prepare("SELECT uuid, place, color, name FROM state WHERE palette = 1");
  for (; found < count && sqlite3_step(select) == SQLITE_ROW; found++) {
    memcpy(rows[found].uuid, sqlite3_column_blob(select, 0), uuidBytes);
    memcpy(rows[found].place, sqlite3_column_blob(select, 1), placeBytes);
    memcpy(rows[found].color, sqlite3_column_blob(select, 2), colorBytes);
    memcpy(rows[found].name, sqlite3_column_text(select, 3), nameBytes);
  }
  require(found == count, "fewer rows than there should be");
  sqlite3_finalize(select);
  qsort(rows, count, sizeof *rows, comparePlaces);
  for (size_t index = 0; index < count; index++) {
    const struct row *row = &rows[index];
    char id[2 * uuidBytes + 1];
    for (int byte = 0; byte < uuidBytes; byte++) {
      id[2 * byte] = "0123456789abcdef"[row->uuid[byte] >> 4];
      id[2 * byte + 1] = "0123456789abcdef"[row->uuid[byte] & 15];
    }
    id[2 * uuidBytes] = 0;
    const uint8_t *c = row->color;
    printf("{\"id\":\"%s\",\"name\":\"%s\",\"color\":\"rgb(%d, %d, %d)\",\"hex\":\"#%02x%02x%02x\","
           "\"index\":%zu,\"note\":\"\",\"conflicts\":[]}\n",
           id, row->name, c[1], c[2], c[3], c[1], c[2], c[3], index);
  }
}

static struct sockaddr_un address(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  require(strlen(path) < sizeof address.sun_path, "the socket's path is too long");
  strcpy(address.sun_path, path);
  return address;
}

static void serve(const char *folder, const char *path) {
  openForWriting(folder, 0);
  sqlite3_stmt *log = prepareLog(), *state = prepareState();
  struct sockaddr_un own = address(path);
  int listener = socket(AF_UNIX, SOCK_STREAM, 0);
  unlink(path);
  require(bind(listener, (struct sockaddr *)&own, sizeof own) == 0, path);
  require(listen(listener, 16) == 0, path);
  puts("ready");
  fflush(stdout);
  for (uint32_t number = nextNumber();; number++) {
    int client = accept(listener, NULL, NULL);
    char byte;
    require(client >= 0 && read(client, &byte, 1) == 1, "request");
    execute("BEGIN IMMEDIATE");
    insertRow(log, state, number);
    execute("COMMIT");
    require(write(client, &byte, 1) == 1, "answer");
    close(client);
  }
}

static void ask(const char *path) {
  struct sockaddr_un server = address(path);
  int connection = socket(AF_UNIX, SOCK_STREAM, 0);
  char byte = '+';
  require(connect(connection, (struct sockaddr *)&server, sizeof server) == 0, path);
  require(write(connection, &byte, 1) == 1 && read(connection, &byte, 1) == 1, "no answer");
}

int main(int count, char **words) {
  const char *verb = count > 2 ? words[1] : "";
  if (count == 4 && !strcmp(verb, "import")) {
    import(words[2], (uint32_t)atol(words[3]));
  } else if (count == 3 && !strcmp(verb, "add")) {
    openForWriting(words[2], 0);
    insertRows(nextNumber(), 1);
  } else if (count == 4 && !strcmp(verb, "list")) {
    list(words[2], (size_t)atol(words[3]));
  } else if (count == 4 && !strcmp(verb, "serve")) {
    serve(words[2], words[3]);
  } else if (count == 3 && !strcmp(verb, "ask")) {
    ask(words[2]);
  } else {
    require(0, "unknown words");
  }
  // Moves the write-ahead log into the file, as hued does when it ends.
  require(sqlite3_close(database) == SQLITE_OK, "close");
  return fflush(stdout) == 0 ? 0 : 1;
}
