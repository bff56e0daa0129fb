// People who edit and people who watch, as a page does, in one process that costs next to nothing.
//
//   clients FILE RATE SECONDS
//     FILE has a line for each connection: edit or watch, the own address, the port, the path of the library,
//     a token, the palette, a color. Says READY when all are let in, waits for a line on standard input, and has
//     those who edit rename their colors in turn, RATE times a second together (0: one after the other, each when
//     the one before was answered; -N: so that N wait for their answers).
//
// Prints a JSON object: edits, those that were refused, answers, deliveries to those who watch, and their ages in microseconds.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

struct client {
  char role[8], own[32], path[128], token[96], palette[64], color[64];
  int port, socket, isIn;
  unsigned char *bytes;
  size_t count, capacity;
};

struct ages {
  uint32_t *values;
  size_t count, capacity;
};

static struct ages answers, deliveries, window;
static uint32_t worstWindow;
static long ready, errors;

static void require(int isTrue, const char *what) {
  if (isTrue) return;
  fprintf(stderr, "clients: %s: %s\n", what, strerror(errno));
  exit(1);
}

static uint64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static void pauseFor(uint64_t nanoseconds) {
  struct timespec pause = {.tv_sec = (time_t)(nanoseconds / 1000000000u), .tv_nsec = (long)(nanoseconds % 1000000000u)};
  nanosleep(&pause, NULL);
}

static void note(struct ages *ages, uint64_t since) {
  if (ages->count == ages->capacity) {
    ages->capacity = ages->capacity ? 2 * ages->capacity : 65536;
    ages->values = realloc(ages->values, ages->capacity * sizeof *ages->values);
    require(ages->values != NULL, "memory");
  }
  ages->values[ages->count++] = (uint32_t)((now() - since) / 1000);
}

static int compare(const void *left, const void *right) {
  uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
  return (a > b) - (a < b);
}

static uint32_t quantile(struct ages *ages, size_t percent) {
  if (!ages->count) return 0;
  qsort(ages->values, ages->count, sizeof *ages->values, compare);
  size_t index = ages->count * percent / 100;
  return ages->values[index < ages->count ? index : ages->count - 1];
}

static void sendText(struct client *client, const char *text) {
  unsigned char frame[2048];
  size_t count = strlen(text), head = count < 126 ? 2 : 4;
  require(count < sizeof frame - 8, "the message is too long");
  frame[0] = 0x81;
  frame[1] = (unsigned char)(0x80 | (count < 126 ? count : 126));
  if (head == 4) {
    frame[2] = (unsigned char)(count >> 8);
    frame[3] = (unsigned char)count;
  }
  memset(frame + head, 0, 4);
  memcpy(frame + head + 4, text, count);
  size_t length = head + 4 + count;
  require(send(client->socket, frame, length, MSG_NOSIGNAL) == (ssize_t)length, "send");
}

// Returns whether the server let the client in; what it cannot do now it may do later.
static int dial(struct client *client) {
  client->socket = socket(AF_INET, SOCK_STREAM, 0);
  struct sockaddr_in own = {.sin_family = AF_INET}, other = {.sin_family = AF_INET, .sin_port = htons((uint16_t)client->port)};
  int yes = 1;
  inet_pton(AF_INET, client->own, &own.sin_addr);
  other.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  require(bind(client->socket, (void *)&own, sizeof own) == 0, client->own);
  require(connect(client->socket, (void *)&other, sizeof other) == 0, "connect");
  setsockopt(client->socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  char text[1024];
  int length = snprintf(text, sizeof text,
                        "GET %s/rpc HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n"
                        "Sec-WebSocket-Protocol: hued.rpc.v1\r\nAuthorization: Bearer %s\r\n\r\n",
                        client->path, client->port, client->token);
  require(send(client->socket, text, (size_t)length, MSG_NOSIGNAL) == length, "send");
  size_t count = 0;
  while (count < 4 || memcmp(text + count - 4, "\r\n\r\n", 4) != 0) {
    if (count == sizeof text - 1 || recv(client->socket, text + count, 1, 0) != 1) break;
    count++;
  }
  text[count] = 0;
  if (strncmp(text, "HTTP/1.1 101", 12) == 0) {
    fcntl(client->socket, F_SETFL, O_NONBLOCK);
    return 1;
  }
  if (!strstr(text, " 503")) fprintf(stderr, "clients: %s\n", text);
  require(strstr(text, " 503") != NULL, "a client was refused");
  close(client->socket);
  return 0;
}

static void take(struct client *client, const char *message) {
  if (strstr(message, "\"error\"")) {
    if (!errors++) fprintf(stderr, "clients: %.300s\n", message);
    return;
  }
  if (client->role[0] == 'w') {
    uint64_t newest = 0;
    for (const char *place = message; (place = strstr(place, "@@T")) != NULL; place += 3) {
      uint64_t time = strtoull(place + 3, NULL, 16);
      if (time > newest) newest = time;
    }
    if (ready && newest) note(&deliveries, newest);
  }
  const char *id = strstr(message, "\"id\":");
  if (!id) return;
  uint64_t sent = strtoull(id + 5, NULL, 10);
  // A number that is no time is that of the call by which somebody begins to watch.
  if (sent < 1000000) return (void)ready++;
  note(&answers, sent);
  note(&window, sent);
}

static void receive(struct client *client) {
  for (;;) {
    if (client->capacity - client->count < 65536) {
      client->capacity = client->capacity ? 2 * client->capacity : 131072;
      client->bytes = realloc(client->bytes, client->capacity + 1);
      require(client->bytes != NULL, "memory");
    }
    ssize_t got = recv(client->socket, client->bytes + client->count, client->capacity - client->count, 0);
    if (got < 0 && errno == EAGAIN) return;
    require(got > 0, "the server hung up");
    client->count += (size_t)got;
    size_t start = 0;
    while (client->count - start >= 2) {
      unsigned char *frame = client->bytes + start;
      size_t held = client->count - start, length = frame[1] & 127, head = 2;
      if (length >= 126) {
        head = length == 126 ? 4 : 10;
        if (held < head) break;
        length = 0;
        for (size_t index = 2; index < head; index++) length = length << 8 | frame[index];
      }
      if (held < head + length) break;
      if ((frame[0] & 15) == 8) {
        fprintf(stderr, "clients: the server closed: %.*s\n", length > 2 ? (int)length - 2 : 0, frame + head + 2);
        exit(1);
      }
      if ((frame[0] & 15) == 1) {
        unsigned char after = frame[head + length];
        frame[head + length] = 0;
        take(client, (char *)frame + head);
        frame[head + length] = after;
      }
      start += head + length;
    }
    memmove(client->bytes, client->bytes + start, client->count - start);
    client->count -= start;
  }
}

static void edit(struct client *client) {
  char text[512];
  uint64_t time = now();
  snprintf(text, sizeof text,
           "{\"jsonrpc\":\"2.0\",\"id\":%llu,\"method\":\"rename\",\"params\":{\"palette\":\"%s\",\"color\":\"%s\","
           "\"name\":\"@@T%016llx\"}}",
           (unsigned long long)time, client->palette, client->color, (unsigned long long)time);
  sendText(client, text);
}

static void hear(int poller, struct client *clients, uint64_t nanoseconds) {
  struct epoll_event events[256];
  struct timespec longest = {.tv_sec = (time_t)(nanoseconds / 1000000000u), .tv_nsec = (long)(nanoseconds % 1000000000u)};
  int number = epoll_pwait2(poller, events, 256, &longest, NULL);
  for (int index = 0; index < number; index++) receive(&clients[events[index].data.u32]);
}

static void connectAll(struct client *clients, int count, int poller) {
  int left = count, round = 0;
  while (left > 0) {
    require(round++ < 600, "not everybody was let in within a minute");
    for (int index = 0; index < count; index++) {
      if (clients[index].isIn || !dial(&clients[index])) continue;
      left--;
      clients[index].isIn = 1;
      struct epoll_event event = {.events = EPOLLIN, .data.u32 = (uint32_t)index};
      epoll_ctl(poller, EPOLL_CTL_ADD, clients[index].socket, &event);
      char text[256];
      snprintf(text, sizeof text, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"palette.watch\",\"params\":{\"palette\":\"%s\"}}",
               clients[index].palette);
      if (clients[index].role[0] == 'w') sendText(&clients[index], text);
    }
    if (left) pauseFor(100000000);
  }
}

static long run(struct client *clients, int count, int poller, double rate, double seconds) {
  uint64_t start = now(), end = start + (uint64_t)(seconds * 1e9), windowEnd = start + 10000000000u;
  long edits = 0;
  int next = 0;
  while (now() < end || ((long)answers.count + errors < edits && now() < end + 5000000000u)) {
    uint64_t due = rate > 0 ? start + (uint64_t)((double)edits / rate * 1e9) : 0;
    long waiting = edits - (long)answers.count - errors;
    if (now() < end && now() >= due && (rate > 0 || waiting == 0 || (double)waiting < -rate)) {
      do next = (next + 1) % count;
      while (clients[next].role[0] != 'e');
      edit(&clients[next]);
      edits++;
    } else {
      hear(poller, clients, rate <= 0 ? 10000000 : due > now() ? due - now() : 0);
    }
    if (now() >= windowEnd) {
      uint32_t worst = quantile(&window, 99);
      if (worst > worstWindow) worstWindow = worst;
      window.count = 0;
      windowEnd += 10000000000u;
    }
  }
  return edits;
}

int main(int count, char **words) {
  signal(SIGPIPE, SIG_IGN);
  require(count == 4, "the beginning of the source says how it is called");
  FILE *file = fopen(words[1], "r");
  require(file != NULL, words[1]);
  struct client *clients = calloc(4096, sizeof *clients), *last = clients;
  require(clients != NULL, "memory");
  int watching = 0, poller = epoll_create1(0);
  while (last < clients + 4096 && fscanf(file, "%7s %31s %d %127s %95s %63s %63s", last->role, last->own, &last->port,
                                         last->path, last->token, last->palette, last->color) == 7) {
    // A library at the root of its server has no path.
    if (strcmp(last->path, "-") == 0) last->path[0] = 0;
    watching += last++->role[0] == 'w';
  }
  fclose(file);
  connectAll(clients, (int)(last - clients), poller);
  while (ready < watching) hear(poller, clients, 20000000);
  ready = 1;
  puts("READY");
  fflush(stdout);
  char line[16];
  require(fgets(line, sizeof line, stdin) != NULL, "nobody says when to begin");
  long edits = run(clients, (int)(last - clients), poller, atof(words[2]), atof(words[3]));
  uint32_t answer50 = quantile(&answers, 50), delivery50 = quantile(&deliveries, 50);
  printf("{\"edits\":%ld,\"errors\":%ld,\"answers\":%zu,\"answer_p50_us\":%u,\"answer_p99_us\":%u,\"answer_max_us\":%u,"
         "\"worst_10s_p99_us\":%u,\"deliveries\":%zu,\"delivery_p50_us\":%u,\"delivery_p99_us\":%u}\n",
         edits, errors, answers.count, answer50, quantile(&answers, 99), quantile(&answers, 100), worstWindow, deliveries.count,
         delivery50, quantile(&deliveries, 99));
  return 0;
}
