/** A measurement's packet recordings at a gateway: lists them, and downloads each to a file. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import * as v from "valibot";
import { packetFileAnswer } from "../../../base/api/measurements.ts";
import { systemReason } from "../../../base/failure/system-reason.ts";
import type { Gateway } from "../../../engines/gateway-client/gateway.ts";
import { cannot } from "../command-error.ts";

export type PacketFileAnswer = v.InferOutput<typeof packetFileAnswer>;

export class PacketFiles {
  readonly #gateway: Gateway;
  readonly #path: string;
  readonly #signal: AbortSignal;

  constructor(gateway: Gateway, measurementId: string, signal: AbortSignal) {
    this.#gateway = gateway;
    this.#path = `/api/measurements/${measurementId}/packets`;
    this.#signal = signal;
  }

  /** Rejects with GatewayError. */
  async list(): Promise<PacketFileAnswer[]> {
    return await this.#gateway.read(this.#path, v.array(packetFileAnswer), { signal: this.#signal });
  }

  /** Never overwrites a file. Rejects with GatewayError or CommandError. */
  async fetch({ agent_id: agent, interface: name }: PacketFileAnswer, to: string): Promise<void> {
    const parts = [agent, name].map(encodeURIComponent);
    const answer = await this.#gateway.request(`${this.#path}/${parts.join("/")}`, { signal: this.#signal });
    const bytes = await answer.bytes();
    try {
      mkdirSync(dirname(to), { recursive: true });
      writeFileSync(to, bytes, { flag: "wx", mode: 0o600 });
    } catch (error) {
      throw cannot(`Cannot write ${to}: ${systemReason(error)}`);
    }
  }
}

/** `west.eth0`, without slashes. */
export function packetFileName({ agent_id: agent, interface: name }: PacketFileAnswer): string {
  return [agent, name].map(encodeURIComponent).join(".");
}
