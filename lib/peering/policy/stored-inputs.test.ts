import { expect, test } from "bun:test";
import {
  asnPool,
  hashOf,
  issuer,
  mappingsAnswer,
  nodesAnswer,
  sampleUser,
} from "../../../tests/exchange/samples.ts";
import { readHeadscaleNodes } from "./headscale-nodes.ts";
import { joinDevices } from "./join.ts";
import { readMappings } from "./mapping.ts";
import { readInputs, writeInputs } from "./stored-inputs.ts";

const rules = { issuer, allowEmailJoin: false };
const users = [sampleUser(1), sampleUser(2, { devices: [] })];
const inputs = {
  mappings: { atMs: 5, value: readMappings(mappingsAnswer(users), asnPool)?.mappings ?? [] },
  nodes: { atMs: 7, value: readHeadscaleNodes(nodesAnswer(users))?.nodes ?? [] },
};

test("a written file gives the same members, and the time of each source", () => {
  const read = readInputs(writeInputs(inputs, rules));
  expect([read?.mappings.atMs, read?.nodes.atMs]).toEqual([5, 7]);
  const { members } = joinDevices(
    { mappings: read?.mappings.value ?? [], nodes: read?.nodes.value ?? [], excluded: [] },
    { issuer: null, allowEmailJoin: false },
  );
  expect(
    members.map(({ userHash, addresses, leases }) => [userHash, addresses.length, leases.length]),
  ).toEqual([[hashOf(users[0] ?? sampleUser(1)), 1, 1]]);
});

test("no e-mail address and no subject is in it", () => {
  const text = writeInputs(inputs, rules);
  expect(text).not.toContain("@");
  expect(text).not.toContain("user-1");
});

test.each(["", "{", "{}", '{"version":2}', "null"])("%p gives null", (text) => {
  expect(readInputs(text)).toBeNull();
});
