// Linked into every program of a test run under AddressSanitizer.
//
// Programs that tests start do not inherit the environment, so their options have to be inside. Leaks
// are another check (Scripts/leaks): the test libraries themselves leak.
const char *__asan_default_options(void) { return "detect_leaks=0:log_path=" REPORTS; }

#ifdef PLANT
#include <stdlib.h>
__attribute__((constructor)) static void plant(void) {
  void *volatile lost = malloc(4711);
  (void)lost;
  lost = 0;
}
#endif
