// The least work of a node that passes edits on: a relay of WebSocket messages on libwebsockets,
// which sends what one client says to all others. With a file, each message is a row that is
// committed (write-ahead log, synchronous FULL) before anyone hears of it.
//
//   relay PORT [DATABASE]
#include <libwebsockets.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { waitingLimit = 8192 };

struct message {
  unsigned holders;
  size_t length;
  unsigned char bytes[]; // the headroom of libwebsockets, then the payload
};

struct client {
  struct lws *socket;
  struct client *next, **link;
  struct message *waiting[waitingLimit];
  unsigned head, tail;
  unsigned char *partial;
  size_t partialLength;
};

static struct client *clients;
static volatile sig_atomic_t isEnding;
static sqlite3 *database;
static sqlite3_stmt *insert;

static void end(int number) {
  (void)number;
  isEnding = 1;
}

static void require(int isTrue, const char *what) {
  if (isTrue) return;
  fprintf(stderr, "relay: %s: %s\n", what, database ? sqlite3_errmsg(database) : "failed");
  exit(1);
}

static void release(struct message *message) {
  if (--message->holders == 0) free(message);
}

static void append(struct client *client, struct message *message) {
  require(client->tail - client->head < waitingLimit, "a client does not read");
  client->waiting[client->tail++ % waitingLimit] = message;
  message->holders++;
  lws_callback_on_writable(client->socket);
}

static void commit(const unsigned char *bytes, size_t length) {
  if (!database) return;
  sqlite3_bind_blob64(insert, 1, bytes, length, SQLITE_STATIC);
  require(sqlite3_step(insert) == SQLITE_DONE && sqlite3_reset(insert) == SQLITE_OK, "commit");
}

static void pass(struct client *sender) {
  struct message *message = malloc(sizeof *message + LWS_PRE + sender->partialLength);
  require(message != NULL, "memory");
  message->holders = 1;
  message->length = sender->partialLength;
  memcpy(message->bytes + LWS_PRE, sender->partial, sender->partialLength);
  commit(sender->partial, sender->partialLength);
  sender->partialLength = 0;
  for (struct client *other = clients; other; other = other->next)
    if (other != sender) append(other, message);
  release(message);
}

static int sendWaiting(struct client *client) {
  while (client->head != client->tail && !lws_send_pipe_choked(client->socket)) {
    struct message *message = client->waiting[client->head % waitingLimit];
    // The header lands in the headroom, which the next client's header may overwrite.
    int written = lws_write(client->socket, message->bytes + LWS_PRE, message->length,
                            LWS_WRITE_BINARY);
    if (written < (int)message->length) return -1;
    client->head++;
    release(message);
  }
  if (client->head != client->tail) lws_callback_on_writable(client->socket);
  return 0;
}

static int serve(struct lws *socket, enum lws_callback_reasons reason, void *user, void *bytes,
                 size_t length) {
  struct client *client = user;
  switch (reason) {
  case LWS_CALLBACK_ESTABLISHED:
    memset(client, 0, sizeof *client);
    client->socket = socket;
    client->next = clients;
    client->link = &clients;
    if (clients) clients->link = &client->next;
    clients = client;
    break;
  case LWS_CALLBACK_CLOSED:
    while (client->head != client->tail) release(client->waiting[client->head++ % waitingLimit]);
    free(client->partial);
    *client->link = client->next;
    if (client->next) client->next->link = client->link;
    break;
  case LWS_CALLBACK_RECEIVE:
    client->partial = realloc(client->partial, client->partialLength + length);
    require(client->partial != NULL, "memory");
    memcpy(client->partial + client->partialLength, bytes, length);
    client->partialLength += length;
    if (lws_is_final_fragment(socket) && !lws_remaining_packet_payload(socket)) pass(client);
    break;
  case LWS_CALLBACK_SERVER_WRITEABLE: return sendWaiting(client);
  default: break;
  }
  return 0;
}

int main(int count, char **words) {
  if (count < 2) return 2;
  signal(SIGTERM, end);
  lws_set_log_level(LLL_ERR, NULL);
  if (count > 2) {
    require(sqlite3_open(words[2], &database) == SQLITE_OK, words[2]);
    const char *setup = "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"
                        "CREATE TABLE log(number INTEGER PRIMARY KEY, bytes BLOB)";
    require(sqlite3_exec(database, setup, NULL, NULL, NULL) == SQLITE_OK, setup);
    const char *sql = "INSERT INTO log(bytes) VALUES(?1)";
    require(sqlite3_prepare_v2(database, sql, -1, &insert, NULL) == SQLITE_OK, sql);
  }
  const struct lws_protocols protocols[] = {
      {"relay", serve, sizeof(struct client), 65536, 0, NULL, 0}, {0}};
  struct lws_context_creation_info info = {
      .port = atoi(words[1]), .iface = "lo", .protocols = protocols, .gid = -1, .uid = -1};
  struct lws_context *context = lws_create_context(&info);
  require(context != NULL, "libwebsockets cannot start");
  puts("READY");
  fflush(stdout);
  while (!isEnding && lws_service(context, 0) >= 0) {}
  lws_context_destroy(context);
  sqlite3_finalize(insert);
  sqlite3_close(database);
}
