// The least that appends to the log of a fleet: the statement that a hub sends, with the bytes that it sent.
//
//   append DATABASE STATEMENT ENTRIES RATE
//     sends the changes in the file ENTRIES (each a length of four bytes, least significant first, and its bytes),
//     one after the other, RATE a second (0: as fast as they are taken), with the statement in the file STATEMENT,
//     to the library 'floor'
//
// Prints a JSON object: how many, and what one took, in microseconds.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <endian.h>
#include <libpq-fe.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { UUID = 2950, INT8 = 20, BYTEA = 17 };

static void require(int isTrue, const char *what) {
  if (isTrue) return;
  fprintf(stderr, "append: %s\n", what);
  exit(1);
}

static uint64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static char *readFile(const char *path, size_t *length) {
  FILE *file = fopen(path, "r");
  require(file != NULL && fseek(file, 0, SEEK_END) == 0, path);
  long size = ftell(file);
  rewind(file);
  char *bytes = malloc((size_t)size + 1);
  require(size >= 0 && bytes != NULL && fread(bytes, 1, (size_t)size, file) == (size_t)size, path);
  fclose(file);
  bytes[size] = 0;
  *length = (size_t)size;
  return bytes;
}

static void waitUntil(uint64_t due) {
  uint64_t time = now();
  if (due <= time) return;
  struct timespec pause = {.tv_sec = (time_t)((due - time) / 1000000000u),
                           .tv_nsec = (long)((due - time) % 1000000000u)};
  nanosleep(&pause, NULL);
}

static int compare(const void *left, const void *right) {
  double a = *(const double *)left, b = *(const double *)right;
  return (a > b) - (a < b);
}

struct library {
  PGconn *database;
  char id[16], hash[16];
  uint64_t head;
};

static struct library openLibrary(const char *address, const char *statement) {
  struct library library = {.database = PQconnectdb(address)};
  require(PQstatus(library.database) == CONNECTION_OK, PQerrorMessage(library.database));
  PGresult *row = PQexecParams(library.database, "SELECT id, head, hash FROM library WHERE name = 'floor'", 0, NULL,
                               NULL, NULL, NULL, 1);
  require(PQntuples(row) == 1 && PQgetlength(row, 0, 2) == 16, "there is no library 'floor'");
  memcpy(library.id, PQgetvalue(row, 0, 0), 16);
  memcpy(&library.head, PQgetvalue(row, 0, 1), 8);
  library.head = be64toh(library.head);
  memcpy(library.hash, PQgetvalue(row, 0, 2), 16);
  PQclear(row);
  const Oid types[] = {UUID, INT8, INT8, INT8, BYTEA, BYTEA, BYTEA};
  PGresult *prepared = PQprepare(library.database, "append", statement, 7, types);
  require(PQresultStatus(prepared) == PGRES_COMMAND_OK, PQerrorMessage(library.database));
  PQclear(prepared);
  return library;
}

// Owner and epoch of 'floor' are 1.
static void append(struct library *library, const char *changes, size_t length) {
  uint64_t one = htobe64(1), head = htobe64(library->head), next = library->head + 1;
  char hash[16] = {0};
  memcpy(hash, &next, 8);
  const char *values[] = {library->id,   (char *)&one, (char *)&one, (char *)&head,
                          library->hash, hash,         changes};
  const int lengths[] = {16, 8, 8, 8, 16, 16, (int)length}, formats[] = {1, 1, 1, 1, 1, 1, 1};
  PGresult *row = PQexecPrepared(library->database, "append", 7, values, lengths, formats, 1);
  require(PQntuples(row) == 1, PQerrorMessage(library->database));
  PQclear(row);
  library->head = next;
  memcpy(library->hash, hash, 16);
}

int main(int count, char **words) {
  require(count == 5, "the beginning of the source says how it is called");
  size_t size, ignored;
  char *statement = readFile(words[2], &ignored), *bytes = readFile(words[3], &size);
  double rate = atof(words[4]), total = 0;
  struct library library = openLibrary(words[1], statement);
  double *times = malloc((size / 4 + 1) * sizeof *times);
  require(times != NULL, "memory");
  size_t number = 0;
  uint64_t start = now();
  for (size_t place = 0; place + 4 <= size; number++) {
    uint32_t length;
    memcpy(&length, bytes + place, 4);
    if (rate > 0) waitUntil(start + (uint64_t)((double)number / rate * 1e9));
    uint64_t before = now();
    append(&library, bytes + place + 4, length);
    times[number] = (double)(now() - before) / 1000;
    total += times[number];
    place += 4 + length;
  }
  require(number > 0, "there is no entry");
  qsort(times, number, sizeof *times, compare);
  printf("{\"appends\":%zu,\"mean_us\":%.0f,\"p50_us\":%.0f,\"p99_us\":%.0f,\"wall_s\":%.3f}\n", number,
         total / (double)number, times[number / 2], times[number * 99 / 100], (double)(now() - start) / 1e9);
  PQfinish(library.database);
  return 0;
}
