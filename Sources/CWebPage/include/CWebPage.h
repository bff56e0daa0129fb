#ifndef CWEBPAGE_H
#define CWEBPAGE_H

#include <stddef.h>

/// A file of the web page, as it was when the program was built.
typedef struct {
  const unsigned char *bytes;
  size_t count;
} web_file;

web_file web_page_html(void);
web_file web_page_css(void);
web_file web_page_js(void);

#endif
