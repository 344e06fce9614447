// Tells ThreadSanitizer of the locks of Swift's Mutex that are waited for: these are taken and released
// within the standard library, where it does not see them. For LD_PRELOAD.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))

typedef SWIFT void LockSlow(uint32_t thread, SELF void *mutex);
typedef SWIFT void UnlockSlow(SELF void *mutex);

static LockSlow *original_lock;
static UnlockSlow *original_unlock;
static void (*acquire)(void *);
static void (*release)(void *);

// Synchronization._MutexHandle._lockSlow(Swift.UInt32) -> ()
#define LOCK_SLOW "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
// Synchronization._MutexHandle._unlockSlow() -> ()
#define UNLOCK_SLOW "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

__attribute__((constructor)) static void find(void) {
  original_lock = (LockSlow *)dlsym(RTLD_NEXT, LOCK_SLOW);
  original_unlock = (UnlockSlow *)dlsym(RTLD_NEXT, UNLOCK_SLOW);
  acquire = (void (*)(void *))dlsym(RTLD_DEFAULT, "__tsan_acquire");
  release = (void (*)(void *))dlsym(RTLD_DEFAULT, "__tsan_release");
}

LockSlow lock_slow __asm__(LOCK_SLOW);
SWIFT void lock_slow(uint32_t thread, SELF void *mutex) {
  original_lock(thread, mutex);
  if (acquire) acquire(mutex);
}

UnlockSlow unlock_slow __asm__(UNLOCK_SLOW);
SWIFT void unlock_slow(SELF void *mutex) {
  if (release) release(mutex);
  original_unlock(mutex);
}
