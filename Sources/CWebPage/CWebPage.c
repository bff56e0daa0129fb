#include "CWebPage.h"

/* The files of the page: every file of the folder `files`, in the order of their names. To add one, put it
   there and name it here; Tests/HouseTests fails while the folder and this list differ. It is served under
   its own name (page.html also as `/`), with the type that PageFile.swift has for its extension. */
static const web_file files[] = {
#define FILE "files/page.css"
#include "embedded.h"
#define FILE "files/page.html"
#include "embedded.h"
#define FILE "files/page.js"
#include "embedded.h"
};

web_file_list web_files(void) {
  return (web_file_list){files, sizeof files / sizeof *files};
}
