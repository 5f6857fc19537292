/** Targets as people type them: names, looked up by the gateway under its rules, or addresses. */
import { reasonOf } from "./forms.ts";

/** Names are looked up one by one; more targets are for a file of the command line. */
export const targetsMax = 100;

const addresses = new Map<string, string>();

export function wordsOf(text: string): string[] {
  return [...new Set(text.split(/[\s,]+/).filter((word) => word !== ""))];
}

/** `note` receives progress. Rejects with the reason of the first name that cannot be looked up. */
export async function addressesOf(
  targets: readonly string[],
  note: (text: string) => void,
): Promise<string[]> {
  const found: string[] = [];
  for (const target of targets) {
    found.push(isAddress(target) ? target : (addresses.get(target) ?? (await lookedUp(target, note))));
  }
  return found;
}

function isAddress(text: string): boolean {
  return text.includes(":") || /^[\d./]+$/.test(text);
}

async function lookedUp(name: string, note: (text: string) => void): Promise<string> {
  note(`Looking up ${name}`);
  const response = await fetch(`/console/call/api/lookup?${new URLSearchParams({ name })}`);
  if (!response.ok) {
    throw new Error(`${name}: ${await reasonOf(response)}`);
  }
  const { address } = (await response.json()) as { readonly address: string };
  note(`${name} is ${address}`);
  addresses.set(name, address);
  return address;
}
