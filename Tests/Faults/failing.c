// Makes one call of a program fail, or the power, for LD_PRELOAD on Linux:
//
// FAILING_CALL     `write 17 28`: the 17th write fails with the error number 28; `power 17`: the process
//                  is killed before the 17th change of a file
// FAILING_FOLDER   the folder whose files it applies to
// FAILING_REPORT   a file that is created when the call has failed
// FAILING_BEFORE   with `power`, a folder for the contents of files at their last sync, by inode
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static char call[16];
static long place;
static int failure;
static const char *folder, *report, *before;
static atomic_long count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

__attribute__((constructor)) static void read_environment(void) {
  const char *text = getenv("FAILING_CALL");
  folder = getenv("FAILING_FOLDER");
  report = getenv("FAILING_REPORT");
  before = getenv("FAILING_BEFORE");
  if (text && folder && report) sscanf(text, "%15s %ld %d", call, &place, &failure);
}

// System calls, which do not count.
static int raw_open(const char *path, int flags) { return (int)syscall(SYS_openat, AT_FDCWD, path, flags, 0600); }

static bool is_below(const char *path) {
  size_t length = folder ? strlen(folder) : 0;
  return length && strncmp(path, folder, length) == 0 && path[length] == '/';
}

static bool holds(int file) {
  char link[64], path[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  long length = syscall(SYS_readlink, link, path, sizeof path - 1);
  if (length <= 0) return false;
  path[length] = 0;
  return is_below(path);
}

static bool names(int at, const char *name) {
  if (name[0] == '/') return is_below(name);
  if (at != AT_FDCWD) return holds(at);
  char path[PATH_MAX];
  return syscall(SYS_getcwd, path, sizeof path - 1) > 0 && is_below(strcat(path, "/"));
}

static bool fails(const char *kind) {
  if (strcmp(call, kind) != 0 || atomic_fetch_add(&count, 1) + 1 != place) return false;
  syscall(SYS_close, raw_open(report, O_WRONLY | O_CREAT | O_CLOEXEC));
  if (strcmp(call, "power") == 0) syscall(SYS_kill, (pid_t)syscall(SYS_getpid), SIGKILL);
  errno = failure;
  return true;
}

static void image_path(ino_t inode, char *path) { snprintf(path, PATH_MAX, "%s/%lu", before, (unsigned long)inode); }

// Keeps the contents that a file had at its last sync, unless they are kept already; then counts the change.
static void changes(int file) {
  struct stat status;
  if (strcmp(call, "power") != 0 || syscall(SYS_fstat, file, &status) != 0 || !S_ISREG(status.st_mode) || !holds(file)) return;
  pthread_mutex_lock(&lock);
  char path[PATH_MAX], link[64], bytes[65536];
  image_path(status.st_ino, path);
  int image = raw_open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC);
  if (image >= 0) {
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    int copy = raw_open(link, O_RDONLY | O_CLOEXEC);
    long length;
    while ((length = syscall(SYS_read, copy, bytes, sizeof bytes)) > 0) syscall(SYS_write, image, bytes, length);
    syscall(SYS_close, copy);
    syscall(SYS_close, image);
  }
  fails("power");
  pthread_mutex_unlock(&lock);
}

// Drops the contents of a file that is safe now, or gone.
static void forget(const struct stat *status) {
  char path[PATH_MAX];
  image_path(status->st_ino, path);
  syscall(SYS_unlink, path);
}

static void forget_path(int at, const char *path) {
  struct stat status;
  if (before && syscall(SYS_newfstatat, at, path, &status, AT_SYMLINK_NOFOLLOW) == 0 && status.st_nlink == 1) forget(&status);
}

#define REAL(name) static __typeof__(&name) real; if (!real) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

static int open_at(int at, const char *path, int flags, mode_t mode) {
  if (names(at, path)) {
    if (fails("open")) return -1;
    if (flags & O_TRUNC) {
      int file = (int)syscall(SYS_openat, at, path, O_RDONLY | O_CLOEXEC);
      if (file >= 0) changes(file);
      syscall(SYS_close, file);
    }
  }
  return (int)syscall(SYS_openat, at, path, flags, mode);
}

#define MODE(flags)                                         \
  mode_t mode = 0;                                          \
  if ((flags) & O_CREAT || ((flags) & O_TMPFILE) == O_TMPFILE) { \
    va_list arguments;                                      \
    va_start(arguments, flags);                             \
    mode = va_arg(arguments, mode_t);                       \
    va_end(arguments);                                      \
  }

int open(const char *path, int flags, ...) { MODE(flags) return open_at(AT_FDCWD, path, flags, mode); }
int open64(const char *path, int flags, ...) { MODE(flags) return open_at(AT_FDCWD, path, flags, mode); }
int openat(int at, const char *path, int flags, ...) { MODE(flags) return open_at(at, path, flags, mode); }
int openat64(int at, const char *path, int flags, ...) { MODE(flags) return open_at(at, path, flags, mode); }

ssize_t read(int file, void *bytes, size_t length) {
  REAL(read);
  return holds(file) && fails("read") ? -1 : real(file, bytes, length);
}
ssize_t pread(int file, void *bytes, size_t length, off_t offset) {
  REAL(pread);
  return holds(file) && fails("read") ? -1 : real(file, bytes, length, offset);
}
ssize_t pread64(int file, void *bytes, size_t length, off64_t offset) {
  REAL(pread64);
  return holds(file) && fails("read") ? -1 : real(file, bytes, length, offset);
}

#define WRITING(file) (changes(file), holds(file) && fails("write"))

ssize_t write(int file, const void *bytes, size_t length) {
  REAL(write);
  return WRITING(file) ? -1 : real(file, bytes, length);
}
ssize_t writev(int file, const struct iovec *parts, int length) {
  REAL(writev);
  return WRITING(file) ? -1 : real(file, parts, length);
}
ssize_t pwrite(int file, const void *bytes, size_t length, off_t offset) {
  REAL(pwrite);
  return WRITING(file) ? -1 : real(file, bytes, length, offset);
}
ssize_t pwrite64(int file, const void *bytes, size_t length, off64_t offset) {
  REAL(pwrite64);
  return WRITING(file) ? -1 : real(file, bytes, length, offset);
}
int ftruncate(int file, off_t length) {
  REAL(ftruncate);
  return WRITING(file) ? -1 : real(file, length);
}
int ftruncate64(int file, off64_t length) {
  REAL(ftruncate64);
  return WRITING(file) ? -1 : real(file, length);
}

static int synced(int file, int (*real)(int)) {
  if (holds(file) && fails("sync")) return -1;
  int result = real(file);
  struct stat status;
  if (result == 0 && before && fstat(file, &status) == 0) forget(&status);
  return result;
}
int fsync(int file) {
  REAL(fsync);
  return synced(file, real);
}
int fdatasync(int file) {
  REAL(fdatasync);
  return synced(file, real);
}

int renameat(int from_at, const char *from, int at, const char *path) {
  if (names(at, path) && fails("rename")) return -1;
  if (names(at, path)) fails("power");
  forget_path(at, path);
  return (int)syscall(SYS_renameat, from_at, from, at, path);
}
int rename(const char *from, const char *path) { return renameat(AT_FDCWD, from, AT_FDCWD, path); }
int unlink(const char *path) {
  if (names(AT_FDCWD, path) && fails("rename")) return -1;
  if (names(AT_FDCWD, path)) fails("power");
  forget_path(AT_FDCWD, path);
  return (int)syscall(SYS_unlink, path);
}

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);

static bool lacks(size_t size) { return size >= 1 << 20 && fails("malloc"); }

void *malloc(size_t size) { return lacks(size) ? NULL : __libc_malloc(size); }
void *calloc(size_t number, size_t size) { return lacks(number * size) ? NULL : __libc_calloc(number, size); }
void *realloc(void *bytes, size_t size) { return lacks(size) ? NULL : __libc_realloc(bytes, size); }

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument) {
  REAL(pthread_create);
  return fails("thread") ? failure : real(thread, attributes, start, argument);
}
