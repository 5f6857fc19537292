/** ClickHouse's ip_trie as a library in this process, one thread: the table is loaded into a dictionary. */
import { ChdbConnection } from "../../../ffi/chdb.ts";
import { measured } from "./measured.ts";

const connection = new ChdbConnection("clickhouse", { max_threads: 1, user_files_path: "." });
const run = (sql: string) => connection.query({ sql, format: "TSV", params: {} }).bytes;
const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes).trim();

run("CREATE OR REPLACE TABLE routes (prefix String, asn UInt32) ENGINE = Memory");
run("INSERT INTO routes SELECT * FROM file('table.dat', TSV, 'prefix String, asn UInt32')");
run("CREATE OR REPLACE TABLE asked (address IPv6) ENGINE = Memory");
run("INSERT INTO asked SELECT * FROM file('addresses.bin', RowBinary, 'address IPv6')");
const count = Number(text(run("SELECT count() FROM asked")));

await measured(
  async () => {
    run(`CREATE OR REPLACE DICTIONARY origins (prefix String, asn UInt32) PRIMARY KEY prefix
      SOURCE(CLICKHOUSE(TABLE 'routes')) LIFETIME(0) LAYOUT(IP_TRIE)`);
    run("SYSTEM RELOAD DICTIONARY origins");
  },
  async () => Number(text(run("SELECT sum(dictGetUInt32('origins', 'asn', tuple(address))) FROM asked"))),
  count,
);
process.exit(0);
