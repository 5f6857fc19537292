/*
 * The yardstick of the back end `xdp`: one fixed frame, sent again and again by AF_XDP in copy mode on queue 0.
 * Nothing is computed between two packets.
 *
 *   af-xdp INTERFACE DESTINATION_MAC SOURCE_IP DESTINATION_IP PACKETS
 */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/if_xdp.h>
#include <net/if.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "fixed-frame.h"

/* XDP_MAX_TX_SKB_BUDGET, since Linux 6.17: newer than some headers. */
enum { BATCH = 256, ENTRIES = 1024, CHUNK_BYTES = 2048, MAX_TX_SKB_BUDGET = 9, BUSY_TRIES = 100 };

struct ring {
  uint32_t *producer, *consumer;
  void *entries;
};

static void set(int fd, int option, int value) {
  if (setsockopt(fd, SOL_XDP, option, &value, sizeof value) != 0) fail("setsockopt");
}

static struct ring map_ring(int fd, const struct xdp_ring_offset *at, off_t offset, size_t entry_bytes) {
  size_t bytes = at->desc + ENTRIES * entry_bytes;
  char *base = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, fd, offset);
  if (base == MAP_FAILED) fail("mmap");
  return (struct ring){(void *)(base + at->producer), (void *)(base + at->consumer), base + at->desc};
}

/* A queue that another process has just left stays busy for a moment. */
static void bind_queue(int fd, const char *interface) {
  struct sockaddr_xdp address = {
      .sxdp_family = AF_XDP, .sxdp_flags = XDP_COPY, .sxdp_ifindex = if_nametoindex(interface)};
  for (int tries = 0; bind(fd, (struct sockaddr *)&address, sizeof address) != 0; tries++) {
    if (errno != EBUSY || tries == BUSY_TRIES) fail("bind");
    usleep(10000);
  }
}

int main(int count, char **arguments) {
  if (count != 6) {
    fprintf(stderr, "usage: af-xdp INTERFACE DESTINATION_MAC SOURCE_IP DESTINATION_IP PACKETS\n");
    return 2;
  }
  int fd = socket(AF_XDP, SOCK_RAW, 0);
  if (fd < 0) fail("socket");
  struct frame frame = make_frame(arguments);
  char *memory = mmap(NULL, ENTRIES * CHUNK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) fail("mmap");
  for (int i = 0; i < ENTRIES; i++) memcpy(memory + i * CHUNK_BYTES, &frame, sizeof frame);
  struct xdp_umem_reg umem = {.addr = (uintptr_t)memory, .len = ENTRIES * CHUNK_BYTES, .chunk_size = CHUNK_BYTES};
  if (setsockopt(fd, SOL_XDP, XDP_UMEM_REG, &umem, sizeof umem) != 0) fail("XDP_UMEM_REG");
  set(fd, XDP_UMEM_FILL_RING, 64);
  set(fd, XDP_UMEM_COMPLETION_RING, ENTRIES);
  set(fd, XDP_TX_RING, ENTRIES);
  int budget = BATCH;
  setsockopt(fd, SOL_XDP, MAX_TX_SKB_BUDGET, &budget, sizeof budget);
  struct xdp_mmap_offsets at;
  socklen_t bytes = sizeof at;
  if (getsockopt(fd, SOL_XDP, XDP_MMAP_OFFSETS, &at, &bytes) != 0) fail("XDP_MMAP_OFFSETS");
  struct ring tx = map_ring(fd, &at.tx, XDP_PGOFF_TX_RING, sizeof(struct xdp_desc));
  struct ring done = map_ring(fd, &at.cr, XDP_UMEM_PGOFF_COMPLETION_RING, sizeof(uint64_t));
  bind_queue(fd, arguments[1]);

  struct xdp_desc *descriptors = tx.entries;
  uint32_t put = 0, total = (uint32_t)atol(arguments[5]);
  uint32_t given_back = 0;
  while (given_back != total) {
    given_back = __atomic_load_n(done.producer, __ATOMIC_ACQUIRE);
    __atomic_store_n(done.consumer, given_back, __ATOMIC_RELEASE);
    uint32_t left = total - put, room = ENTRIES - (put - given_back);
    uint32_t batch = left < BATCH ? left : BATCH;
    for (uint32_t i = 0; i < batch && batch <= room; i++, put++) {
      uint32_t slot = put % ENTRIES;
      descriptors[slot] = (struct xdp_desc){.addr = slot * CHUNK_BYTES, .len = sizeof frame};
    }
    __atomic_store_n(tx.producer, put, __ATOMIC_RELEASE);
    sendto(fd, NULL, 0, MSG_DONTWAIT, NULL, 0);
  }
  return 0;
}
