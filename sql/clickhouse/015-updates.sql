-- One row for each prefix that a peer of a router has announced or withdrawn, in every table that the router tells.
-- What was not said is 0, '' or ::. Addresses are IPv6, IPv4 mapped.
CREATE TABLE bmp.updates
(
    date Date COMMENT 'day of time_received_ns, UTC' CODEC(Delta, ZSTD(1)),
    time_inserted_ns DateTime64(9, 'UTC') DEFAULT now64(9) COMMENT 'when the row was stored; nanoseconds, UTC'
        CODEC(Delta, ZSTD(1)),
    time_received_ns DateTime64(9, 'UTC') COMMENT 'when the collector had it; nanoseconds, UTC'
        CODEC(Delta, ZSTD(1)),
    time_bmp_header_ns DateTime64(9, 'UTC') COMMENT 'when the router had it, by its own clock; nanoseconds, UTC'
        CODEC(Delta, ZSTD(1)),
    router_addr IPv6 COMMENT 'router that told it' CODEC(ZSTD(1)),
    router_port UInt16 COMMENT 'port that the router has connected from; 0 = its file was read' CODEC(ZSTD(1)),
    peer_addr IPv6 COMMENT 'peer of the router; :: = its own table' CODEC(ZSTD(1)),
    peer_bgp_id IPv4 COMMENT 'BGP identifier of the peer' CODEC(ZSTD(1)),
    peer_asn UInt32 COMMENT 'AS number of the peer' CODEC(ZSTD(1)),
    prefix_addr IPv6 COMMENT 'first address of the prefix' CODEC(ZSTD(1)),
    prefix_len UInt8 COMMENT 'bits, in the own family of the prefix' CODEC(ZSTD(1)),
    is_post_policy Bool COMMENT 'after the policy of the router' CODEC(ZSTD(1)),
    is_adj_rib_out Bool COMMENT 'what the peer was sent, not what it has sent' CODEC(ZSTD(1)),
    announced Bool COMMENT 'false = withdrawn' CODEC(ZSTD(1)),
    synthetic Bool COMMENT 'a withdrawal that nobody has sent: the session ended' CODEC(ZSTD(1)),
    origin String COMMENT 'IGP, EGP or INCOMPLETE' CODEC(ZSTD(1)),
    as_path Array(UInt32) COMMENT 'AS path, the nearest first; sets one AS after another' CODEC(ZSTD(1)),
    next_hop IPv6 COMMENT 'next hop' CODEC(ZSTD(1)),
    multi_exit_disc UInt32 COMMENT 'MULTI_EXIT_DISC' CODEC(ZSTD(1)),
    local_preference UInt32 COMMENT 'LOCAL_PREF' CODEC(ZSTD(1)),
    only_to_customer UInt32 COMMENT 'AS number of OTC (RFC 9234)' CODEC(ZSTD(1)),
    atomic_aggregate Bool COMMENT 'ATOMIC_AGGREGATE' CODEC(ZSTD(1)),
    aggregator_asn UInt32 COMMENT 'AS number of AGGREGATOR' CODEC(ZSTD(1)),
    aggregator_bgp_id IPv4 COMMENT 'router of AGGREGATOR' CODEC(ZSTD(1)),
    communities Array(Tuple(UInt32, UInt16)) COMMENT 'RFC 1997: AS number, value' CODEC(ZSTD(1)),
    extended_communities Array(Tuple(UInt8, UInt8, String)) COMMENT 'RFC 4360: type, subtype, 6 bytes'
        CODEC(ZSTD(1)),
    large_communities Array(Tuple(UInt32, UInt32, UInt32)) COMMENT 'RFC 8092' CODEC(ZSTD(1)),
    originator_id IPv4 COMMENT 'ORIGINATOR_ID' CODEC(ZSTD(1)),
    cluster_list Array(UInt32) COMMENT 'CLUSTER_LIST' CODEC(ZSTD(1)),
    mp_reach_afi UInt16 COMMENT 'address family of MP_REACH_NLRI' CODEC(ZSTD(1)),
    mp_reach_safi UInt8 COMMENT 'its subsequent family' CODEC(ZSTD(1)),
    mp_unreach_afi UInt16 COMMENT 'address family of MP_UNREACH_NLRI' CODEC(ZSTD(1)),
    mp_unreach_safi UInt8 COMMENT 'its subsequent family' CODEC(ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY date
ORDER BY (time_received_ns, router_addr, peer_addr, prefix_addr, prefix_len)
TTL date + toIntervalDay(7)
SETTINGS ttl_only_drop_parts = 1, non_replicated_deduplication_window = 1000
