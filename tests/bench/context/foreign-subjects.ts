/** Programs of other people's libraries, in their own languages; each prints a SubjectRun. They take text. */

export const pyasnProgram = `
import json, time, pyasn
def rss():
    return int(open("/proc/self/statm").read().split()[1]) * 4096 / 1e6
texts = open("addresses.txt").read().split()
before = rss()
started = time.time()
db = pyasn.pyasn("table.dat")
load = time.time() - started
mb = rss() - before
rates = []
for _ in range(3):
    cpu = time.process_time()
    total = 0
    lookup = db.lookup
    for text in texts:
        total += lookup(text)[0] or 0
    rates.append(len(texts) / (time.process_time() - cpu))
print(json.dumps({"loadSec": load, "loadMb": mb, "perSec": sorted(rates)[1], "sum": total}))
`;

/** For Node, which the package is made for. */
export const maxmindProgram = `
const { readFileSync } = require("node:fs");
const { open } = require("maxmind");
const rss = () => process.memoryUsage.rss() / 1e6;
(async () => {
  const texts = readFileSync("addresses.txt", "utf8").trim().split("\\n");
  const before = rss();
  const started = performance.now();
  const reader = await open("table.mmdb");
  const loadSec = (performance.now() - started) / 1000;
  const loadMb = rss() - before;
  const rates = [];
  let sum = 0;
  for (let i = 0; i < 5; i++) {
    const cpu = process.cpuUsage();
    sum = 0;
    for (const text of texts) sum += reader.get(text)?.autonomous_system_number ?? 0;
    const { user, system } = process.cpuUsage(cpu);
    rates.push((texts.length / (user + system)) * 1e6);
  }
  console.log(JSON.stringify({ loadSec, loadMb, perSec: rates.sort((x, y) => x - y)[2], sum }));
})();
`;
