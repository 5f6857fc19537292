import { expect, test } from "bun:test";
import type { AnswerKind } from "../../net/packet/answer-kind.ts";
import { kindInWords, labelsInWords, msInWords, storedMsInWords } from "./words.ts";

test.each<[number | null | undefined, string]>([
  [0.0421, "0.042"],
  [9.9994, "9.999"],
  [9.9996, "10.00"],
  [10, "10.00"],
  [312.345, "312.35"],
  [null, "?"],
  [undefined, "?"],
])("%p ms is written %s", (ms, text) => {
  expect(msInWords(ms)).toBe(text);
});

test.each<[AnswerKind, string]>([
  [{ kind: "ttl_exceeded" }, ""],
  [{ kind: "echo_reply" }, ""],
  [{ kind: "syn_ack" }, "port open (SYN-ACK)"],
  [{ kind: "reset" }, "port closed (RST)"],
  [{ kind: "dns_answer", code: 0, truncated: false }, "DNS answer"],
  [{ kind: "dns_answer", code: 5, truncated: false }, "DNS answer REFUSED"],
  [{ kind: "dns_answer", code: 0, truncated: true }, "DNS answer, truncated"],
  [{ kind: "dns_answer", code: 6, truncated: true }, "DNS answer code 6, truncated"],
  [{ kind: "unreachable", family: 4, code: 0 }, "network unreachable"],
  [{ kind: "unreachable", family: 4, code: 3 }, "port unreachable"],
  [{ kind: "unreachable", family: 4, code: 13 }, "administratively prohibited"],
  [{ kind: "unreachable", family: 4, code: 15 }, "precedence cut-off"],
  [{ kind: "unreachable", family: 4, code: 16 }, "unreachable, code 16"],
  [{ kind: "unreachable", family: 6, code: 0 }, "no route"],
  [{ kind: "unreachable", family: 6, code: 1 }, "administratively prohibited"],
  [{ kind: "unreachable", family: 6, code: 3 }, "address unreachable"],
  [{ kind: "unreachable", family: 6, code: 4 }, "port unreachable"],
  [{ kind: "unreachable", family: 6, code: 9 }, "unreachable, code 9"],
  [{ kind: "other_error", type: 4, code: 1 }, "ICMP error type 4 code 1"],
])("%j is said as %p", (kind, words) => {
  expect(kindInWords(kind)).toBe(words);
});

test("labels are written outermost first", () => {
  const outer = { label: 24015, exp: 0, bottomOfStack: false, ttl: 1 };
  const inner = { label: 16, exp: 5, bottomOfStack: true, ttl: 254 };
  expect(labelsInWords([outer, inner])).toBe("MPLS 24015 exp 0 ttl 1 | 16 exp 5 ttl 254");
  expect(labelsInWords([])).toBe("");
});

test("stored times show as many digits as are known of their row", () => {
  expect(storedMsInWords([0.1, 12.35, 300])).toEqual(["0.1", "12.3", "300.0"]);
  expect(storedMsInWords([null, null])).toEqual(["?", "?"]);
  expect(storedMsInWords([0.1, 0.142, 0.2])).toEqual(["0.1", "0.1", "0.2"]);
  expect(storedMsInWords([0.087, 0.142, 12.3])).toEqual(["0.087", "0.142", "12.30"]);
});
