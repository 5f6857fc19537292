/** Answers in words: the store says what the rest of the program says. */
import { expect, test } from "bun:test";
import { answerKindSql } from "../../../lib/answers/results/answer-kind-sql.ts";
import { kindInWords } from "../../../lib/measuring/paths/words.ts";
import { answerKindOf } from "../../../lib/net/packet/answer-kind.ts";
import { TestStore } from "./processes.ts";

test("what an answer says is said in SQL as elsewhere, of every type and code", async () => {
  await using store = await TestStore.start("empty");
  const kinds = [1, 58, 6, 17].flatMap((protocol) =>
    [...Array(256).keys()].flatMap((type) =>
      [0, 1, 3, 4, 9, 13, 16, 255].map((code) => ({ protocol, type, code })),
    ),
  );
  const codes = [...Array(256).keys()].flatMap((code) => [
    { protocol: 1, type: 3, code },
    { protocol: 58, type: 1, code },
  ]);
  const all = [...kinds, ...codes];
  const rows = all.map(({ protocol, type, code }) => `(${protocol}, ${type}, ${code})`).join();
  const said = await store.rows<{ said: string }>(
    `SELECT ${answerKindSql("r")} AS said FROM (SELECT x.1 AS reply_protocol, x.2 AS reply_icmp_type,
      x.3 AS reply_icmp_code FROM (SELECT arrayJoin([${rows}]) AS x)) AS r`,
  );
  expect(said.map((row) => row.said)).toEqual(
    all.map(({ protocol: replyProtocol, type: replyIcmpType, code: replyIcmpCode }) =>
      kindInWords(answerKindOf({ replyProtocol, replyIcmpType, replyIcmpCode })),
    ),
  );
});
