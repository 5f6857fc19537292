/** The sum of a metric on a page for Prometheus, over all labels that are not named: 0 where it is not there. */
export async function metricSum(page: string, metric: string): Promise<number> {
  const lines = (await (await fetch(page)).text()).split("\n");
  const values = lines.filter((line) => line.startsWith(metric)).map((line) => line.split(" ").at(-1));
  return values.reduce((sum, value) => sum + Number(value), 0);
}
