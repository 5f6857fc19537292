/**
 * The migrations of the column store: the numbered files of sql/clickhouse, oldest first, each one statement.
 *
 * In a file, `-- if embedded` to `-- end`, each on a line of its own, is only for a store that the ingester
 * feeds, and `-- if server` only for one that reads the broker itself; `${name}` stands for a value. Nothing
 * else differs.
 */
import { createHash } from "node:crypto";
import fromBroker from "../../../../sql/clickhouse/001-from-broker.sql" with { type: "text" };
import replies from "../../../../sql/clickhouse/002-replies.sql" with { type: "text" };
import repliesRejected from "../../../../sql/clickhouse/003-replies-rejected.sql" with { type: "text" };
import fromBrokerMv from "../../../../sql/clickhouse/004-from-broker-mv.sql" with { type: "text" };
import repliesRejectedMv from "../../../../sql/clickhouse/005-replies-rejected-mv.sql" with { type: "text" };
import probes from "../../../../sql/clickhouse/006-probes.sql" with { type: "text" };
import repliesSequence from "../../../../sql/clickhouse/007-replies-sequence.sql" with { type: "text" };
import fromBrokerMvSequence from "../../../../sql/clickhouse/008-from-broker-mv-sequence.sql" with {
  type: "text",
};
import repliesByMeasurement from "../../../../sql/clickhouse/009-replies-by-measurement.sql" with {
  type: "text",
};
import repliesByMeasurementMade from "../../../../sql/clickhouse/010-replies-by-measurement-made.sql" with {
  type: "text",
};
import repliesByProducer from "../../../../sql/clickhouse/011-replies-by-producer.sql" with { type: "text" };
import repliesByProducerMade from "../../../../sql/clickhouse/012-replies-by-producer-made.sql" with {
  type: "text",
};
import fromBrokerMvOnce from "../../../../sql/clickhouse/013-from-broker-mv-once.sql" with { type: "text" };
import bmp from "../../../../sql/clickhouse/014-bmp.sql" with { type: "text" };
import updates from "../../../../sql/clickhouse/015-updates.sql" with { type: "text" };
import fromIngester from "../../../../sql/clickhouse/016-from-ingester.sql" with { type: "text" };
import fromIngesterMv from "../../../../sql/clickhouse/017-from-ingester-mv.sql" with { type: "text" };
import repliesRttUs from "../../../../sql/clickhouse/018-replies-rtt-us.sql" with { type: "text" };
import repliesRttUsMade from "../../../../sql/clickhouse/019-replies-rtt-us-made.sql" with { type: "text" };
import fromBrokerDropped from "../../../../sql/clickhouse/020-from-broker-dropped.sql" with { type: "text" };
import fromBrokerRttUs from "../../../../sql/clickhouse/021-from-broker-rtt-us.sql" with { type: "text" };
import fromBrokerMvRttUs from "../../../../sql/clickhouse/022-from-broker-mv-rtt-us.sql" with {
  type: "text",
};
import fromIngesterRttUs from "../../../../sql/clickhouse/023-from-ingester-rtt-us.sql" with { type: "text" };
import fromIngesterMvRttUs from "../../../../sql/clickhouse/024-from-ingester-mv-rtt-us.sql" with {
  type: "text",
};
import history from "../../../../sql/clickhouse/025-history.sql" with { type: "text" };
import historyCounted from "../../../../sql/clickhouse/026-history-counted.sql" with { type: "text" };
import repliesQuoted from "../../../../sql/clickhouse/027-replies-quoted.sql" with { type: "text" };
import repliesQuotedMade from "../../../../sql/clickhouse/028-replies-quoted-made.sql" with { type: "text" };
import fromBrokerDroppedAgain from "../../../../sql/clickhouse/029-from-broker-dropped-again.sql" with {
  type: "text",
};
import fromBrokerQuoted from "../../../../sql/clickhouse/030-from-broker-quoted.sql" with { type: "text" };
import fromBrokerMvQuoted from "../../../../sql/clickhouse/031-from-broker-mv-quoted.sql" with {
  type: "text",
};
import fromIngesterQuoted from "../../../../sql/clickhouse/032-from-ingester-quoted.sql" with {
  type: "text",
};
import fromIngesterMvQuoted from "../../../../sql/clickhouse/033-from-ingester-mv-quoted.sql" with {
  type: "text",
};
import repliesSite from "../../../../sql/clickhouse/034-replies-site.sql" with { type: "text" };
import repliesSiteMade from "../../../../sql/clickhouse/035-replies-site-made.sql" with { type: "text" };
import fromBrokerDroppedForSite from "../../../../sql/clickhouse/036-from-broker-dropped-for-site.sql" with {
  type: "text",
};
import fromBrokerSite from "../../../../sql/clickhouse/037-from-broker-site.sql" with { type: "text" };
import fromBrokerMvSite from "../../../../sql/clickhouse/038-from-broker-mv-site.sql" with { type: "text" };
import fromIngesterSite from "../../../../sql/clickhouse/039-from-ingester-site.sql" with { type: "text" };
import fromIngesterMvSite from "../../../../sql/clickhouse/040-from-ingester-mv-site.sql" with {
  type: "text",
};
import repliesRewritten from "../../../../sql/clickhouse/041-replies-rewritten.sql" with { type: "text" };
import repliesRewrittenMade from "../../../../sql/clickhouse/042-replies-rewritten-made.sql" with {
  type: "text",
};
import fromBrokerDroppedForRewritten from "../../../../sql/clickhouse/043-from-broker-dropped-for-rewritten.sql" with {
  type: "text",
};
import fromBrokerRewritten from "../../../../sql/clickhouse/044-from-broker-rewritten.sql" with {
  type: "text",
};
import fromBrokerMvRewritten from "../../../../sql/clickhouse/045-from-broker-mv-rewritten.sql" with {
  type: "text",
};
import fromIngesterRewritten from "../../../../sql/clickhouse/046-from-ingester-rewritten.sql" with {
  type: "text",
};
import fromIngesterMvRewritten from "../../../../sql/clickhouse/047-from-ingester-mv-rewritten.sql" with {
  type: "text",
};
import probesShape from "../../../../sql/clickhouse/048-probes-shape.sql" with { type: "text" };

export interface Migration {
  readonly version: number;
  readonly name: string;
  /** As in the file. */
  readonly text: string;
  /** Checksum of the text: an applied file never changes. */
  readonly checksum: string;
}

export const migrations: readonly Migration[] = [
  migration(1, "from-broker", fromBroker),
  migration(2, "replies", replies),
  migration(3, "replies-rejected", repliesRejected),
  migration(4, "from-broker-mv", fromBrokerMv),
  migration(5, "replies-rejected-mv", repliesRejectedMv),
  migration(6, "probes", probes),
  migration(7, "replies-sequence", repliesSequence),
  migration(8, "from-broker-mv-sequence", fromBrokerMvSequence),
  migration(9, "replies-by-measurement", repliesByMeasurement),
  migration(10, "replies-by-measurement-made", repliesByMeasurementMade),
  migration(11, "replies-by-producer", repliesByProducer),
  migration(12, "replies-by-producer-made", repliesByProducerMade),
  migration(13, "from-broker-mv-once", fromBrokerMvOnce),
  migration(14, "bmp", bmp),
  migration(15, "updates", updates),
  migration(16, "from-ingester", fromIngester),
  migration(17, "from-ingester-mv", fromIngesterMv),
  migration(18, "replies-rtt-us", repliesRttUs),
  migration(19, "replies-rtt-us-made", repliesRttUsMade),
  migration(20, "from-broker-dropped", fromBrokerDropped),
  migration(21, "from-broker-rtt-us", fromBrokerRttUs),
  migration(22, "from-broker-mv-rtt-us", fromBrokerMvRttUs),
  migration(23, "from-ingester-rtt-us", fromIngesterRttUs),
  migration(24, "from-ingester-mv-rtt-us", fromIngesterMvRttUs),
  migration(25, "history", history),
  migration(26, "history-counted", historyCounted),
  migration(27, "replies-quoted", repliesQuoted),
  migration(28, "replies-quoted-made", repliesQuotedMade),
  migration(29, "from-broker-dropped-again", fromBrokerDroppedAgain),
  migration(30, "from-broker-quoted", fromBrokerQuoted),
  migration(31, "from-broker-mv-quoted", fromBrokerMvQuoted),
  migration(32, "from-ingester-quoted", fromIngesterQuoted),
  migration(33, "from-ingester-mv-quoted", fromIngesterMvQuoted),
  migration(34, "replies-site", repliesSite),
  migration(35, "replies-site-made", repliesSiteMade),
  migration(36, "from-broker-dropped-for-site", fromBrokerDroppedForSite),
  migration(37, "from-broker-site", fromBrokerSite),
  migration(38, "from-broker-mv-site", fromBrokerMvSite),
  migration(39, "from-ingester-site", fromIngesterSite),
  migration(40, "from-ingester-mv-site", fromIngesterMvSite),
  migration(41, "replies-rewritten", repliesRewritten),
  migration(42, "replies-rewritten-made", repliesRewrittenMade),
  migration(43, "from-broker-dropped-for-rewritten", fromBrokerDroppedForRewritten),
  migration(44, "from-broker-rewritten", fromBrokerRewritten),
  migration(45, "from-broker-mv-rewritten", fromBrokerMvRewritten),
  migration(46, "from-ingester-rewritten", fromIngesterRewritten),
  migration(47, "from-ingester-mv-rewritten", fromIngesterMvRewritten),
  migration(48, "probes-shape", probesShape),
];

/** The one that creates `from_broker` as it is today. */
export const fromBrokerMigration = "from-broker-rewritten";

export const ownVersion = migrations.length;

function migration(version: number, name: string, text: string): Migration {
  return { version, name, text, checksum: createHash("sha256").update(text).digest("hex") };
}

/** Embedded: chDB in a Vantage process. Server: ClickHouse. */
export type StoreKind = "embedded" | "server";

export interface SqlValues {
  readonly ttlDays: number;
  /** Days that the history is kept. */
  readonly historyDays: number;
  /**
   * Brokers from which a server reads replies itself; empty = the ingester feeds it, like an embedded one.
   */
  readonly kafkaBrokers: string;
  readonly repliesTopic: string;
  readonly repliesGroup: string;
}

/** The statement. Throws RangeError when the text is not well formed. */
export function render({ text, name }: Migration, values: SqlValues): string {
  const kind = values.kafkaBrokers === "" ? "embedded" : "server";
  const lines: string[] = [];
  let only: string | null = null;
  for (const line of text.split("\n")) {
    const condition = /^-- if (embedded|server)$/.exec(line)?.[1];
    if (condition !== undefined) {
      only = condition;
    } else if (line === "-- end") {
      only = null;
    } else if (only === null || only === kind) {
      lines.push(line);
    }
  }
  const texts = sqlTexts(values);
  return lines.join("\n").replace(/\$\{(\w+)\}/g, (_, key: string) => {
    const value = texts[key];
    if (value === undefined) {
      throw new RangeError(`Cannot render migration ${name}: there is no value ${key}`);
    }
    return value;
  });
}

function sqlTexts(values: SqlValues): Readonly<Record<string, string>> {
  return {
    ttl_days: String(values.ttlDays),
    history_days: String(values.historyDays),
    kafka_brokers: quoted(values.kafkaBrokers),
    replies_topic: quoted(values.repliesTopic),
    replies_group: quoted(values.repliesGroup),
  };
}

/** A string literal of SQL. */
function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
