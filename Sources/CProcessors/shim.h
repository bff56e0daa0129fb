#ifndef CPROCESSORS_SHIM_H
#define CPROCESSORS_SHIM_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <sched.h>

/* The calls and the macros for sets of processors are hidden from Swift. */

static inline int cprocessors_allowed(cpu_set_t *set) {
  return sched_getaffinity(0, sizeof *set, set) == 0 ? CPU_COUNT(set) : 0;
}

static inline void cprocessors_use(const cpu_set_t *set) {
  (void)sched_setaffinity(0, sizeof *set, set);
}

/* The set of only one of the processors of another set, counted from 0. */
static inline cpu_set_t cprocessors_one(const cpu_set_t *all, int number) {
  cpu_set_t one;
  CPU_ZERO(&one);
  for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
    if (CPU_ISSET(cpu, all) && number-- == 0) CPU_SET(cpu, &one);
  return one;
}

#endif
