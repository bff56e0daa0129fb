#include "CWebPage.h"

static const unsigned char html[] = {
#embed "files/page.html"
};

static const unsigned char css[] = {
#embed "files/page.css"
};

static const unsigned char js[] = {
#embed "files/page.js"
};

web_file web_page_html(void) { return (web_file){html, sizeof html}; }

web_file web_page_css(void) { return (web_file){css, sizeof css}; }

web_file web_page_js(void) { return (web_file){js, sizeof js}; }
