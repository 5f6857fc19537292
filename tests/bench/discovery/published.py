"""
The published diamond-miner library, driven for one measurement: its tables and queries in a ClickHouse, its generator
of probes; who answers is asked on standard input and output.

  python3 published.py CLICKHOUSE_URL

Lines in: `run ID SEED PREFIXES` starts a measurement of PREFIXES /24s from 20.0.0.0 on. Lines out: `probes N`,
then N lines `PREFIX ADDRESS_OFFSET PORT_OFFSET TTL`; it then reads N lines with the number of the router that answered,
0 = none, and how often it answered (`ROUTER COPIES`). `done ROUNDS` ends the measurement. What it does in a round is
what Iris does (https://github.com/dioptra-io/iris, worker): links, prefixes, probes of the next round.
"""
import random
import sys
from ipaddress import ip_address

from diamond_miner.generators import probe_generator_from_database
from diamond_miner.insert import insert_mda_probe_counts, insert_probe_counts
from diamond_miner.queries import CreateTables, DropTables, InsertLinks, InsertPrefixes, InsertResults
from pych_client import ClickHouseClient

ROUNDS_MAX = 10
FLOWS, TTL_MAX = 6, 32
PORT = 24000
BASE = int(ip_address("::ffff:20.0.0.0"))
SOURCE = "::ffff:192.0.2.1"
COLUMNS = (
    "capture_timestamp,probe_protocol,probe_src_addr,probe_dst_addr,probe_src_port,probe_dst_port,probe_ttl,quoted_ttl,"
    "reply_src_addr,reply_protocol,reply_icmp_type,reply_icmp_code,reply_ttl,reply_size,reply_mpls_labels,rtt,round"
)


def router(number):
    # Public addresses: the library leaves out private ones.
    return str(ip_address(int(ip_address("::ffff:32.0.0.0")) + number))


def ask(probes, round_):
    print("probes", len(probes))
    for dst, port, _, ttl, _ in probes:
        offset = dst - BASE
        print(offset >> 8, offset & 255, port - PORT, ttl)
    sys.stdout.flush()
    rows = [COLUMNS]
    for dst, port, dst_port, ttl, _ in probes:
        number, copies = map(int, sys.stdin.readline().split())
        if number:
            row = (
                f"2026-01-01 00:00:00,17,{SOURCE},{ip_address(dst)},{port},{dst_port},{ttl},1,"
                f"{router(number)},1,11,0,250,56,[],10,{round_}"
            )
            rows += [row] * copies
    return "\n".join(rows).encode()


def run(client, name, seed, prefixes):
    random.seed(seed)
    CreateTables().execute(client, name)
    networks = [(f"20.{i >> 8}.{i & 255}.0/24", "udp", range(1, TTL_MAX + 1), FLOWS) for i in range(prefixes)]
    insert_probe_counts(client, name, 1, networks)
    for round_ in range(1, ROUNDS_MAX + 1):
        probes = list(probe_generator_from_database(client, name, round_))
        if not probes:
            break
        random.shuffle(probes)
        InsertResults().execute(client, name, data=ask(probes, round_))
        InsertLinks().execute(client, name)
        InsertPrefixes().execute(client, name)
        insert_mda_probe_counts(client, name, round_, adaptive_eps=True, concurrent_requests=1)
    DropTables().execute(client, name)
    print("done", flush=True)


# Its tables expire by a constant, which newer ClickHouses refuse else.
SETTINGS = {"allow_suspicious_ttl_expressions": 1}
with ClickHouseClient(base_url=sys.argv[1], settings=SETTINGS) as client:
    for line in iter(sys.stdin.readline, ""):
        _, name, seed, prefixes = line.split()
        run(client, name, int(seed), int(prefixes))
