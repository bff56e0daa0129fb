#ifndef CWEBPAGE_H
#define CWEBPAGE_H

#include <stddef.h>

/// A file of the web page, as it was when the program was built.
typedef struct {
  /// Where it is served: its name, after a slash.
  const char *path;
  const unsigned char *bytes;
  size_t count;
} web_file;

/// Files one after the other.
typedef struct {
  const web_file *first;
  size_t count;
} web_file_list;

/// Every file of the page.
web_file_list web_files(void);

#endif
