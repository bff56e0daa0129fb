// WebSocket clients that cost next to nothing, so that whoever serves them is what is measured.
//
//   load watch PORT PATH PROTOCOL CLIENTS HELLO READY EDITS SECONDS
//     connects CLIENTS times, sends the frames of the file HELLO (each a length of four bytes, least
//     significant first, and its bytes; '-' for none), says READY when each client has read READY
//     messages, then waits until each has read EDITS messages with a marker
//   load idle PORT PATH PROTOCOL CLIENTS HELLO READY   connects likewise, then waits for its end
//   load write PORT PATH PROTOCOL EDITS RATE BYTES     sends messages with a marker
//
// With LOAD_TLS in the environment through TLS, whoever the server is.
//
// A marker is "@@T" and sixteen hexadecimal digits: nanoseconds of CLOCK_MONOTONIC.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <openssl/ssl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

struct wire {
  int socket;
  SSL *tls; // NULL for plain TCP
};

struct client {
  struct wire wire;
  unsigned char *bytes;
  size_t count, capacity;
  long messages, markers;
};

static uint32_t *ages; // in microseconds
static size_t ageCount, ageCapacity;
static uint64_t firstMarker, lastMarker;

static void require(int isTrue, const char *what) {
  if (isTrue) return;
  fprintf(stderr, "load: %s: %s\n", what, strerror(errno));
  exit(1);
}

static uint64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static void sendAll(struct wire wire, const unsigned char *bytes, size_t count) {
  while (count > 0) {
    ssize_t sent = wire.tls ? SSL_write(wire.tls, bytes, (int)count)
                            : send(wire.socket, bytes, count, MSG_NOSIGNAL);
    if (sent < 0 && (wire.tls ? SSL_get_error(wire.tls, (int)sent) == SSL_ERROR_WANT_WRITE
                              : errno == EAGAIN))
      continue;
    require(sent > 0, "send");
    bytes += sent;
    count -= (size_t)sent;
  }
}

// Like recv with MSG_DONTWAIT.
static ssize_t receiveSome(struct wire wire, void *bytes, size_t count) {
  if (!wire.tls) return recv(wire.socket, bytes, count, MSG_DONTWAIT);
  int got = SSL_read(wire.tls, bytes, (int)count);
  if (got <= 0 && SSL_get_error(wire.tls, got) == SSL_ERROR_WANT_READ) {
    errno = EAGAIN;
    return -1;
  }
  return got;
}

static void sendFrame(struct wire wire, int opcode, const unsigned char *payload, size_t count) {
  unsigned char frame[70000];
  require(count < 65536, "the message is too long");
  size_t head = 2;
  frame[0] = (unsigned char)(0x80 | opcode);
  frame[1] = (unsigned char)(0x80 | (count < 126 ? count : 126));
  if (count >= 126) {
    frame[2] = (unsigned char)(count >> 8);
    frame[3] = (unsigned char)count;
    head = 4;
  }
  memset(frame + head, 0, 4);
  memcpy(frame + head + 4, payload, count);
  sendAll(wire, frame, head + 4 + count);
}

static SSL *secure(int socket) {
  static SSL_CTX *context;
  if (!context) context = SSL_CTX_new(TLS_client_method());
  SSL *tls = context ? SSL_new(context) : NULL;
  require(tls && SSL_set_fd(tls, socket) == 1 && SSL_connect(tls) == 1, "TLS");
  return tls;
}

static struct wire dial(int port, const char *path, const char *protocol) {
  struct wire wire = {.socket = socket(AF_INET, SOCK_STREAM, 0)};
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
  int yes = 1;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  require(connect(wire.socket, (void *)&address, sizeof address) == 0, "connect");
  setsockopt(wire.socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  if (getenv("LOAD_TLS")) wire.tls = secure(wire.socket);
  char text[1024];
  int length = snprintf(text, sizeof text,
                        "GET %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nUpgrade: websocket\r\n"
                        "Connection: Upgrade\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
                        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: %s\r\n\r\n",
                        path, port, protocol);
  sendAll(wire, (unsigned char *)text, (size_t)length);
  size_t count = 0;
  while (count < 4 || memcmp(text + count - 4, "\r\n\r\n", 4) != 0) {
    require(count < sizeof text, "answer");
    ssize_t got = wire.tls ? SSL_read(wire.tls, text + count, 1) : recv(wire.socket, text + count, 1, 0);
    require(got == 1, "answer");
    count++;
  }
  require(memcmp(text, "HTTP/1.1 101", 12) == 0, "the upgrade was refused");
  fcntl(wire.socket, F_SETFL, O_NONBLOCK);
  return wire;
}

static void note(struct client *client, const unsigned char *payload, size_t count) {
  client->messages++;
  const unsigned char *marker = memmem(payload, count, "@@T", 3);
  if (!marker || (size_t)(payload + count - marker) < 19) return;
  char digits[17] = {0};
  memcpy(digits, marker + 3, 16);
  uint64_t time = now();
  client->markers++;
  if (!firstMarker) firstMarker = time;
  lastMarker = time;
  if (ageCount == ageCapacity) {
    ageCapacity = ageCapacity ? 2 * ageCapacity : 65536;
    ages = realloc(ages, ageCapacity * sizeof *ages);
    require(ages != NULL, "memory");
  }
  ages[ageCount++] = (uint32_t)((time - strtoull(digits, NULL, 16)) / 1000);
}

static void receive(struct client *client) {
  for (;;) {
    if (client->capacity - client->count < 65536) {
      client->capacity = client->capacity ? 2 * client->capacity : 131072;
      client->bytes = realloc(client->bytes, client->capacity);
      require(client->bytes != NULL, "memory");
    }
    ssize_t got = receiveSome(client->wire, client->bytes + client->count,
                              client->capacity - client->count);
    if (got < 0 && errno == EAGAIN) return;
    require(got > 0, "the server hung up");
    client->count += (size_t)got;
    size_t start = 0;
    while (client->count - start >= 2) {
      const unsigned char *frame = client->bytes + start;
      size_t held = client->count - start, length = frame[1] & 127, head = 2;
      if (length >= 126) {
        head = length == 126 ? 4 : 10;
        if (held < head) break;
        length = 0;
        for (size_t index = 2; index < head; index++) length = length << 8 | frame[index];
      }
      if (held < head + length) break;
      int opcode = frame[0] & 15;
      require(opcode != 8, "the server closed");
      if (opcode == 9) sendFrame(client->wire, 10, frame + head, length);
      else note(client, frame + head, length);
      start += head + length;
    }
    memmove(client->bytes, client->bytes + start, client->count - start);
    client->count -= start;
  }
}

static int compare(const void *left, const void *right) {
  uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
  return (a > b) - (a < b);
}

static void printAges(double seconds) {
  qsort(ages, ageCount, sizeof *ages, compare);
  uint32_t p50 = ageCount ? ages[ageCount / 2] : 0, p99 = ageCount ? ages[ageCount * 99 / 100] : 0;
  printf("{\"deliveries\":%zu,\"deliveries_per_s\":%.0f,\"p50_us\":%u,\"p99_us\":%u,\"max_us\":%u}\n",
         ageCount, seconds > 0 ? (double)ageCount / seconds : 0, p50, p99,
         ageCount ? ages[ageCount - 1] : 0);
}

static struct client *connectAll(char **words, int count, int poller) {
  struct client *clients = calloc((size_t)count, sizeof *clients);
  unsigned char *hello = malloc(1 << 20);
  require(clients != NULL && hello != NULL, "memory");
  size_t length = 0;
  if (strcmp(words[6], "-") != 0) {
    FILE *file = fopen(words[6], "r");
    require(file != NULL, words[6]);
    length = fread(hello, 1, 1 << 20, file);
    fclose(file);
  }
  for (int index = 0; index < count; index++) {
    clients[index].wire = dial(atoi(words[2]), words[3], words[4]);
    struct epoll_event event = {.events = EPOLLIN, .data.u32 = (uint32_t)index};
    epoll_ctl(poller, EPOLL_CTL_ADD, clients[index].wire.socket, &event);
    for (size_t start = 0; start + 4 <= length;) {
      uint32_t size;
      memcpy(&size, hello + start, 4);
      sendFrame(clients[index].wire, 2, hello + start + 4, size);
      start += 4 + size;
    }
  }
  free(hello);
  return clients;
}

static int watch(char **words, long edits, double seconds) {
  int count = atoi(words[5]), poller = epoll_create1(0), isReady = 0;
  long ready = atol(words[7]);
  struct client *clients = connectAll(words, count, poller);
  uint64_t end = now() + (uint64_t)(seconds * 1e9);
  for (;;) {
    struct epoll_event events[256];
    int number = epoll_wait(poller, events, 256, 20);
    for (int index = 0; index < number; index++) receive(&clients[events[index].data.u32]);
    long messages = clients[0].messages, markers = clients[0].markers;
    for (int index = 1; index < count; index++) {
      if (clients[index].messages < messages) messages = clients[index].messages;
      if (clients[index].markers < markers) markers = clients[index].markers;
    }
    if (!isReady && messages >= ready) {
      isReady = 1;
      puts("READY");
      fflush(stdout);
    }
    if (markers >= edits || now() > end) break;
  }
  printAges((double)(lastMarker - firstMarker) * 1e-9);
  return 0;
}

static int writeMarkers(char **words) {
  struct wire wire = dial(atoi(words[2]), words[3], words[4]);
  int edits = atoi(words[5]);
  double rate = atof(words[6]);
  size_t size = (size_t)atoi(words[7]);
  unsigned char *message = malloc(size + 32);
  require(message != NULL && size >= 20, "the message is too short");
  memset(message, '.', size);
  uint64_t start = now();
  for (int index = 0; index < edits; index++) {
    uint64_t due = rate > 0 ? start + (uint64_t)(index / rate * 1e9) : 0, time = now();
    if (due > time) {
      struct timespec pause = {.tv_sec = (time_t)((due - time) / 1000000000u),
                               .tv_nsec = (long)((due - time) % 1000000000u)};
      nanosleep(&pause, NULL);
    }
    char marker[24];
    snprintf(marker, sizeof marker, "@@T%016llx", (unsigned long long)now());
    memcpy(message, marker, 19);
    sendFrame(wire, 2, message, size);
  }
  printf("{\"sent\":%d,\"wall_s\":%.6f}\n", edits, (double)(now() - start) * 1e-9);
  fflush(stdout);
  for (char byte; read(0, &byte, 1) > 0;) {}
  return 0;
}

int main(int count, char **words) {
  signal(SIGPIPE, SIG_IGN);
  if (count == 10 && strcmp(words[1], "watch") == 0)
    return watch(words, atol(words[8]), atof(words[9]));
  if (count == 8 && strcmp(words[1], "idle") == 0) return watch(words, 1l << 60, 3600);
  if (count == 8 && strcmp(words[1], "write") == 0) return writeMarkers(words);
  fputs("load: the beginning of the source says how it is called\n", stderr);
  return 2;
}
