// Linked into every program of a test run under ThreadSanitizer.
//
// The slow paths of Swift's Mutex are inside a library that is not instrumented: who got the lock by
// waiting seems not to hold it, and every access under it looks like a race. Leaving out whatever
// happens below Mutex would hide real races too, so the sanitizer is told of the lock instead.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *self
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"
#define TRY "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"

void __tsan_acquire(void *address);
void __tsan_release(void *address);

SWIFT void lockSlow(uint32_t thread, SELF) __asm__(LOCK);
SWIFT void lockSlow(uint32_t thread, SELF) {
  SWIFT void (*next)(uint32_t, SELF) = dlsym(RTLD_NEXT, LOCK);
  next(thread, self);
  __tsan_acquire(self);
}

SWIFT void unlockSlow(SELF) __asm__(UNLOCK);
SWIFT void unlockSlow(SELF) {
  SWIFT void (*next)(SELF) = dlsym(RTLD_NEXT, UNLOCK);
  __tsan_release(self);
  next(self);
}

SWIFT bool tryLockSlow(SELF) __asm__(TRY);
SWIFT bool tryLockSlow(SELF) {
  SWIFT bool (*next)(SELF) = dlsym(RTLD_NEXT, TRY);
  bool isHeld = next(self);
  if (isHeld) __tsan_acquire(self);
  return isHeld;
}

// Programs that tests start do not inherit the environment: their options have to be inside.
const char *__tsan_default_options(void) { return "log_path=" REPORTS; }
