#ifndef CWEBSOCKETS_SHIM_H
#define CWEBSOCKETS_SHIM_H

#include <libwebsockets.h>
#include <malloc.h>
#include <stdint.h>
#include <sys/epoll.h>

/* LWS_PRE is a compound macro, which Swift does not import; an enumerator is. */
enum { CLWS_PRE = LWS_PRE };

/* A timer that knows its owner: the callback of a bare one receives nothing else. */
struct clws_timer {
  lws_sorted_usec_list_t list;
  void *owner;
};

/* The flags of lws_write are combined, so they cannot stay a C enumeration in Swift. */
static inline int clws_write(struct lws *connection, unsigned char *bytes, size_t count, int flags) {
  return lws_write(connection, bytes, count, (enum lws_write_protocol)flags);
}

/* The structure of epoll is packed on some machines, which Swift does not import. */
enum { CLWS_READABLE = 1, CLWS_WRITABLE = 2, CLWS_OVER = 4, CLWS_ARRIVALS = 8, CLWS_ENDED = 16 };

struct clws_readiness {
  uint64_t name;
  int state;
};

static inline int clws_poller(void) { return epoll_create1(EPOLL_CLOEXEC); }

static inline int clws_watch(int poller, int socket, uint64_t name, int is_new, int wanted) {
  struct epoll_event event = {
      (wanted & CLWS_READABLE ? EPOLLIN : 0) | (wanted & CLWS_WRITABLE ? EPOLLOUT : 0) |
          (wanted & CLWS_ARRIVALS ? EPOLLIN | EPOLLRDHUP | EPOLLET : 0),
      {.u64 = name},
  };
  return epoll_ctl(poller, is_new ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, socket, &event);
}

static inline void clws_forget(int poller, int socket) {
  struct epoll_event event = {0};
  epoll_ctl(poller, EPOLL_CTL_DEL, socket, &event);
}

/* At most 256 sockets that are ready. */
static inline int clws_ready(int poller, struct clws_readiness *found) {
  struct epoll_event events[256];
  int count = epoll_wait(poller, events, 256, 0);
  for (int index = 0; index < count; index++) {
    uint32_t state = events[index].events;
    found[index].name = events[index].data.u64;
    found[index].state = (state & EPOLLIN ? CLWS_READABLE : 0) |
                         (state & EPOLLOUT ? CLWS_WRITABLE : 0) |
                         (state & (EPOLLHUP | EPOLLERR) ? CLWS_OVER : 0) |
                         (state & EPOLLRDHUP ? CLWS_ENDED : 0);
  }
  return count;
}

/* Gives freed memory back to the system, where the C library can be asked to. */
static inline void clws_trim_heap(void) {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

#endif
