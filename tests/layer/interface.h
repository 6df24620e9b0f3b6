/* What tests in the same process can ask of the layer; found by dlsym. */
#ifndef ANYCL_TEST_LAYER_INTERFACE_H
#define ANYCL_TEST_LAYER_INTERFACE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct anycl_layer_counts {
  uint64_t calls;  /* of the application */
  uint64_t failed; /* of these, calls that a rule refused */
  uint64_t late;   /* of these, calls after shutdown or from inside a callback */
  int64_t contexts, queues, buffers, samplers, programs, kernels, events; /* handles that are there now */
};

void anycl_layer_report(struct anycl_layer_counts* counts);

/* Puts other rules in force; all counting of calls by rules starts anew. Returns 0, or -1 and what is wrong with them
   in `message` (cut to `size` bytes with its NUL): then nothing has changed. */
int anycl_layer_rules(const char* rules, char* message, size_t size);

/* The rules in force, as they were given. */
const char* anycl_layer_rules_text(void);

/* Every call from here on is late (1), or no longer (0). */
void anycl_layer_mark_shutdown(int on);

#ifdef __cplusplus
}
#endif

#endif
