/** The kind of a reply in words, as an SQL expression; the words are those of lib/measuring/paths/words.ts. */
import { textLiteral } from "../../engines/store/clickhouse/sql-literals.ts";
import { kindInWords } from "../../measuring/paths/words.ts";
import { type AnswerKind, answerKindOf } from "../../net/packet/answer-kind.ts";
import { ianaNumber } from "../../net/packet/probe.ts";

const codes = Array.from({ length: 256 }, (_, code) => code);

/** Uses the columns `reply_protocol`, `reply_icmp_type` and `reply_icmp_code` of `row`; empty for "time exceeded". */
export function answerKindSql(row: string): string {
  const [type, code] = [`${row}.reply_icmp_type`, `${row}.reply_icmp_code`];
  const otherError = `concat('ICMP error type ', toString(${type}), ' code ', toString(${code}))`;
  const tcp = `if(bitAnd(${code}, 4) != 0, ${wordsOf(ianaNumber.tcp, 0, 4)}, ${wordsOf(ianaNumber.tcp, 0, 18)})`;
  const dns = `arrayElement([${codes.map((one) => wordsOf(ianaNumber.udp, 0, one)).join()}], ${code} + 1)`;
  return `multiIf(${row}.reply_protocol = ${ianaNumber.tcp}, ${tcp},
    ${row}.reply_protocol = ${ianaNumber.udp}, ${dns},
    ${row}.reply_protocol = ${ianaNumber.icmp}, multiIf(${type} IN (0, 11), '', ${type} = 3,
      ${unreachable(ianaNumber.icmp, 3, code)}, ${otherError}),
    multiIf(${type} IN (129, 3), '', ${type} = 1, ${unreachable(ianaNumber.icmpv6, 1, code)},
      ${type} = 2, ${wordsOf(ianaNumber.icmpv6, 2, 0)}, ${otherError}))`;
}

/** Codes without a name are shown by their number. */
function unreachable(protocol: number, type: number, code: string): string {
  const named = codes.filter((one) => !inWords(protocol, type, one).endsWith(`code ${one}`));
  const words = named.map((one) => wordsOf(protocol, type, one));
  return `transform(${code}, [${named.join()}], [${words.join()}], concat('unreachable, code ', toString(${code})))`;
}

function wordsOf(protocol: number, type: number, code: number): string {
  return textLiteral(inWords(protocol, type, code));
}

function inWords(replyProtocol: number, replyIcmpType: number, replyIcmpCode: number): string {
  const kind: AnswerKind = answerKindOf({ replyProtocol, replyIcmpType, replyIcmpCode });
  return kindInWords(kind);
}
