/** Units as systemd would run them, where there is no systemd: of each setting what our units and drop-ins use. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Values of each key, in order; an empty one takes back those before it, as in systemd.unit(5). */
type Settings = ReadonlyMap<string, readonly string[]>;

const folders = ["/etc/systemd/system", "/usr/lib/systemd/system", "/lib/systemd/system"];

/** Reads the unit and its drop-ins below `root`. Throws an Error when there is none. */
function readUnit(root: string, name: string): Settings {
  const places = folders.map((folder) => join(root, folder, `${name}.service`));
  const unit = places.find((path) => existsSync(path));
  if (unit === undefined) {
    throw new Error(`Unit ${name}.service could not be found.`);
  }
  const dropIns = places.toReversed().flatMap((path) => {
    const folder = `${path}.d`;
    return existsSync(folder)
      ? readdirSync(folder)
          .sort()
          .map((file) => join(folder, file))
      : [];
  });
  const settings = new Map<string, string[]>();
  for (const line of [unit, ...dropIns].flatMap((path) => readFileSync(path, "utf8").split("\n"))) {
    const [, key, value = ""] = /^([A-Za-z]+)=(.*)$/.exec(line) ?? [];
    if (key !== undefined) {
      settings.set(key, value === "" ? [] : [...(settings.get(key) ?? []), value]);
    }
  }
  return settings;
}

/** A script for sh, inside of the root, which prepares what the unit asks for and then becomes the program. */
export function unitScript(root: string, name: string): string {
  const unit = readUnit(root, name);
  const all = (key: string) => unit.get(key) ?? [];
  const last = (key: string) => all(key).at(-1);
  const user = last("User") ?? "root";
  const owner = `-o ${user} -g ${last("Group") ?? user}`;
  const credentials = `/run/credentials/${name}.service`;
  const given = (text: string) => text.replaceAll("%d", credentials);
  const state = last("StateDirectory");
  const capabilities = (last("AmbientCapabilities") ?? "").split(" ").filter((one) => one !== "");
  const raised = capabilities.map((one) => `+${one.replace(/^CAP_/, "").toLowerCase()}`).join(",");
  const rights = raised === "" ? [] : [`--inh-caps=-all,${raised}`, `--ambient-caps=-all,${raised}`];
  const become = `setpriv --reuid ${user} --regid ${last("Group") ?? user} --init-groups ${rights.join(" ")}`;
  const files = all("EnvironmentFile").map((path) => path.replace(/^-/, ""));
  const lines = [
    `umask ${last("UMask") ?? "0022"}`,
    ...all("Environment").map((one) => exported(given(unquoted(one)))),
    ...files
      .filter((path) => existsSync(join(root, path)))
      .flatMap((path) => readFileSync(join(root, path), "utf8").split("\n"))
      .filter((line) => /^[A-Z]/.test(line))
      .map((line) => exported(unquoted(line))),
  ];
  const home = `HOME="$(getent passwd ${user} | cut -d: -f6)"`;
  const clean = `env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin ${home}`;
  const run = (command: string) =>
    `${become} ${clean} sh -c ${quoted([...lines, `exec ${given(command)}`].join("\n"))}`;
  return [
    "set -eu",
    ...(state === undefined
      ? []
      : [
          `mkdir -p /var/lib/${state.split("/")[0]}`,
          `install -d -m ${last("StateDirectoryMode") ?? "755"} ${owner} /var/lib/${state}`,
          // As systemd does where somebody else has made it.
          `chown -R ${user}:${last("Group") ?? user} /var/lib/${state}`,
        ]),
    `install -d -o ${user} -m 700 ${credentials}`,
    ...all("LoadCredential").map((one) => {
      const [id, path] = one.split(":");
      return `install -o ${user} -m 400 ${path} ${credentials}/${id}`;
    }),
    ...all("ExecStartPre").map(run),
    ...all("ExecStart").map((command) => `exec ${run(command)}`),
  ].join("\n");
}

function exported(assignment: string): string {
  const [name = "", ...value] = assignment.split("=");
  return `export ${name}=${quoted(value.join("="))}`;
}

function unquoted(text: string): string {
  return text.replace(/^"(.*)"$/, "$1");
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
