/*
 * The yardstick of the back end `live`: one fixed frame, sent again and again by an XDP program of four instructions
 * that redirects the packet of each run (BPF_F_TEST_XDP_LIVE_FRAMES, Linux 5.18). Nothing is computed between two.
 *
 *   live-frames INTERFACE DESTINATION_MAC SOURCE_IP DESTINATION_IP PACKETS
 */
#define _GNU_SOURCE
#include <linux/bpf.h>
#include <net/if.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "fixed-frame.h"

/* BPF_F_TEST_XDP_LIVE_FRAMES and the field batch_size are newer than some headers. */
enum { LIVE_FRAMES = 2, BATCH = 64, REDIRECT = 23, ATTRIBUTE_BYTES = 128 };

struct live_run {
  uint32_t program, result, in_bytes, out_bytes;
  uint64_t in, out;
  uint32_t repeat, duration, context_in_bytes, context_out_bytes;
  uint64_t context_in, context_out;
  uint32_t flags, cpu, batch;
};

static int load(const char *interface) {
  struct bpf_insn program[] = {
      {.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = 1, .imm = (int)if_nametoindex(interface)},
      {.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = 2},
      {.code = BPF_JMP | BPF_CALL, .imm = REDIRECT},
      {.code = BPF_JMP | BPF_EXIT},
  };
  union bpf_attr attribute = {.prog_type = BPF_PROG_TYPE_XDP};
  attribute.insns = (uintptr_t)program;
  attribute.insn_cnt = sizeof program / sizeof *program;
  attribute.license = (uintptr_t) "GPL";
  return (int)syscall(SYS_bpf, BPF_PROG_LOAD, &attribute, sizeof attribute);
}

int main(int count, char **arguments) {
  if (count != 6) {
    fprintf(stderr, "usage: live-frames INTERFACE DESTINATION_MAC SOURCE_IP DESTINATION_IP PACKETS\n");
    return 2;
  }
  struct frame frame = make_frame(arguments);
  struct xdp_md context = {.data_end = sizeof frame};
  int program = load(arguments[1]);
  if (program < 0) fail("BPF_PROG_LOAD");
  union {
    struct live_run run;
    char bytes[ATTRIBUTE_BYTES];
  } attribute = {.run = {.program = (uint32_t)program,
                         .in_bytes = sizeof frame,
                         .in = (uintptr_t)&frame,
                         .repeat = (uint32_t)atol(arguments[5]),
                         .context_in_bytes = sizeof context,
                         .context_in = (uintptr_t)&context,
                         .flags = LIVE_FRAMES,
                         .batch = BATCH}};
  if (syscall(SYS_bpf, BPF_PROG_TEST_RUN, &attribute, sizeof attribute) != 0) fail("BPF_PROG_TEST_RUN");
  return 0;
}
