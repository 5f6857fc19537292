/*
 * The yardstick of `npm run bench send`: one fixed frame, sent again and again by sendmmsg(2) from a packet socket
 * with the options that our own back end uses. Nothing is computed between two packets.
 *
 *   sendmmsg INTERFACE DESTINATION_MAC SOURCE_IP DESTINATION_IP PACKETS
 */
#define _GNU_SOURCE
#include <errno.h>
#include <net/if.h>
#include <netpacket/packet.h>
#include <sys/socket.h>

#include "fixed-frame.h"

enum { BATCH = 256, SEND_BUFFER_BYTES = 1 << 20 };

static int open_socket(const char *interface) {
  int fd = socket(AF_PACKET, SOCK_RAW, 0);
  if (fd < 0) fail("socket");
  struct sockaddr_ll address = {.sll_family = AF_PACKET, .sll_ifindex = (int)if_nametoindex(interface)};
  if (bind(fd, (struct sockaddr *)&address, sizeof address) != 0) fail("bind");
  int bypass = 1, bytes = SEND_BUFFER_BYTES;
  if (setsockopt(fd, SOL_PACKET, PACKET_QDISC_BYPASS, &bypass, sizeof bypass) != 0) fail("PACKET_QDISC_BYPASS");
  if (setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &bytes, sizeof bytes) != 0) fail("SO_SNDBUF");
  return fd;
}

int main(int count, char **arguments) {
  if (count != 6) {
    fprintf(stderr, "usage: sendmmsg INTERFACE DESTINATION_MAC SOURCE_IP DESTINATION_IP PACKETS\n");
    return 2;
  }
  int fd = open_socket(arguments[1]);
  struct frame frame = make_frame(arguments);
  struct iovec vectors[BATCH];
  struct mmsghdr messages[BATCH];
  memset(messages, 0, sizeof messages);
  for (int i = 0; i < BATCH; i++) {
    vectors[i] = (struct iovec){.iov_base = &frame, .iov_len = sizeof frame};
    messages[i].msg_hdr.msg_iov = &vectors[i];
    messages[i].msg_hdr.msg_iovlen = 1;
  }
  for (long left = atol(arguments[5]); left > 0;) {
    int sent = sendmmsg(fd, messages, left < BATCH ? (unsigned)left : BATCH, 0);
    if (sent > 0) left -= sent;
    else if (errno != ENOBUFS && errno != EAGAIN && errno != EINTR) fail("sendmmsg");
  }
  return 0;
}
