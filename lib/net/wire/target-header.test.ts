import { expect, test } from "bun:test";
import { decodeTargetHeader, encodeTargetHeader, type TargetHeader } from "./target-header.ts";

const header: TargetHeader = {
  srcIp: "2001:db8::1",
  measurementId: "8c1c6c0e-8d1c-4f6c-9b1a-111111111111",
  endOfMeasurement: true,
  firstProbe: 20_000,
  notAfterMs: Date.UTC(2026, 10, 21, 9, 30),
};

test("a header comes back as it was written, under the names that existing programs use", () => {
  const text = encodeTargetHeader(header);
  expect(JSON.parse(text)).toEqual({
    src_ip: "2001:db8::1",
    measurement_id: header.measurementId,
    end_of_measurement: true,
    first_probe: 20_000,
    not_after: "2026-11-21T09:30:00.000Z",
  });
  expect(decodeTargetHeader(text)).toEqual({ ok: true, header });
});

test("the id of a request comes back if it is plain; another one does the record no harm", () => {
  const text = encodeTargetHeader({ ...header, requestId: "48f62692-15" });
  expect(JSON.parse(text).request_id).toBe("48f62692-15");
  expect(decodeTargetHeader(text)).toEqual({ ok: true, header: { ...header, requestId: "48f62692-15" } });
  for (const bad of ["short", "a\u001b[2Jbcdefgh", "x".repeat(65), 7, null]) {
    const other = JSON.stringify({ ...JSON.parse(text), request_id: bad });
    expect(decodeTargetHeader(other)).toEqual({ ok: true, header });
  }
});

test("a shape comes back; one that cannot be sent makes the record bad, as its probes would look otherwise", () => {
  const shape = { sizeBytes: 1400, dontFragment: true, trafficClass: 0xb8, flowLabel: 5 };
  const text = encodeTargetHeader({ ...header, shape });
  expect(JSON.parse(text).shape).toEqual({
    ...{ size_bytes: 1400, dont_fragment: true, traffic_class: 0xb8, flow_label: 5 },
  });
  expect(decodeTargetHeader(text)).toEqual({ ok: true, header: { ...header, shape } });
  expect(encodeTargetHeader({ ...header, shape: {} })).toBe(encodeTargetHeader(header));
  for (const bad of [
    { size_bytes: 100 },
    { traffic_class: 256 },
    { flow_label: 0 },
    { df: 1, size_bytes: "1400" },
    { dns: "version.bind" },
    { dns: "nsid", size_bytes: 1400 },
    7,
  ]) {
    const other = JSON.stringify({ ...JSON.parse(text), shape: bad });
    expect(decodeTargetHeader(other)).toEqual({
      ok: false,
      reason: "shape is not one that this agent can send",
    });
  }
});

test("what the standalone client of others writes is enough, and unknown keys do no harm", () => {
  const expected = {
    srcIp: "192.0.2.1",
    measurementId: null,
    endOfMeasurement: false,
    firstProbe: null,
    notAfterMs: null,
  };
  expect(decodeTargetHeader('{"src_ip":"192.0.2.1","colour":1}')).toEqual({ ok: true, header: expected });
  expect(encodeTargetHeader(expected)).toBe('{"src_ip":"192.0.2.1","end_of_measurement":false}');
});

test.each([
  ["x", "header is not JSON"],
  ["[]", "header is not a JSON object"],
  ['{"src_ip":1}', "src_ip is not a string"],
  ['{"measurement_id":{}}', "measurement_id is not a string"],
  ['{"end_of_measurement":"yes"}', "end_of_measurement is neither true nor false"],
  ['{"first_probe":-1}', "first_probe is not an index"],
  ['{"not_after":"tomorrow"}', "not_after is not an RFC 3339 time"],
  ['{"not_after":5}', "not_after is not an RFC 3339 time"],
  [" ".repeat(4097), "header has more than 4096 characters"],
])("%p is refused: %s", (text, reason) => {
  expect(decodeTargetHeader(text)).toEqual({ ok: false, reason });
});
