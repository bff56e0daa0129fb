#ifndef CSQLITE_SHIM_H
#define CSQLITE_SHIM_H

// statx and renameat2 are hidden without it.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
// The header hides what records changesets, and Debian's library has it.
#define SQLITE_ENABLE_SESSION
#define SQLITE_ENABLE_PREUPDATE_HOOK
#include <fcntl.h>
#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>

// SQLITE_TRANSIENT is a cast of -1 to a function pointer, which Swift does not import.
static inline int csqlite_bind_text_copy(sqlite3_stmt *statement, int index, const void *text,
                                         uint64_t length) {
  return sqlite3_bind_text64(statement, index, (const char *)text, length, SQLITE_TRANSIENT,
                             SQLITE_UTF8);
}

static inline int csqlite_bind_blob_copy(sqlite3_stmt *statement, int index, const void *bytes,
                                         uint64_t length) {
  return sqlite3_bind_blob64(statement, index, bytes, length, SQLITE_TRANSIENT);
}

// sqlite3_config is variadic. SQLite takes a mutex at every allocation to count it, and nobody asks.
// It fails, and nothing is lost, when the program has used SQLite before.
static inline void csqlite_leave_memory_uncounted(void) {
  sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

// sqlite3_db_config is variadic.
static inline int csqlite_set_checkpoint_on_close(sqlite3 *connection, int on) {
  return sqlite3_db_config(connection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, !on, (int *)0);
}

// Only a hint: the disk begins with what the file cache has to write, and nothing waits for it.
static inline void csqlite_begin_writing(int file) {
  (void)sync_file_range(file, 0, 0, SYNC_FILE_RANGE_WRITE);
}

// The time of birth is 0 where the file system does not keep it.
static inline int csqlite_file_birth(const char *path, uint64_t *inode, int64_t *nanoseconds) {
  struct statx status;
  if (statx(AT_FDCWD, path, 0, STATX_INO | STATX_BTIME, &status) != 0) return -1;
  *inode = status.stx_ino;
  *nanoseconds = 0;
  if (status.stx_mask & STATX_BTIME)
    *nanoseconds = status.stx_btime.tv_sec * 1000000000ll + status.stx_btime.tv_nsec;
  return 0;
}

// Fails with EEXIST where rename would replace, and with EINVAL where the file system cannot tell.
static inline int csqlite_rename_without_replacing(const char *from, const char *to) {
  return renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE);
}

// Fails with EINVAL where the file system cannot do it.
static inline int csqlite_exchange_names(const char *one, const char *other) {
  return renameat2(AT_FDCWD, one, AT_FDCWD, other, RENAME_EXCHANGE);
}

#endif
