import { expect, test } from "bun:test";
import { BodyRoom } from "./body-room.ts";
import { bodyFreeBytes } from "./limits.ts";
import { Problem } from "./problem.ts";

const limits = { callerBytesMax: 1000, bytesMax: 2500 };
const refused: string[] = [];
const codeOf = (act: () => void) => {
  try {
    act();
    return null;
  } catch (error) {
    return error instanceof Problem ? `${error.status} ${error.code}` : String(error);
  }
};

test("a caller's large bodies have a limit together, and others have room beside them", () => {
  const room = new BodyRoom((code) => refused.push(code), limits);
  const [first, second, other] = [room.open("a"), room.open("a"), room.open("b")];
  first.add(bodyFreeBytes + 600);
  expect(codeOf(() => second.add(bodyFreeBytes + 600))).toBe("429 too_many_bodies");
  expect(codeOf(() => other.add(bodyFreeBytes + 600))).toBeNull();
  expect(room.bytes).toBe(1200);
  second[Symbol.dispose]();
  first[Symbol.dispose]();
  first[Symbol.dispose]();
  expect(room.bytes).toBe(600);
  expect(codeOf(() => room.open("a").add(bodyFreeBytes + 1000))).toBeNull();
});

test("all together have one too, and small bodies always have room", () => {
  const room = new BodyRoom((code) => refused.push(code), limits);
  for (const caller of ["a", "b"]) {
    room.open(caller).add(bodyFreeBytes + 1000);
  }
  expect(codeOf(() => room.open("c").add(bodyFreeBytes + 501))).toBe("503 no_room");
  for (const caller of ["a", "c"]) {
    expect(codeOf(() => room.open(caller).add(bodyFreeBytes))).toBeNull();
  }
  expect(room.bytes).toBe(2000);
  expect(refused).toEqual(["too_many_bodies", "no_room"]);
});
