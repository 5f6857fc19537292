/*
 * The yardstick of `npm run bench send`: one fixed frame, sent again and again by sendmmsg(2) from a packet socket
 * with the options that our own back end uses. Nothing is computed between two packets.
 *
 *   sendmmsg INTERFACE DESTINATION_MAC SOURCE_IP DESTINATION_IP PACKETS
 *
 * Ethernet | IPv4 20 | UDP 8 | 26 bytes of payload: as long as a probe of ours with TTL 16. No checksums.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <net/ethernet.h>
#include <net/if.h>
#include <netinet/ether.h>
#include <netinet/ip.h>
#include <netinet/udp.h>
#include <netpacket/packet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

enum { BATCH = 256, PAYLOAD_BYTES = 26, SEND_BUFFER_BYTES = 1 << 20 };

struct frame {
  struct ether_header ethernet;
  struct iphdr ip;
  struct udphdr udp;
  char payload[PAYLOAD_BYTES];
} __attribute__((packed));

static void fail(const char *action) {
  perror(action);
  exit(1);
}

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

static struct frame make_frame(char **arguments) {
  struct frame frame = {0};
  struct ether_addr *mac = ether_aton(arguments[2]);
  if (mac == NULL) fail("ether_aton");
  memcpy(frame.ethernet.ether_dhost, mac, sizeof *mac);
  frame.ethernet.ether_type = htons(ETHERTYPE_IP);
  frame.ip.version = 4;
  frame.ip.ihl = 5;
  frame.ip.tot_len = htons(sizeof frame - sizeof frame.ethernet);
  frame.ip.ttl = 16;
  frame.ip.protocol = IPPROTO_UDP;
  frame.ip.saddr = inet_addr(arguments[3]);
  frame.ip.daddr = inet_addr(arguments[4]);
  frame.udp.source = htons(24000);
  frame.udp.dest = htons(33434);
  frame.udp.len = htons(sizeof frame.udp + PAYLOAD_BYTES);
  return frame;
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
