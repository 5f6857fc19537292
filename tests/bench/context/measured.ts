/** Measures one subject in this process, and prints a SubjectRun. Time of a core is that of all threads together. */

/** The first ones let the compiler do its work. */
const warmUps = 5;
const tries = 5;

export async function measured<Loaded>(
  load: () => Promise<Loaded>,
  lookUpAll: (loaded: Loaded) => Promise<number>,
  count: number,
): Promise<void> {
  Bun.gc(true);
  const before = process.memoryUsage.rss();
  const startedAt = performance.now();
  const loaded = await load();
  const loadSec = (performance.now() - startedAt) / 1000;
  Bun.gc(true);
  const loadMb = (process.memoryUsage.rss() - before) / 1e6;
  const rates: number[] = [];
  let sum = 0;
  for (let i = 0; i < warmUps + tries; i++) {
    const cpu = process.cpuUsage();
    sum = await lookUpAll(loaded);
    const { user, system } = process.cpuUsage(cpu);
    rates.push((count / (user + system)) * 1e6);
  }
  const perSec = rates.slice(warmUps).sort((x, y) => x - y)[Math.floor(tries / 2)];
  console.log(JSON.stringify({ loadSec, loadMb, perSec, sum }));
}
