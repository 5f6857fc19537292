import { expect, test } from "bun:test";
import { withoutPassword } from "./without-password.ts";

test.each([
  ["postgres://ada:secret@db.example:5432/vantage", "postgres://ada@db.example:5432/vantage"],
  [
    "postgres://db.example/vantage?user=ada&password=secret&ssl=1",
    "postgres://db.example/vantage?user=ada&password=…&ssl=1",
  ],
  ["http://ada:secret:@@db.example:8123", "http://ada@db.example:8123"],
  ["http://ada:se/cr@et@db.example:8123/ch", "http://ada@db.example:8123/ch"],
  ["http://ada:secret@db.example/a@b", "http://ada@db.example/a@b"],
  ["ada:secret@db.example:8123", "ada@db.example:8123"],
  ["clickhouse:ada:secret@db.example", "clickhouse@db.example"],
  ["http://db.example:8123/?user=ada&PASSWORD=secret", "http://db.example:8123/?user=ada&PASSWORD=…"],
  [
    "https://db.example/?token=secret&x=1&api_key=secret#top",
    "https://db.example/?token=…&x=1&api_key=…#top",
  ],
  ["postgress://ada:secret@db", "postgress://ada@db"],
  ["pglite:/var/lib/vantage", "pglite:/var/lib/vantage"],
])("%s is shown as %s", (address, shown) => {
  expect(withoutPassword(address)).toBe(shown);
});
