/**
 * The form of the start page, `<form data-measure>`: shows the cost of its probes while one types, has the gateway
 * resolve names, and submits probe lines. The pressed button's value is the kind: a trace of all hops, or pings.
 */
import { ask, submit, textOf } from "./forms.ts";
import { onRenewed } from "./fresh-page.ts";
import { showStatus } from "./status-line.ts";
import { addressesOf, targetsMax, wordsOf } from "./targets.ts";

/** As `vantage trace --from` has it: each measurement has ports of its own, by which its answers are known. */
const firstPortMin = 24_000;
const destinationPorts = { udp: 33_434, icmp: 33_434, tcp: 80 };
const dnsPort = 53;
const pingTtl = 64;
/** Fields that are parameters of the API as they are; a tick is "true". */
const passedOn = ["name", "tags", "note", "size", "dscp", "ecn", "flow_label", "dns", "df", "record_packets"];
const pingEveryMs = 1000;

type Protocol = keyof typeof destinationPorts;

interface Order {
  readonly kind: "trace" | "ping";
  readonly targets: readonly string[];
  readonly protocol: Protocol;
  readonly dstPort: number;
  readonly flows: number;
  readonly hops: number;
  readonly pings: number;
}

export function listenToMeasureForm(): void {
  onRenewed((place) => {
    for (const form of place.querySelectorAll<HTMLFormElement>("form[data-measure]")) {
      showCost(form);
    }
  });
  document.addEventListener("input", ({ target }) => {
    const form = target instanceof Element ? target.closest<HTMLFormElement>("form[data-measure]") : null;
    if (form !== null) {
      showCost(form);
    }
  });
  document.addEventListener("submit", (event) => {
    const { target: form, submitter } = event;
    if (form instanceof HTMLFormElement && form.dataset.measure !== undefined) {
      event.preventDefault();
      const isPing = submitter instanceof HTMLButtonElement && submitter.value === "ping";
      void submit(form, () => measure(form, orderOf(form, isPing ? "ping" : "trace")));
    }
  });
}

function showCost(form: HTMLFormElement): void {
  const place = form.querySelector("[data-cost-text]");
  const order = orderOf(form, "trace");
  const { targets, flows, hops, pings } = order;
  if (place === null) {
    return;
  }
  const many = targets.length > 1 ? `${targets.length} targets: a` : "A";
  const count = Math.max(1, targets.length);
  place.textContent = `${many} trace costs ${count * flows * hops} probes for each agent, a ping ${count * pings}.`;
}

function orderOf(form: HTMLFormElement, kind: Order["kind"]): Order {
  const fields = new FormData(form);
  const count = (name: string, max: number) =>
    Math.min(max, Math.max(1, Math.floor(Number(textOf(fields, name)) || 1)));
  const chosen = textOf(fields, "protocol");
  const protocol = chosen === "icmp" || chosen === "tcp" ? chosen : "udp";
  return {
    kind,
    targets: wordsOf(textOf(fields, "to")),
    protocol,
    dstPort: textOf(fields, "dns") === "" ? destinationPorts[protocol] : dnsPort,
    flows: count("flows", 128),
    hops: count("hops", 64),
    pings: count("pings", 1000),
  };
}

async function measure(form: HTMLFormElement, order: Order): Promise<string> {
  if (order.targets.length > targetsMax) {
    throw new Error(
      `${order.targets.length} targets, more than ${targetsMax}: use vantage trace --from -f FILE`,
    );
  }
  const addresses = await addressesOf(order.targets, showStatus);
  const fields = new FormData(form);
  const query = queryOf(fields);
  if (order.kind === "ping") {
    query.set("interval_ms", String(pingEveryMs));
    query.set("round", String(addresses.length));
  }
  const response = await ask(
    "POST",
    `/console/call/api/probes?${query}`,
    linesOf(order, addresses).join(""),
    {
      ...{ "content-type": "text/csv", "idempotency-key": crypto.randomUUID() },
    },
  );
  const { id } = (await response.json()) as { readonly id: string };
  return `/console/measurements/${encodeURIComponent(id)}`;
}

function queryOf(fields: FormData): URLSearchParams {
  const query = new URLSearchParams({ agents: textOf(fields, "from") });
  for (const name of passedOn) {
    const text = textOf(fields, name);
    if (text !== "") {
      query.set(name, text === "on" ? "true" : text);
    }
  }
  return query;
}

/** Hop by hop, or round by round, over all targets. */
function linesOf(
  { kind, protocol, dstPort, flows, hops, pings }: Order,
  addresses: readonly string[],
): string[] {
  const firstPort = firstPortMin + Math.floor(Math.random() * (65_536 - firstPortMin - flows));
  const line = (address: string, flow: number, ttl: number) => {
    const wire = protocol === "icmp" && address.includes(":") ? "icmpv6" : protocol;
    return `${address},${firstPort + flow},${dstPort},${ttl},${wire}\n`;
  };
  if (kind === "ping") {
    return Array.from({ length: pings }, () => addresses.map((address) => line(address, 0, pingTtl))).flat();
  }
  return Array.from({ length: hops }, (_, hop) =>
    addresses.flatMap((address) => Array.from({ length: flows }, (_, flow) => line(address, flow, hop + 1))),
  ).flat();
}

/** The form that sends a file of probe lines, `<form data-upload="probes">`: the measurement's page follows. */
export function listenToProbesForm(): void {
  document.addEventListener("submit", (event) => {
    const { target: form } = event;
    if (form instanceof HTMLFormElement && form.dataset.upload === "probes") {
      event.preventDefault();
      void submit(form, () => sendProbes(new FormData(form)));
    }
  });
}

/** Resolves to the address of the page. */
async function sendProbes(fields: FormData): Promise<string> {
  const file = fields.get("file");
  if (!(file instanceof File) || file.size === 0) {
    throw new Error("Choose a file that is not empty");
  }
  const query = queryOf(fields);
  showStatus(`Sending ${file.name}`);
  const response = await ask("POST", `/console/call/api/probes?${query}`, file, {
    ...{ "content-type": "text/csv", "idempotency-key": crypto.randomUUID() },
  });
  const { id } = (await response.json()) as { readonly id: string };
  return `/console/measurements/${encodeURIComponent(id)}`;
}
