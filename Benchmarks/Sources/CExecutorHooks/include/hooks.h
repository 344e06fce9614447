#pragma once

#include <stdint.h>

// Hooks that the Swift runtime calls, if they are set, instead of its executors.
extern void (*swift_task_enqueueGlobal_hook)(void *job, void *original);
extern void (*swift_task_enqueueMainExecutor_hook)(void *job, void *original);
extern void (*swift_task_enqueueGlobalWithDelay_hook)(uint64_t delay, void *job, void *original);

/// Hands each job that is due to `enqueue`, and each delayed one to `enqueue_later`.
static inline void replace_executors(
    void (*enqueue)(void *job, void *original),
    void (*enqueue_later)(uint64_t delay, void *job, void *original)) {
  swift_task_enqueueGlobal_hook = enqueue;
  swift_task_enqueueMainExecutor_hook = enqueue;
  swift_task_enqueueGlobalWithDelay_hook = enqueue_later;
}
