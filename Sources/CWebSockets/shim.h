#ifndef CWEBSOCKETS_SHIM_H
#define CWEBSOCKETS_SHIM_H

#include <libwebsockets.h>

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

#endif
