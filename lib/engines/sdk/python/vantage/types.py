"""Rows, responses and bodies. Made by `npm run generate`; do not edit."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict

__all__ = [
    "Agent",
    "Alert",
    "Campaign",
    "CampaignDetail",
    "CampaignEstimate",
    "CampaignMade",
    "CampaignOrder",
    "CampaignRun",
    "Cancelled",
    "CatchmentRow",
    "ChangesRow",
    "GraphRow",
    "HeatmapRow",
    "Limits",
    "LinkRow",
    "LossRow",
    "Me",
    "Measurement",
    "MeasurementStatus",
    "MtuRow",
    "MultipathRow",
    "NodeRow",
    "PacketFile",
    "PathRow",
    "PingRow",
    "ProbeRow",
    "ReplyRow",
    "SeriesRow",
    "SiteRow",
    "Submitted",
    "Token",
    "TokenMade",
    "TokenOrder",
    "TraceRow",
    "TrendRow",
    "UserPrefixes",
]


class Me(TypedDict):
    user_id: float
    user_hash: str
    name: str | None
    submission_count: float
    last_submitted: str | None
    used: float
    limit: float


class UserPrefixesAgentPrefixe(TypedDict):
    agent_prefix: str
    user_prefix: str


class UserPrefixesAgent(TypedDict):
    agent_id: str
    prefixes: list[UserPrefixesAgentPrefixe]


class UserPrefixes(TypedDict):
    user_id: float
    agents: list[UserPrefixesAgent]


class LimitsProbesPerDay(TypedDict):
    limit: float
    used: float
    remaining: float
    resets_in_seconds: float


class LimitsStoredBytes(TypedDict):
    limit: float
    used: float
    remaining: float


class LimitsDestinationPacketsPerSecond(TypedDict):
    address_by_user: float
    address: float
    network: float


class Limits(TypedDict):
    probes_per_day: LimitsProbesPerDay
    submission_bytes_per_day: LimitsProbesPerDay
    stored_bytes: LimitsStoredBytes
    sql_seconds_per_day: LimitsProbesPerDay
    submissions_per_minute: float
    prefix_probes_per_day: float
    destination_packets_per_second: LimitsDestinationPacketsPerSecond
    probes_per_submission: float
    agents_per_submission: float
    json_body_bytes: float
    stream_body_bytes: float
    submissions_at_once: float
    idempotency_key_characters: float
    page_rows: float
    retention_days: float


class AgentConfig(TypedDict):
    name: NotRequired[str | None]
    batch_size: NotRequired[int]
    instance_id: NotRequired[int]
    dry_run: NotRequired[bool]
    min_ttl: NotRequired[int | None]
    max_ttl: NotRequired[int | None]
    integrity_check: NotRequired[bool]
    interface: NotRequired[str]
    src_ipv4_prefix: NotRequired[Literal[""] | str | None]
    src_ipv6_prefix: NotRequired[Literal[""] | str | None]
    packets: NotRequired[int]
    probing_rate: NotRequired[int]
    rate_limiting_method: NotRequired[str]
    paused: NotRequired[bool]
    config_version: NotRequired[int | None]


class AgentHealthDetailsCapture(TypedDict):
    state: Literal["running", "degraded", "down"]
    received: int
    dropped: int


class AgentHealthDetailsQueue(TypedDict):
    name: str
    depth: int
    depth_max: int


class AgentHealthDetailsClock(TypedDict):
    offset_ms: float | None
    within_ms: NotRequired[float | None]
    steps: int


class AgentHealthDetailsBroker(TypedDict):
    readable: bool
    writable: bool
    lag_records: int | None
    spool_bytes: int


class AgentHealthDetailsRefused(TypedDict):
    instance: str
    key: str
    reason: str


class AgentHealthDetails(TypedDict):
    version: NotRequired[str]
    started_at: NotRequired[str]
    report_interval_ms: NotRequired[int]
    config_version: NotRequired[int]
    blocklist_version: NotRequired[str | None]
    sends_shapes: NotRequired[bool]
    allows_dns: NotRequired[bool]
    paused: NotRequired[bool]
    killed: NotRequired[bool]
    held_by_host: NotRequired[str | None]
    capture: NotRequired[AgentHealthDetailsCapture]
    queues: NotRequired[list[AgentHealthDetailsQueue]]
    drops: NotRequired[dict[str, int]]
    clock: NotRequired[AgentHealthDetailsClock]
    broker: NotRequired[AgentHealthDetailsBroker]
    refused: NotRequired[list[AgentHealthDetailsRefused]]


class AgentHealth(TypedDict):
    healthy: bool
    last_check: str | None
    message: str | None
    received_at: str | None
    details: NotRequired[AgentHealthDetails | None]


class Agent(TypedDict):
    id: str
    config: list[AgentConfig] | None
    health: AgentHealth | None
    last_seen: str
    online: bool
    paused: bool
    held_by_host: str | None
    location: str | None
    country: str | None
    asn: float | None
    tags: list[str]


class SubmittedAgent(TypedDict):
    id: str
    ip_address: NotRequired[str | None]


class SubmittedRejected(TypedDict):
    id: str
    ip_address: str | None
    reason: str


class SubmittedShape(TypedDict):
    size_bytes: NotRequired[int]
    dont_fragment: NotRequired[bool]
    traffic_class: NotRequired[int]
    flow_label: NotRequired[int]
    dns: NotRequired[Literal["hostname.bind", "id.server", "nsid"]]


class SubmittedSelection(TypedDict):
    selector: str
    agents: list[str]
    matching: float


class Submitted(TypedDict):
    measurement_id: str
    id: str
    probes: float
    agents: list[SubmittedAgent]
    rejected: list[SubmittedRejected]
    request_id: NotRequired[str]
    shape: NotRequired[SubmittedShape]
    selections: NotRequired[list[SubmittedSelection]]


class MeasurementOrigin(TypedDict):
    kind: Literal["command", "console", "program", "token", "campaign", "discovery"]
    text: str
    token_id: str | None
    campaign_id: str | None
    run: float | None
    round: float | None


class Measurement(TypedDict):
    measurement_id: str
    title: str
    name: str | None
    tags: list[str]
    kind: Literal["trace", "ping"] | None
    destinations: float | None
    note: str | None
    origin: MeasurementOrigin
    folded_runs: NotRequired[float]
    total_agents: float
    completed_agents: float
    total_expected_probes: float
    total_sent_probes: float
    total_received_replies: float
    total_failed_probes: float
    total_held_probes: float
    measurement_complete: bool
    measurement_cancelled: bool
    status: Literal["queued", "running", "complete", "cancelled", "failed", "expired"]
    probes: float
    published_probes: float
    started_at: str
    last_updated: str
    ended_at: str | None
    not_after: str
    finished_early: bool


class MeasurementStatusAgent(TypedDict):
    agent_id: str
    expected_probes: float
    sent_probes: float
    received_replies: float
    failed_probes: float
    held_probes: float
    credited_probes: float | None
    is_complete: bool
    cancelled: bool
    status: Literal["queued", "running", "complete", "cancelled", "failed", "expired"]
    error: str | None
    held_by_host: str | None
    updated_at: str


class MeasurementStatus(TypedDict):
    measurement_id: str
    title: str
    name: str | None
    tags: list[str]
    kind: Literal["trace", "ping"] | None
    destinations: float | None
    note: str | None
    origin: MeasurementOrigin
    folded_runs: NotRequired[float]
    total_agents: float
    completed_agents: float
    total_expected_probes: float
    total_sent_probes: float
    total_received_replies: float
    total_failed_probes: float
    total_held_probes: float
    measurement_complete: bool
    measurement_cancelled: bool
    status: Literal["queued", "running", "complete", "cancelled", "failed", "expired"]
    probes: float
    published_probes: float
    started_at: str
    last_updated: str
    ended_at: str | None
    not_after: str
    finished_early: bool
    agents: list[MeasurementStatusAgent]


class Cancelled(TypedDict):
    measurement_id: str
    cancelled: bool
    measurement_cancelled: bool
    agents_cancelled: float
    message: str


class PacketFile(TypedDict):
    agent_id: str
    interface: str
    sent_packets: float
    heard_packets: float
    left_out_packets: float
    size_bytes: float
    stored_at: str
    expires_at: str


class ReplyRowReplyMplsLabel(TypedDict):
    label: int
    exp: int
    bottom_of_stack: bool
    ttl: int


class ReplyRowIxp(TypedDict):
    id: float
    name: str


class ReplyRowGeo(TypedDict):
    country: str | None
    city: str | None
    lat: float | None
    lon: float | None
    radius_km: float | None


class ReplyRowSource(TypedDict):
    set: str
    bgp: str | None
    geo: str | None


class ReplyRow(TypedDict):
    time_received: str
    measurement_id: str
    agent_id: str
    probe_agent: str
    probe_instance: int
    reply_src_addr: str
    reply_dst_addr: str
    reply_id: int
    reply_size: int
    reply_ttl: int
    reply_quoted_ttl: int
    reply_protocol: int
    reply_icmp_type: int
    reply_icmp_code: int
    reply_mpls_labels: list[ReplyRowReplyMplsLabel]
    probe_src_addr: str
    probe_dst_addr: str
    probe_id: int
    probe_size: int
    probe_ttl: int
    probe_protocol: str
    probe_src_port: int
    probe_dst_port: int
    rtt_ms: float | None
    says: str
    attribution: NotRequired[Literal["exact", "by_time", "none"]]
    rtt_us: NotRequired[int | None]
    reply_quoted_traffic_class: NotRequired[int]
    reply_next_hop_mtu: NotRequired[int]
    reply_quoted_flow_label: NotRequired[int]
    reply_site: NotRequired[str]
    reply_rewritten: NotRequired[int]
    reply_quoted_src_port: NotRequired[int]
    reply_checksum_delta: NotRequired[int]
    reply_quoted_src_addr: NotRequired[str]
    asn: NotRequired[int | None]
    as_name: NotRequired[str | None]
    asn_source: NotRequired[Literal["exchange", "bgp", "database", "private"] | None]
    ixp: NotRequired[ReplyRowIxp | None]
    geo: NotRequired[ReplyRowGeo | None]
    rpki: NotRequired[Literal["valid", "invalid", "unknown"] | None]
    name: NotRequired[str | None]
    owner_asn: NotRequired[int | None]
    source: NotRequired[ReplyRowSource | None]


class ProbeRow(TypedDict):
    probe_index: int
    time_submitted: str
    agent_id: str
    probe_src_addr: str | None
    probe_dst_addr: str
    probe_protocol: str
    probe_src_port: int
    probe_dst_port: int
    probe_ttl: int


class PathRowFlow(TypedDict):
    src_port: int
    dst_port: int
    end_ttl: int | None


class PathRowProbes(TypedDict):
    submitted: int
    answered: int
    lost: int
    duplicates: int


class PathRowHopRouterAnswer(TypedDict):
    kind: Literal["ttl_exceeded", "echo_reply", "syn_ack", "reset", "too_big"]


class PathRowHopRouterAnswer2(TypedDict):
    kind: Literal["unreachable"]
    family: Literal[4, 6]
    code: int


class PathRowHopRouterAnswer3(TypedDict):
    kind: Literal["dns_answer"]
    code: int
    truncated: bool


class PathRowHopRouterAnswer4(TypedDict):
    kind: Literal["other_error"]
    type: int
    code: int


class PathRowHopRouter(TypedDict):
    address: str | None
    name: str | None
    flows: list[int]
    probes: int
    answered: int
    loss_percent: float
    rtt_min_ms: float | None
    rtt_p10_ms: float | None
    rtt_median_ms: float | None
    rtt_p90_ms: float | None
    rtt_max_ms: float | None
    rtt_mean_ms: float | None
    rtt_standard_deviation_ms: float | None
    rtt_jitter_ms: float | None
    rtt_samples_ms: list[float]
    mpls_labels: list[ReplyRowReplyMplsLabel]
    answer: PathRowHopRouterAnswer | PathRowHopRouterAnswer2 | PathRowHopRouterAnswer3 | PathRowHopRouterAnswer4 | None
    says: str
    quoted_traffic_classes: NotRequired[list[int]]
    next_hop_mtus: NotRequired[list[int]]
    sites: NotRequired[list[str]]
    rewritten: NotRequired[list[str]]
    quoted_sources: NotRequired[list[str]]
    asn: NotRequired[int | None]
    as_name: NotRequired[str | None]
    asn_source: NotRequired[Literal["exchange", "bgp", "database", "private"] | None]
    ixp: NotRequired[ReplyRowIxp | None]
    geo: NotRequired[ReplyRowGeo | None]
    rpki: NotRequired[Literal["valid", "invalid", "unknown"] | None]
    owner_asn: NotRequired[int | None]
    source: NotRequired[ReplyRowSource | None]


class PathRowHop(TypedDict):
    ttl: int
    routers: list[PathRowHopRouter]
    more_routers: NotRequired[int]


class PathRowAsPath(TypedDict):
    flows: list[float]
    traced: str
    bgp: list[float] | None
    difference: Literal["equal", "extra", "missing", "different"] | None
    extra_asns: list[float]
    missing_asns: list[float]


class PathRow(TypedDict):
    agent: str
    address: str
    protocol: Literal["udp", "icmp", "icmpv6", "tcp"]
    flows: list[PathRowFlow]
    reached: bool
    nat_ttl: NotRequired[int | None]
    probes: PathRowProbes
    hops: list[PathRowHop]
    as_paths: NotRequired[list[PathRowAsPath]]


class LossRow(TypedDict):
    agent: str
    destination: str
    submitted: int
    answered: int
    lost: int
    loss_percent: float
    replies: int
    duplicates: int


class CatchmentRow(TypedDict):
    probe_agent: str
    probe_instance: int
    heard_by: str
    replies: int
    share_percent: float
    destinations: int
    responders: int


class SiteRow(TypedDict):
    agent: str
    address: str
    site: str
    answers: int
    share_percent: float
    errors: int
    rtt_min_ms: float | None
    rtt_median_ms: float | None


class MtuRow(TypedDict):
    agent: str
    destination: str
    protocol: str
    ttl: int
    router: str | None
    mtu_bytes: int | None
    limit: Literal["reported", "silent", "unclear"] | None
    reported_mtu_bytes: int | None
    reported_by: str | None
    larger_submitted: int
    larger_lost: int
    smaller_submitted: int
    smaller_answered: int


class TraceRowProbe(TypedDict):
    ttl: int
    sent: int


class TraceRowReplie(TypedDict):
    time_received: str
    agent_id: str
    probe_ttl: int
    reply_src_addr: str
    rtt_ms: float | None
    reply_ttl: int
    reply_quoted_ttl: int
    reply_size: int
    reply_id: int
    reply_protocol: int
    reply_icmp_type: int
    reply_icmp_code: int
    reply_mpls_labels: list[ReplyRowReplyMplsLabel]
    probe_src_addr: str
    probe_size: int
    rtt_us: NotRequired[int | None]
    reply_quoted_traffic_class: NotRequired[int]
    reply_next_hop_mtu: NotRequired[int]
    asn: NotRequired[int | None]
    as_name: NotRequired[str | None]
    asn_source: NotRequired[Literal["exchange", "bgp", "database", "private"] | None]
    ixp: NotRequired[ReplyRowIxp | None]
    geo: NotRequired[ReplyRowGeo | None]
    rpki: NotRequired[Literal["valid", "invalid", "unknown"] | None]
    name: NotRequired[str | None]
    owner_asn: NotRequired[int | None]
    source: NotRequired[ReplyRowSource | None]


class TraceRow(TypedDict):
    measurement_id: str
    agent: str
    address: str
    protocol: str
    src_port: int
    dst_port: int
    round: int
    sent: int
    answers: int
    time_submitted: str | None
    probe_src_addr: str | None
    end_ttl: int | None
    probes: list[TraceRowProbe]
    replies: list[TraceRowReplie]
    as_paths: NotRequired[list[PathRowAsPath]]


class PingRowReplie(TypedDict):
    time_received: str
    agent_id: str
    probe_ttl: int
    reply_src_addr: str
    rtt_ms: float | None
    reply_ttl: int
    reply_quoted_ttl: int
    reply_size: int
    reply_id: int
    reply_protocol: int
    reply_icmp_type: int
    reply_icmp_code: int
    reply_mpls_labels: list[ReplyRowReplyMplsLabel]
    probe_src_addr: str
    probe_size: int
    rtt_us: NotRequired[int | None]
    reply_quoted_traffic_class: NotRequired[int]
    reply_next_hop_mtu: NotRequired[int]


class PingRow(TypedDict):
    measurement_id: str
    agent: str
    address: str
    protocol: str
    src_port: int
    dst_port: int
    ttl: int
    round: int
    sent: int
    answered: int
    duplicates: int
    answers: int
    time_submitted: str | None
    probe_src_addr: str | None
    replies: list[PingRowReplie]


MultipathRowLink = TypedDict(
    "MultipathRowLink",
    {
        "from": int,
        "to": int | None,
        "hops": int,
        "src_ports": list[int],
    },
)


class MultipathRowFlow(TypedDict):
    src_port: int
    round: int
    probes: list[TraceRowProbe]
    replies: list[PingRowReplie]


class MultipathRow(TypedDict):
    measurement_id: str
    agent: str
    address: str
    protocol: str
    dst_port: int
    flow_count: int
    sent: int
    answers: int
    time_submitted: str | None
    probe_src_addr: str | None
    nodes: list[str]
    links: list[MultipathRowLink]
    flows: list[MultipathRowFlow]


class HeatmapRowBucket(TypedDict):
    rtt_from_ms: float
    rtt_to_ms: float
    replies: float


class HeatmapRow(TypedDict):
    time: str
    width_ms: int
    replies: int
    rtt_p5_ms: float
    rtt_median_ms: float
    rtt_p95_ms: float
    buckets: list[HeatmapRowBucket]


class SeriesRow(TypedDict):
    run: int | None
    planned_at: str | None
    measurement_id: str
    agent: str
    destination: str
    submitted: int
    answered: int
    duplicates: int
    loss_percent: float
    loss_low_percent: float
    loss_high_percent: float
    rtt_replies: int
    rtt_p10_ms: float | None
    rtt_median_ms: float | None
    rtt_p90_ms: float | None
    flows: int
    paths: int
    top_path_percent: float | None


class TrendRow(TypedDict):
    time: str
    hours: int
    agent: str
    destination: str
    measurements: int
    submitted: int
    answered: int
    loss_percent: float
    loss_week_before_percent: float | None
    rtt_replies: int
    rtt_p10_ms: float | None
    rtt_median_ms: float | None
    rtt_p90_ms: float | None
    rtt_median_week_before_ms: float | None
    path_changes: int


class ChangesRow(TypedDict):
    run: int | None
    planned_at: str | None
    measurement_id: str
    agent: str
    destination: str
    router: str
    next_hop: str
    flows: int
    share_percent: float
    flows_before: int
    share_before_percent: float


class LinkRowNearContext(TypedDict):
    asn: NotRequired[int | None]
    as_name: NotRequired[str | None]
    asn_source: NotRequired[Literal["exchange", "bgp", "database", "private"] | None]
    ixp: NotRequired[ReplyRowIxp | None]
    geo: NotRequired[ReplyRowGeo | None]
    rpki: NotRequired[Literal["valid", "invalid", "unknown"] | None]
    name: NotRequired[str | None]
    owner_asn: NotRequired[int | None]
    source: NotRequired[ReplyRowSource | None]


class LinkRow(TypedDict):
    state: NotRequired[Literal["appeared", "gone", "both"]]
    near_ttl: int
    near_ttl_max: int
    near_addr: str | None
    far_addr: str | None
    silent_after: str | None
    flows: int
    destinations: int
    agents: int
    first_seen: str | None
    flows_before: NotRequired[int]
    destinations_before: NotRequired[int]
    near_context: NotRequired[LinkRowNearContext]
    far_context: NotRequired[LinkRowNearContext]


class NodeRow(TypedDict):
    ttl: int
    ttl_max: int
    address: str | None
    silent_after: str | None
    flows: int
    destinations: int
    agents: int
    answers: int
    rtt_min_ms: float | None
    rtt_median_ms: float | None
    rtt_max_ms: float | None
    mpls_labels: list[ReplyRowReplyMplsLabel]
    reply_ttl_min: int
    reply_ttl_max: int
    is_destination: bool
    first_seen: str | None
    last_seen: str | None
    asn: NotRequired[int | None]
    as_name: NotRequired[str | None]
    asn_source: NotRequired[Literal["exchange", "bgp", "database", "private"] | None]
    ixp: NotRequired[ReplyRowIxp | None]
    geo: NotRequired[ReplyRowGeo | None]
    rpki: NotRequired[Literal["valid", "invalid", "unknown"] | None]
    name: NotRequired[str | None]
    owner_asn: NotRequired[int | None]
    source: NotRequired[ReplyRowSource | None]


class GraphRowNode(TypedDict):
    id: str
    ttl: int
    ttl_max: int
    address: str | None
    silent_after: str | None
    flows: int
    destinations: int
    agents: int
    answers: int
    rtt_min_ms: float | None
    rtt_median_ms: float | None
    rtt_max_ms: float | None
    mpls_labels: list[ReplyRowReplyMplsLabel]
    reply_ttl_min: int
    reply_ttl_max: int
    is_destination: bool
    first_seen: str | None
    last_seen: str | None
    asn: NotRequired[int | None]
    as_name: NotRequired[str | None]
    asn_source: NotRequired[Literal["exchange", "bgp", "database", "private"] | None]
    ixp: NotRequired[ReplyRowIxp | None]
    geo: NotRequired[ReplyRowGeo | None]
    rpki: NotRequired[Literal["valid", "invalid", "unknown"] | None]
    name: NotRequired[str | None]
    owner_asn: NotRequired[int | None]
    source: NotRequired[ReplyRowSource | None]


class GraphRowAliasHint(TypedDict):
    addresses: list[str]
    rests_on: list[Literal["ip_id", "labels", "reply_ttl"]]


GraphRowLink = TypedDict(
    "GraphRowLink",
    {
        "from": str,
        "to": str,
        "near_ttl": int,
        "near_ttl_max": int,
        "flows": int,
        "destinations": int,
        "agents": int,
        "first_seen": str | None,
    },
)


class GraphRow(TypedDict):
    node_count: int
    silent_count: int
    link_count: int
    router_link_count: int
    is_cut: bool
    nodes: list[GraphRowNode]
    alias_hints: list[GraphRowAliasHint]
    links: list[GraphRowLink]


class Campaign(TypedDict):
    id: str
    name: str
    phase: Literal["active", "paused", "ended"]
    revision: float
    next_run: float
    next_at: str | None
    current_run: float | None
    done: float
    not_done: float
    probes_per_day: float
    ended_reason: str | None
    stopped_because: str | None
    created_at: str
    ended_at: str | None


class CampaignDetailFollowUps(TypedDict):
    started: float
    refused: float


class CampaignDetailEvents(TypedDict):
    taken: float
    waiting: float
    cut: float
    last_cut_at: str | None


class CampaignDetail(TypedDict):
    id: str
    name: str
    phase: Literal["active", "paused", "ended"]
    revision: float
    next_run: float
    next_at: str | None
    current_run: float | None
    done: float
    not_done: float
    probes_per_day: float
    ended_reason: str | None
    stopped_because: str | None
    created_at: str
    ended_at: str | None
    definition: dict[str, Any]
    probes: str
    follow_ups: CampaignDetailFollowUps
    events: NotRequired[CampaignDetailEvents]


class CampaignRunMeasurement(TypedDict):
    measurement_id: str | None
    agents: str
    state: str
    taken_at: str | None


class CampaignRun(TypedDict):
    run: float
    last_run: float
    revision: float
    planned_at: str
    state: Literal["open", "done", "missed", "refused", "passed", "cancelling", "cancelled"]
    reason: str | None
    ended_at: str | None
    measurements: list[CampaignRunMeasurement]


class CampaignMadeEstimate(TypedDict):
    agents: float
    probes_per_run: float
    runs_per_day: float
    probes_per_day: float
    quota_per_day: float
    quota_share: float
    runs: float | None
    probes: float | None
    first_at: str | None
    last_at: str | None
    next_runs: NotRequired[list[str]]
    quota_ends_at: NotRequired[str | None]


class CampaignMade(TypedDict):
    campaign: Campaign
    estimate: CampaignMadeEstimate


CampaignEstimate = CampaignMadeEstimate


class Alert(TypedDict):
    id: str
    campaign_id: str
    campaign: str
    detector: str
    agent: str
    destination: str
    value: float | None
    threshold: float | None
    reason: str
    raised_run: float
    raised_at: str
    cleared_run: float | None
    cleared_at: str | None
    cleared_reason: str | None
    follow_up: Literal["trace", "ping", "discover"] | None
    follow_up_state: Literal["due", "started", "refused"] | None
    follow_up_id: str | None
    follow_up_reason: str | None


class Token(TypedDict):
    id: str
    name: str
    scopes: list[Literal["measurements:read", "measurements:create", "campaigns:read", "campaigns:write", "campaigns:trigger", "results:public", "sql:read", "tokens:write", "admin:read", "admin:write"]]
    measurement_id: str | None
    campaign_id: str | None
    probes_per_day: float | None
    made_by: str | None
    state: Literal["live", "expired", "revoked"]
    created_at: str
    expires_at: str
    revoked_at: str | None
    last_used_at: str | None
    last_used_from: str | None
    probes_today: float


class TokenMade(TypedDict):
    id: str
    name: str
    scopes: list[Literal["measurements:read", "measurements:create", "campaigns:read", "campaigns:write", "campaigns:trigger", "results:public", "sql:read", "tokens:write", "admin:read", "admin:write"]]
    measurement_id: str | None
    campaign_id: str | None
    probes_per_day: float | None
    made_by: str | None
    state: Literal["live", "expired", "revoked"]
    created_at: str
    expires_at: str
    revoked_at: str | None
    last_used_at: str | None
    last_used_from: str | None
    probes_today: float
    token: str


class CampaignOrderOn(TypedDict):
    alert: NotRequired[str]
    detectors: NotRequired[list[str]]
    ended: NotRequired[str]
    webhook: NotRequired[Literal[true]]
    per_hour: NotRequired[int]


class CampaignOrderAlertsDetectorsLoss(TypedDict):
    threshold_percent: NotRequired[float]
    runs: NotRequired[int]


CampaignOrderAlertsDetectorsRtt = TypedDict(
    "CampaignOrderAlertsDetectorsRtt",
    {
        "raise": NotRequired[int],
        "of": NotRequired[int],
        "settle": NotRequired[int | None],
        "gap_ms": NotRequired[float],
        "gap_percent": NotRequired[float],
    },
)


CampaignOrderAlertsDetectorsNextHops = TypedDict(
    "CampaignOrderAlertsDetectorsNextHops",
    {
        "raise": NotRequired[int],
        "of": NotRequired[int],
        "settle": NotRequired[int | None],
        "correlation": NotRequired[float],
    },
)


CampaignOrderAlertsDetectorsNewLink = TypedDict(
    "CampaignOrderAlertsDetectorsNewLink",
    {
        "raise": NotRequired[int],
        "of": NotRequired[int],
        "settle": NotRequired[int | None],
    },
)


class CampaignOrderAlertsDetectors(TypedDict):
    loss: NotRequired[CampaignOrderAlertsDetectorsLoss]
    rtt: NotRequired[CampaignOrderAlertsDetectorsRtt]
    next_hops: NotRequired[CampaignOrderAlertsDetectorsNextHops]
    new_link: NotRequired[CampaignOrderAlertsDetectorsNewLink]
    truncation: NotRequired[CampaignOrderAlertsDetectorsNewLink]
    loop: NotRequired[CampaignOrderAlertsDetectorsNewLink]
    new_as: NotRequired[CampaignOrderAlertsDetectorsNewLink]
    silence: NotRequired[CampaignOrderAlertsDetectorsNewLink]


class CampaignOrderAlertsFollowUp(TypedDict):
    measure: Literal["trace", "ping", "discover"]
    agents: NotRequired[list[str]]
    probes_per_day: NotRequired[int]


class CampaignOrderAlertsDeliverie(TypedDict):
    webhook: str
    format: NotRequired[Literal["slack", "mattermost", "matrix", "discord", "pagerduty", "alertmanager"]]
    template: NotRequired[str]
    secret: NotRequired[str]


class CampaignOrderAlertsDeliverie2(TypedDict):
    email: str


class CampaignOrderAlerts(TypedDict):
    detectors: NotRequired[CampaignOrderAlertsDetectors]
    routes: NotRequired[bool]
    follow_up: NotRequired[CampaignOrderAlertsFollowUp]
    deliveries: NotRequired[list[CampaignOrderAlertsDeliverie | CampaignOrderAlertsDeliverie2]]


class CampaignOrderFollowUp(TypedDict):
    ping: Literal["responders"]
    packets: NotRequired[int]
    at_most: NotRequired[int]


class CampaignOrderDiscover(TypedDict):
    strategy: NotRequired[Literal["shared", "diamond-miner", "mda", "paris"]]
    confidence: NotRequired[float]
    rate: NotRequired[int]
    router_rate: NotRequired[int]
    near_ttl: NotRequired[int]
    rounds_max: NotRequired[int]
    probes_max: NotRequired[int]
    budget_prefixes: NotRequired[int]
    part_probes: NotRequired[int]
    settle: NotRequired[int]
    gap_limit: NotRequired[int]
    split_ttl: NotRequired[int]
    flows_max: NotRequired[int]
    subnet_ipv4: NotRequired[int]
    subnet_ipv6: NotRequired[int]


class CampaignOrder(TypedDict):
    name: str
    agents: str | list[str]
    probes: NotRequired[str | list[str]]
    targets: NotRequired[str | list[str]]
    protocol: NotRequired[Literal["udp", "icmp", "icmpv6", "tcp"]]
    ttl: NotRequired[float | str]
    flows: NotRequired[int]
    packets: NotRequired[int]
    per_prefix: NotRequired[int]
    src_port: NotRequired[int]
    dst_port: NotRequired[int]
    seed: NotRequired[int]
    size: NotRequired[int]
    df: NotRequired[bool]
    dscp: NotRequired[str | float]
    ecn: NotRequired[Literal["not-ect", "ect1", "ect0", "ce"]]
    flow_label: NotRequired[int]
    dns: NotRequired[Literal["hostname.bind", "id.server", "nsid"]]
    on: NotRequired[CampaignOrderOn]
    every: NotRequired[float | str]
    cron: NotRequired[str]
    zone: NotRequired[str]
    start: NotRequired[str]
    stop: NotRequired[str]
    forever: NotRequired[bool]
    max_runs: NotRequired[int]
    spread: NotRequired[float | str]
    slip: NotRequired[float | str]
    on_missed: NotRequired[Literal["skip", "once"]]
    overlap: NotRequired[Literal["skip", "queue"]]
    alerts: NotRequired[CampaignOrderAlerts]
    follow_up: NotRequired[CampaignOrderFollowUp]
    discover: NotRequired[CampaignOrderDiscover]


class TokenOrder(TypedDict):
    name: str
    scopes: list[Literal["measurements:read", "measurements:create", "campaigns:read", "campaigns:write", "campaigns:trigger", "results:public", "sql:read", "tokens:write", "admin:read", "admin:write"]]
    measurement_id: NotRequired[str]
    campaign_id: NotRequired[str]
    probes_per_day: NotRequired[int]
    expires_in_days: NotRequired[int]
