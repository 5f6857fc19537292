/*
 * The flooder of `npm run bench receive`: sends the packets of a pcap savefile (Ethernet, host byte order) again and
 * again by sendmmsg(2), as fast as it goes, as if they came from the router at the far end.
 *
 *   flood INTERFACE DESTINATION_MAC FILE PACKETS
 */
#define _GNU_SOURCE
#include <errno.h>
#include <net/ethernet.h>
#include <net/if.h>
#include <netinet/ether.h>
#include <netpacket/packet.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

enum { BATCH = 256, FRAMES_MAX = 65536, FILE_HEADER_BYTES = 24, SEND_BUFFER_BYTES = 1 << 20 };

struct record_header {
  uint32_t seconds, fraction, captured, length;
};

static void fail(const char *action) {
  perror(action);
  exit(1);
}

static char *read_file(const char *path, long *bytes) {
  FILE *file = fopen(path, "rb");
  if (file == NULL || fseek(file, 0, SEEK_END) != 0) fail(path);
  *bytes = ftell(file);
  rewind(file);
  char *content = malloc((size_t)*bytes);
  if (content == NULL || fread(content, 1, (size_t)*bytes, file) != (size_t)*bytes) fail(path);
  fclose(file);
  return content;
}

/* Points a vector to each packet; returns how many there are. */
static int find_frames(char *content, long bytes, const struct ether_addr *to, struct iovec *vectors) {
  int count = 0;
  long at = FILE_HEADER_BYTES;
  while (at + (long)sizeof(struct record_header) < bytes && count < FRAMES_MAX) {
    struct record_header header;
    memcpy(&header, content + at, sizeof header);
    at += (long)sizeof header;
    memcpy(content + at, to, sizeof *to);
    vectors[count++] = (struct iovec){.iov_base = content + at, .iov_len = header.captured};
    at += header.captured;
  }
  return count;
}

int main(int count, char **arguments) {
  if (count != 5) {
    fprintf(stderr, "usage: flood INTERFACE DESTINATION_MAC FILE PACKETS\n");
    return 2;
  }
  int fd = socket(AF_PACKET, SOCK_RAW, 0);
  if (fd < 0) fail("socket");
  struct sockaddr_ll address = {.sll_family = AF_PACKET, .sll_ifindex = (int)if_nametoindex(arguments[1])};
  if (bind(fd, (struct sockaddr *)&address, sizeof address) != 0) fail("bind");
  int bypass = 1, buffer_bytes = SEND_BUFFER_BYTES;
  if (setsockopt(fd, SOL_PACKET, PACKET_QDISC_BYPASS, &bypass, sizeof bypass) != 0) fail("PACKET_QDISC_BYPASS");
  if (setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &buffer_bytes, sizeof buffer_bytes) != 0) fail("SO_SNDBUF");
  struct ether_addr *mac = ether_aton(arguments[2]);
  if (mac == NULL) fail("ether_aton");
  static struct iovec vectors[FRAMES_MAX];
  long bytes = 0;
  char *content = read_file(arguments[3], &bytes);
  int frames = find_frames(content, bytes, mac, vectors);
  struct mmsghdr messages[BATCH];
  memset(messages, 0, sizeof messages);
  long left = atol(arguments[4]);
  for (int next = 0; left > 0;) {
    int batch = left < BATCH ? (int)left : BATCH;
    for (int i = 0; i < batch; i++) {
      messages[i].msg_hdr.msg_iov = &vectors[(next + i) % frames];
      messages[i].msg_hdr.msg_iovlen = 1;
    }
    int sent = sendmmsg(fd, messages, (unsigned)batch, 0);
    if (sent > 0) {
      left -= sent;
      next = (next + sent) % frames;
    } else if (errno != ENOBUFS && errno != EAGAIN && errno != EINTR) {
      fail("sendmmsg");
    }
  }
  return 0;
}
