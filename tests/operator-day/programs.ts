/** What an operator installs beside Vantage, out of what tests have: Kafka, PostgreSQL, an identity provider. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "../deploy/compose-file.ts";
import { kafkaScripts } from "../kafka/kafka-scripts.ts";
import { run } from "../lab/namespaces.ts";
import { postgresFiles } from "../postgres/postgres-files.ts";
import type { Machine } from "./machine.ts";

const issuerScript = join(projectRoot, "tests/operator-day/issuer.ts");

/** In /opt/kafka, as its distribution has it. */
export async function installKafka(machine: Machine): Promise<void> {
  const { scripts, folder } = await kafkaScripts();
  // Before the overlay looks at it: it would go on with the rights that it saw.
  await run(["chmod", "755", folder]);
  if (!existsSync(machine.path(folder))) {
    await machine.mount(folder);
  }
  for (const [name, text] of Object.entries(scripts)) {
    machine.write(`/opt/kafka/bin/${name}`, text);
  }
  await machine.shell("chmod 755 /opt/kafka/bin/*.sh");
}

/** The cluster that the package has made, as `systemctl start postgresql`. */
export async function startDebianPostgres(machine: Machine): Promise<void> {
  await machine.shell("install -d -o postgres -g postgres -m 2775 /run/postgresql");
  await machine.shell(
    "for one in /etc/postgresql/*/main; do pg_ctlcluster $(basename $(dirname $one)) main start; done",
  );
}

/** Debian's, with the rules of its package: postgres itself by its socket, everyone else by password. */
export async function installPostgres(machine: Machine): Promise<void> {
  const { server, emptyCluster } = postgresFiles();
  const data = "/var/lib/postgresql/operator-day";
  await machine.shell(`mkdir -p /var/lib/postgresql && cp --archive ${emptyCluster} ${data}`);
  machine.write(
    `${data}/pg_hba.conf`,
    "local all postgres peer\nhost all all 127.0.0.1/32 scram-sha-256\nhost all all ::1/128 scram-sha-256\n",
  );
  await machine.shell("install -d -o postgres -g postgres /run/postgresql");
  const options = "-c listen_addresses=127.0.0.1 -c fsync=off -k /run/postgresql";
  machine.write(
    "/etc/systemd/system/postgresql.service",
    `[Service]\nUser=postgres\nUMask=0077\nExecStart=${server} -D ${data} ${options}\n`,
  );
  await machine.start("postgresql");
  await machine.shell("until runuser -u postgres -- psql -qc '' postgres; do sleep 0.1; done 2>/dev/null");
}

/** An identity provider that is on no machine of the play, at its loopback. */
export function startIssuerBeside(): void {
  Bun.spawn([process.execPath, issuerScript], { stdin: "ignore", stdout: "ignore", stderr: "inherit" });
}

export async function installIssuer(machine: Machine): Promise<void> {
  const command = `${process.execPath} ${issuerScript}`;
  machine.write("/etc/systemd/system/issuer.service", `[Service]\nExecStart=${command}\n`);
  await machine.start("issuer");
}
