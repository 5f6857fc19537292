/**
 * Brokers that are named by an IPv6 address. kafkajs 2.2.4 takes the host of a configured broker up to the first colon,
 * so the address goes through it with its colons escaped: `[2001:db8::1]:9092` is `2001%3Adb8%3A%3A1:9092` there.
 * Addresses that brokers advertise come as they are.
 */
import type { ISocketFactory } from "kafkajs";
import socketFactory from "kafkajs/src/network/socketFactory";

const escapedColon = "%3A";

/** As kafkajs takes it, of `HOST:PORT` with IPv6 in brackets. */
export function seedOf(server: string): string {
  const [, address, port] = /^\[(.+)\]:(\d+)$/.exec(server) ?? [];
  return address === undefined ? server : `${address.replaceAll(":", escapedColon)}:${port}`;
}

/** A broker as kafkajs names it in an error, as people write it. */
export function serverOf(seed: string): string {
  return seed.replace(/^(.*%3A.*):(\d+)$/, (_, host: string, port: string) => `[${plainHost(host)}]:${port}`);
}

const connect = socketFactory();

export const connectSeed: ISocketFactory = ({ host, ...rest }) => connect({ host: plainHost(host), ...rest });

function plainHost(host: string): string {
  return host.replaceAll(escapedColon, ":");
}
