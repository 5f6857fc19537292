/**
 * Every metric of an agent, in the order of docs/reference/agent-metrics.md, which is made from this: its name without
 * `vantage_agent_` (and `_total`, which counters have), what it is, and its labels besides `agent`.
 */

interface MetricMeaning {
  readonly help: string;
  /** Goes up and down; all others only grow. */
  readonly isGauge?: true;
  readonly labels?: readonly string[];
}

const ofSender = { labels: ["instance"] };
const ofReceiver = { labels: ["interface"] };
const isGauge = true as const;

export const metricMeanings: Readonly<Record<string, MetricMeaning>> = {
  sender_read: { help: "Probes that a sender has taken off its ring", ...ofSender },
  sender_sent: { help: "Packets that the kernel has taken", ...ofSender },
  sender_bytes: {
    help: "Bytes of these packets, with their Ethernet headers where they have one",
    ...ofSender,
  },
  sender_failed: {
    help: "Packets that could not be sent: no route, no answer of the next hop, refused by the kernel",
    labels: ["instance", "reason"],
  },
  sender_dropped: {
    help: "Packets that driver or program dropped after they were taken (xdp)",
    ...ofSender,
  },
  sender_retries: { help: "Sends made again because the device's queue was full", ...ofSender },
  sender_dry: { help: "Packets that a dry run would have sent", ...ofSender },
  sender_cancelled: {
    help: "Probes taken off the ring unsent, their measurement being cancelled",
    ...ofSender,
  },
  sender_tcp_forgotten: {
    help: "TCP probes that left and are not remembered, there being too many: answers to them count as unproven",
    ...ofSender,
  },
  sender_not_recorded: {
    help: "Packets sent for a recorded measurement that are not in its file, because the copies were not read in time",
    ...ofSender,
  },
  sender_filtered: {
    help: "Probes left unsent because of min_ttl or max_ttl",
    labels: ["instance", "filter"],
  },
  probes_queued: { help: "Probes given to a sender's ring", ...ofSender },
  probes_pending: { help: "Probes in a sender's ring now", ...ofSender, isGauge },
  probing_rate: { help: "Packets a second that the instance may send now", ...ofSender, isGauge },
  instance_paused: { help: "1 while the operator has paused the instance", ...ofSender, isGauge },
  capture_received: { help: "Packets that passed the capture's filter", ...ofReceiver },
  capture_frames: { help: "Packets that were read from the capture", ...ofReceiver },
  capture_dropped: {
    help: "Packets that the kernel dropped, the capture's buffer being full",
    ...ofReceiver,
  },
  capture_interface_dropped: { help: "Packets that the interface dropped", ...ofReceiver },
  reply_matched: { help: "Answers to the agent's own probes, or those of anycast_peers", ...ofReceiver },
  reply_of_peer: { help: "The part of them that answers probes of another agent or instance", ...ofReceiver },
  capture_not_recorded: {
    help: "Replies to a recorded measurement that are not in its file, because the copies were not read in time",
    ...ofReceiver,
  },
  reply_mismatch: { help: "Integrity failures: ICMP whose tag does not fit", ...ofReceiver },
  reply_untagged: { help: "ICMP that quotes too little to hold any of a tag", ...ofReceiver },
  reply_tcp_unproven: {
    help: "Answers to TCP that fit no probe of this agent's last 6.5 s: of the host's own connections; dropped",
    ...ofReceiver,
  },
  reply_stale: {
    help: "Answers that came too late for a known round-trip time; dropped",
    ...ofReceiver,
  },
  reply_foreign: { help: "Answers to probes from addresses that are not ours", ...ofReceiver },
  receiver_refused: { help: "Packets that are not an answer to a probe", labels: ["interface", "reason"] },
  reply_bad_checksum: {
    help: "Replies whose own ICMP checksum is wrong; they are kept, as their tag fits",
    ...ofReceiver,
  },
  labels_lost: {
    help: "Replies with MPLS labels that could not be read, or not all of them",
    labels: ["interface", "reason"],
  },
  sites_lost: {
    help: "Name servers' answers whose site's name cannot be read, or is longer than what is kept of it",
    labels: ["interface", "reason"],
  },
  reply_ring_full: { help: "Times that a receiver waited because its replies were not read", ...ofReceiver },
  records_taken: { help: "Records of the broker whose probes were all given to senders" },
  records_foreign: { help: "Records for other agents" },
  records_bad: { help: "Records that cannot be read; set aside in refused-records.ndjson" },
  records_refused: { help: "Records with a source that is not ours; set aside in refused-records.ndjson" },
  records_expired: { help: "Records found after their not_after" },
  records_cancelled: { help: "Records of cancelled measurements" },
  records_repeated: { help: "Records whose probes had all left before" },
  record_bytes: { help: "Bytes of the records that were read" },
  probes_read: { help: "Probes in the records that were read" },
  probes_expired: { help: "Probes left unsent because not_after had passed" },
  probes_cancelled: { help: "Probes left unsent because their measurement was cancelled" },
  probes_repeated: { help: "Probes skipped because they had been sent before" },
  probes_held: {
    help: "Probes that waited because their destination was at its rate limit (`agent.address_rate`)",
  },
  probes_blocked: { help: "Probes to destinations that must not be probed" },
  probes_without_source: { help: "Probes of a family that no instance, or not the wanted source, has" },
  measurements_ended: { help: "Measurements whose last record was done" },
  measurements_refused_by_host: {
    help: "Measurements ended because the agent's host did not let it send: paused, outside its hours, at its limit",
  },
  measurements_forgotten: { help: "Measurements forgotten before their time, there being too many" },
  commits: { help: "Offsets committed to the broker" },
  commit_failures: { help: "Commits that the broker did not take" },
  journal_failures: { help: "Writes of progress to the state folder that failed: a crash may repeat probes" },
  destination_lists_bad: {
    help: "Lists of destinations that could not be read; the previous ones stay active",
  },
  lag_records: { help: "Records in the broker that are not committed yet", isGauge },
  consumer_away: { help: "1 while the broker cannot be read from", isGauge },
  replies_taken: { help: "Replies taken off the receivers' rings" },
  replies_rescued: { help: "Replies left in memory by a killed agent, recovered at the start" },
  replies_published: { help: "Replies that the broker has acknowledged" },
  reply_records_published: { help: "Records (Kafka messages) of replies that the broker has acknowledged" },
  reply_bytes_published: { help: "Bytes of those records" },
  replies_unattributed: { help: "Replies without a known measurement" },
  replies_discarded: { help: "Replies not published, kafka.out_enable being false" },
  replies_dropped: { help: "Replies lost: refused by the broker as too large" },
  publish_failures: { help: "Calls that the broker did not accept; they are repeated" },
  spool_bytes: { help: "Bytes of replies that wait on disk now", isGauge },
  spool_full: { help: "Times that the spool was full, and senders paused" },
  spool_full_now: { help: "1 while senders wait for room in the spool", isGauge },
  producer_away: { help: "1 while the broker cannot be written to", isGauge },
  gateway_requests: { help: "Requests to the gateway" },
  gateway_failures: { help: "Requests without a usable answer" },
  gateway_refusals: { help: "Answers that refuse the agent's key or id" },
  gateway_health_reports: { help: "Reports of health that the gateway took" },
  gateway_progress_reports: { help: "Reports of progress that the gateway took" },
  gateway_progress_forgotten: { help: "Reports of progress dropped for newer ones, too many waiting" },
  gateway_config_posts: { help: "Times that the active configuration was posted" },
  gateway_blocklist_fetches: { help: "Times that the gateway's list of destinations was fetched" },
  gateway_recordings: { help: "Recordings of packets that the gateway took" },
  gateway_recordings_refused: { help: "Recordings of packets that the gateway refused; they are gone" },
  recordings_refused: {
    help: "Measurements whose packets were requested but not kept, because too many others were being recorded",
  },
  recordings_dropped: { help: "Recordings given up for newer ones, too many waiting for the gateway" },
  recording_packets_dropped: { help: "Packets of recorded measurements whose file could not be made" },
  gateway_orders: { help: "Changed orders of the gateway" },
  gateway_away: { help: "1 while the gateway cannot be reached, or does not accept this agent", isGauge },
  gateway_clock_offset_ms: { help: "The gateway's clock minus ours, in milliseconds", isGauge },
  worker_up: { help: "1 while the thread runs", labels: ["worker"], isGauge },
  clock_steps: { help: "Times that the clock was set by a step" },
  kill_switch: { help: "1 while SIGUSR2 has stopped all sending", isGauge },
  killed: { help: "1 while the gateway has stopped all sending", isGauge },
  paused: { help: "1 while the gateway has paused this agent", isGauge },
  held_by_host: { help: "1 while the agent's host does not let it send: vantage agent status", isGauge },
  disk_free_bytes: {
    help: "Room left on the disk of the state folder; NaN while it cannot be seen",
    isGauge,
  },
  disk_size_bytes: { help: "Size of that disk", isGauge },
};
