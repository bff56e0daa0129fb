// Lets calls of the operating system fail in a process that loads this with LD_PRELOAD.
//
// Only calls on files in some folders are counted: FAILING_FOLDERS, absolute, separated by colons.
// FAILING says what happens to them, in four words: CALLS HOW FIRST COUNT.
//   CALLS  names as below, separated by commas; * for all of them
//   HOW    a number for errno; `short` for half of what was asked for; `before` and `after` for a
//          process that is killed there
//   FIRST  the first call of those to fail, counted together from 1
//   COUNT  how many in a row; 0 for all that follow
// FAILING_LOG names a file that gets a line for each call: name, what became of it, and its files,
// with tabs between them.

#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { NOTHING, ERROR, SHORT, BEFORE, AFTER };
enum { FILES = 4096 };

static const char *folders;
static char calls[256];
static int how, number;
static long first, count;
static atomic_long made;
static int record = -1;
// The paths of the open files that count; nothing frees them, since another thread may be reading.
static _Atomic(const char *) names[FILES];

__attribute__((constructor)) static void begin(void) {
  char word[32] = "";
  const char *plan = getenv("FAILING");
  if (plan && sscanf(plan, "%255s %31s %ld %ld", calls, word, &first, &count) == 4) {
    number = atoi(word);
    how = !strcmp(word, "short") ? SHORT : !strcmp(word, "before") ? BEFORE
        : !strcmp(word, "after") ? AFTER : ERROR;
  }
  const char *log = getenv("FAILING_LOG");
  // Far above what the program opens, whose numbers stay as they would be.
  if (log) {
    int file = (int)syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    record = (int)syscall(SYS_fcntl, file, F_DUPFD_CLOEXEC, 1000);
    syscall(SYS_close, file);
  }
  folders = getenv("FAILING_FOLDERS");
}

static const char *name_of(int file) {
  return file >= 0 && file < FILES ? atomic_load(&names[file]) : NULL;
}

// The path if it counts; one that begins at an open folder has that folder's name, which is enough.
static const char *counted(int folder, const char *path) {
  if (!path) return NULL;
  if (path[0] != '/') return folder == AT_FDCWD ? NULL : name_of(folder);
  if (!strncmp(path, "/proc/self/fd/", 14)) return name_of(atoi(path + 14));
  for (const char *each = folders; each && *each;) {
    size_t length = strcspn(each, ":");
    if (length && !strncmp(path, each, length) && (path[length] == '/' || !path[length])) return path;
    each += length + (each[length] == ':');
  }
  return NULL;
}

static int is_meant(const char *call) {
  if (!strcmp(calls, "*")) return 1;
  size_t length = strlen(call);
  for (const char *at = calls; (at = strstr(at, call)); at += length)
    if ((at == calls || at[-1] == ',') && (at[length] == ',' || !at[length])) return 1;
  return 0;
}

static void note(const char *call, const char *what, const char *path, const char *other) {
  if (record < 0) return;
  int error = errno;
  char line[9000];
  int length = snprintf(line, sizeof line, "%s\t%s\t%s%s%s\n", call, what, path, other ? "\t" : "",
                        other ? other : "");
  if (length > 0 && (size_t)length < sizeof line) syscall(SYS_write, record, line, (size_t)length);
  errno = error;
}

static void die(void) {
  syscall(SYS_kill, getpid(), SIGKILL);
}

// What is to become of a call on a file that counts.
static int fate(const char *call, const char *path, const char *other) {
  if (how == NOTHING || !is_meant(call)) return NOTHING;
  long n = atomic_fetch_add(&made, 1) + 1;
  if (n < first || (count && n >= first + count)) return NOTHING;
  if (how == BEFORE) {
    note(call, "killed before", path, other);
    die();
  }
  if (how == ERROR) {
    note(call, "injected", path, other);
    errno = number;
  }
  return how;
}

static void end(const char *call, int what, int failed, const char *path, const char *other) {
  note(call, what == SHORT ? "short" : failed ? "failed" : "done", path, other);
  if (what == AFTER) {
    note(call, "killed after", path, other);
    die();
  }
}

// The call that this one stands before, under the name that the program called.
#define REAL(function) \
  static __typeof__(&function) real; \
  if (!real) real = (__typeof__(&function))dlsym(RTLD_NEXT, #function)

// A call on a path, or on an open file, which is `path` in both cases. `fail` is what tells an error.
#define CALL(call, type, fail, path, other, invoke) \
  const char *counted_path = (path); \
  if (!counted_path) return invoke; \
  int what = fate(call, counted_path, other); \
  if (what == ERROR) return fail; \
  type result = invoke; \
  end(call, what, result == fail, counted_path, other); \
  return result

// A call that moves bytes, of which half may be what it moves.
#define MOVE(call, file, bytes, invoke, whole) \
  const char *counted_path = name_of(file); \
  if (!counted_path) return whole; \
  int what = fate(call, counted_path, NULL); \
  if (what == ERROR) return -1; \
  size_t part = what == SHORT && bytes > 1 ? bytes / 2 : bytes; \
  ssize_t result = invoke; \
  end(call, what, result < 0, counted_path, NULL); \
  return result

static int opened(int file, const char *path) {
  if (file >= 0 && file < FILES) atomic_store(&names[file], path ? strdup(path) : NULL);
  return file;
}

#define OPENING(function) \
  mode_t mode = 0; \
  if (flags & (O_CREAT | __O_TMPFILE)) { \
    va_list list; \
    va_start(list, flags); \
    mode = va_arg(list, mode_t); \
    va_end(list); \
  } \
  REAL(function)

#define OPEN(folder, path, invoke) \
  const char *counted_path = counted(folder, path); \
  if (!counted_path) return opened(invoke, NULL); \
  const char *call = flags & O_CREAT ? "create" : "open"; \
  int what = fate(call, counted_path, NULL); \
  if (what == ERROR) return -1; \
  int file = invoke; \
  end(call, what, file < 0, counted_path, NULL); \
  return opened(file, counted_path)

int open(const char *path, int flags, ...) { OPENING(open); OPEN(AT_FDCWD, path, real(path, flags, mode)); }
int open64(const char *path, int flags, ...) { OPENING(open64); OPEN(AT_FDCWD, path, real(path, flags, mode)); }
int openat(int folder, const char *path, int flags, ...) {
  OPENING(openat);
  OPEN(folder, path, real(folder, path, flags, mode));
}
int openat64(int folder, const char *path, int flags, ...) {
  OPENING(openat64);
  OPEN(folder, path, real(folder, path, flags, mode));
}

int close(int file) {
  REAL(close);
  const char *path = name_of(file);
  if (file >= 0 && file < FILES) atomic_store(&names[file], NULL);
  if (!path) return real(file);
  int what = fate("close", path, NULL);
  // The file is closed even then.
  int result = real(file);
  if (what == ERROR) {
    errno = number;
    return -1;
  }
  end("close", what, result < 0, path, NULL);
  return result;
}

// Taking a lock counts, giving one back never fails; of the rest only copies of descriptors matter.
#define CONTROL(function) \
  va_list list; \
  va_start(list, command); \
  void *argument = va_arg(list, void *); \
  va_end(list); \
  REAL(function); \
  if (command == F_DUPFD || command == F_DUPFD_CLOEXEC) \
    return opened(real(file, command, argument), name_of(file)); \
  int is_lock = command == F_SETLK || command == F_SETLKW || command == F_GETLK \
      || command == F_OFD_SETLK || command == F_OFD_SETLKW; \
  if (!is_lock || ((struct flock *)argument)->l_type == F_UNLCK) return real(file, command, argument); \
  CALL("lock", int, -1, name_of(file), NULL, real(file, command, argument))

int fcntl(int file, int command, ...) { CONTROL(fcntl); }
int fcntl64(int file, int command, ...) { CONTROL(fcntl64); }
int dup(int file) { REAL(dup); return opened(real(file), name_of(file)); }
int dup2(int file, int other) { REAL(dup2); return opened(real(file, other), name_of(file)); }
int dup3(int file, int other, int flags) { REAL(dup3); return opened(real(file, other, flags), name_of(file)); }

int stat(const char *restrict path, struct stat *restrict status) {
  REAL(stat);
  CALL("stat", int, -1, counted(AT_FDCWD, path), NULL, real(path, status));
}
int stat64(const char *restrict path, struct stat64 *restrict status) {
  REAL(stat64);
  CALL("stat", int, -1, counted(AT_FDCWD, path), NULL, real(path, status));
}
int lstat(const char *restrict path, struct stat *restrict status) {
  REAL(lstat);
  CALL("lstat", int, -1, counted(AT_FDCWD, path), NULL, real(path, status));
}
int lstat64(const char *restrict path, struct stat64 *restrict status) {
  REAL(lstat64);
  CALL("lstat", int, -1, counted(AT_FDCWD, path), NULL, real(path, status));
}
int fstat(int file, struct stat *status) { REAL(fstat); CALL("fstat", int, -1, name_of(file), NULL, real(file, status)); }
int fstat64(int file, struct stat64 *status) { REAL(fstat64); CALL("fstat", int, -1, name_of(file), NULL, real(file, status)); }
int statx(int folder, const char *restrict path, int flags, unsigned mask, struct statx *restrict status) {
  REAL(statx);
  CALL("statx", int, -1, counted(folder, path), NULL, real(folder, path, flags, mask, status));
}
int statvfs(const char *restrict path, struct statvfs *restrict status) {
  REAL(statvfs);
  CALL("statvfs", int, -1, counted(AT_FDCWD, path), NULL, real(path, status));
}
int access(const char *path, int kind) { REAL(access); CALL("access", int, -1, counted(AT_FDCWD, path), NULL, real(path, kind)); }
int faccessat(int folder, const char *path, int kind, int flags) {
  REAL(faccessat);
  CALL("access", int, -1, counted(folder, path), NULL, real(folder, path, kind, flags));
}
ssize_t readlink(const char *restrict path, char *restrict bytes, size_t size) {
  REAL(readlink);
  CALL("readlink", ssize_t, -1, counted(AT_FDCWD, path), NULL, real(path, bytes, size));
}
DIR *opendir(const char *path) { REAL(opendir); CALL("opendir", DIR *, NULL, counted(AT_FDCWD, path), NULL, real(path)); }

int mkdir(const char *path, mode_t mode) { REAL(mkdir); CALL("mkdir", int, -1, counted(AT_FDCWD, path), NULL, real(path, mode)); }
int rmdir(const char *path) { REAL(rmdir); CALL("rmdir", int, -1, counted(AT_FDCWD, path), NULL, real(path)); }
int unlink(const char *path) { REAL(unlink); CALL("unlink", int, -1, counted(AT_FDCWD, path), NULL, real(path)); }
int chmod(const char *path, mode_t mode) { REAL(chmod); CALL("chmod", int, -1, counted(AT_FDCWD, path), NULL, real(path, mode)); }
int rename(const char *path, const char *other) {
  REAL(rename);
  CALL("rename", int, -1, counted(AT_FDCWD, other), path, real(path, other));
}
int renameat2(int folder, const char *path, int second, const char *other, unsigned flags) {
  REAL(renameat2);
  CALL("rename", int, -1, counted(second, other), path, real(folder, path, second, other, flags));
}
int link(const char *path, const char *other) {
  REAL(link);
  CALL("link", int, -1, counted(AT_FDCWD, other), path, real(path, other));
}
char *mkdtemp(char *path) { REAL(mkdtemp); CALL("mkdir", char *, NULL, counted(AT_FDCWD, path), NULL, real(path)); }

int fchmod(int file, mode_t mode) { REAL(fchmod); CALL("fchmod", int, -1, name_of(file), NULL, real(file, mode)); }
int fchown(int file, uid_t user, gid_t group) { REAL(fchown); CALL("fchown", int, -1, name_of(file), NULL, real(file, user, group)); }
int fsync(int file) { REAL(fsync); CALL("fsync", int, -1, name_of(file), NULL, real(file)); }
int fdatasync(int file) { REAL(fdatasync); CALL("fdatasync", int, -1, name_of(file), NULL, real(file)); }
int sync_file_range(int file, off64_t offset, off64_t length, unsigned flags) {
  REAL(sync_file_range);
  CALL("sync_file_range", int, -1, name_of(file), NULL, real(file, offset, length, flags));
}
int ftruncate(int file, off_t length) { REAL(ftruncate); CALL("ftruncate", int, -1, name_of(file), NULL, real(file, length)); }
int ftruncate64(int file, off64_t length) { REAL(ftruncate64); CALL("ftruncate", int, -1, name_of(file), NULL, real(file, length)); }
int flock(int file, int operation) {
  REAL(flock);
  CALL("flock", int, -1, operation & LOCK_UN ? NULL : name_of(file), NULL, real(file, operation));
}
void *mmap(void *at, size_t length, int protection, int flags, int file, off_t offset) {
  REAL(mmap);
  CALL("mmap", void *, MAP_FAILED, name_of(file), NULL, real(at, length, protection, flags, file, offset));
}
void *mmap64(void *at, size_t length, int protection, int flags, int file, off64_t offset) {
  REAL(mmap64);
  CALL("mmap", void *, MAP_FAILED, name_of(file), NULL, real(at, length, protection, flags, file, offset));
}

ssize_t read(int file, void *bytes, size_t size) {
  REAL(read);
  MOVE("read", file, size, real(file, bytes, part), real(file, bytes, size));
}
ssize_t write(int file, const void *bytes, size_t size) {
  REAL(write);
  MOVE("write", file, size, real(file, bytes, part), real(file, bytes, size));
}
ssize_t pread(int file, void *bytes, size_t size, off_t offset) {
  REAL(pread);
  MOVE("pread", file, size, real(file, bytes, part, offset), real(file, bytes, size, offset));
}
ssize_t pread64(int file, void *bytes, size_t size, off64_t offset) {
  REAL(pread64);
  MOVE("pread", file, size, real(file, bytes, part, offset), real(file, bytes, size, offset));
}
ssize_t pwrite(int file, const void *bytes, size_t size, off_t offset) {
  REAL(pwrite);
  MOVE("pwrite", file, size, real(file, bytes, part, offset), real(file, bytes, size, offset));
}
ssize_t pwrite64(int file, const void *bytes, size_t size, off64_t offset) {
  REAL(pwrite64);
  MOVE("pwrite", file, size, real(file, bytes, part, offset), real(file, bytes, size, offset));
}
ssize_t sendfile(int file, int source, off_t *offset, size_t size) {
  REAL(sendfile);
  MOVE("sendfile", file, size, real(file, source, offset, part), real(file, source, offset, size));
}
