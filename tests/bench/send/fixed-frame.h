/*
 * The fixed frame of the C loops: Ethernet | IPv4 20 | UDP 8 | 26 bytes of payload, as long as a Vantage probe with
 * TTL 16; or of another length (-DPAYLOAD_BYTES).
 */
#include <arpa/inet.h>
#include <net/ethernet.h>
#include <netinet/ether.h>
#include <netinet/ip.h>
#include <netinet/udp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef PAYLOAD_BYTES
#define PAYLOAD_BYTES 26
#endif

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

/* Arguments of both programs: INTERFACE DESTINATION_MAC SOURCE_IP DESTINATION_IP PACKETS. No checksums. */
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
