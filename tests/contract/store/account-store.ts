/**
 * A column store as one account of `deploy/make-secrets.sh` sees it: the real engine holds its statements to the grants
 * and the profile of that file. The library has one user, `default`, so that one is given what the account has.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isFailure } from "../../../lib/base/failure/failure.ts";
import { type ColumnStore, openStore } from "../../../lib/engines/store/clickhouse/open.ts";
import { runToEnd } from "../../run/said.ts";
import { Folder } from "./processes.ts";

type Account = "vantage" | "vantage_gateway" | "vantage_ingester" | "grafana";

const program = join(import.meta.dirname, "run-account.ts");
const secretsProgram = join(import.meta.dirname, "../../../deploy/make-secrets.sh");
const startMsMax = 240_000;

/** What all accounts of a test share. */
export class AccountsFolder extends Folder {
  readonly address = `chdb:${this.below("store")}`;

  static async make(): Promise<AccountsFolder> {
    const folder = new AccountsFolder();
    await runToEnd(["sh", secretsProgram, "example.net", folder.below("secrets")]);
    return folder;
  }

  /** The path of a server's configuration. */
  configuration(account: Account): string {
    const users = readFileSync(this.below("secrets/clickhouse_users.xml"), "utf8");
    const usersPath = this.below(`${account}-users.xml`);
    writeFileSync(usersPath, asDefault(users, account));
    const path = this.below(`${account}.xml`);
    writeFileSync(path, `<clickhouse><users_config>${usersPath}</users_config></clickhouse>`);
    return path;
  }
}

function asDefault(users: string, account: Account): string {
  return users
    .replace('<default remove="remove"/>', "")
    .replaceAll(new RegExp(`(</?)${account}>`, "g"), "$1default>")
    .replaceAll(/<password_sha256_hex>.*<\/password_sha256_hex>/g, "<no_password/>")
    .replace("<profiles>", "<profiles><default/>")
    .replace("</profiles>", "</profiles><quotas><default/></quotas>");
}

/** One at a time, on one folder. */
export class AccountStore implements AsyncDisposable {
  readonly store: ColumnStore;
  readonly #child: Bun.Subprocess<"pipe", "ignore", "inherit">;

  private constructor(store: ColumnStore, child: Bun.Subprocess<"pipe", "ignore", "inherit">) {
    this.store = store;
    this.#child = child;
  }

  static async start(folder: AccountsFolder, account: Account): Promise<AccountStore> {
    const command = [process.execPath, program, folder.below("store"), folder.configuration(account)];
    const child = Bun.spawn(command, { stdin: "pipe", stdout: "ignore", stderr: "inherit" });
    const giveUpAtMs = performance.now() + startMsMax;
    for (;;) {
      try {
        return new AccountStore(await openStore(folder.address), child);
      } catch (error) {
        if (!isFailure(error, "store") || performance.now() > giveUpAtMs || child.exitCode !== null) {
          throw error;
        }
      }
      await Bun.sleep(50);
    }
  }

  /** "done", or ClickHouse's name for the refusal. */
  async tries(query: string): Promise<string> {
    return await this.store.client.command({ query }).then(
      () => "done",
      (error: unknown) =>
        /\b[A-Z]+(_[A-Z]+)+\b/.exec(String((error as { type?: string }).type ?? error))?.[0] ?? "",
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.store[Symbol.asyncDispose]();
    await this.#child.stdin.end();
    await this.#child.exited;
  }
}
