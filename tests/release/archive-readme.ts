/** The README of a release: what lies in the archive first, in place of how to build one. Pure. */

/** Sections for people who have a clone. */
const forClones = /^## Two commands\n[\s\S]*?(?=^## )/m;
const building = /^`npm run release` makes[^\n]*\n\n```\n[\s\S]*?\n```\n\n/m;

/** `folder` is the name of the archive's folder. Throws an Error when the README has other sections. */
export function archiveReadme(readme: string, folder: string): string {
  const lines = readme.split("\n");
  const end = lines.indexOf("");
  if (!forClones.test(readme) || !building.test(readme) || end < 0) {
    throw new Error(
      "Cannot make the archive's README: README.md has other sections than archive-readme.ts knows",
    );
  }
  const rest = lines
    .slice(end + 1)
    .join("\n")
    .replace(forClones, "")
    .replace(building, "");
  return `# Vantage\n\n${beginning(folder)}\n${rest}`;
}

function beginning(folder: string): string {
  return `This is ${folder}: everything that runs and looks after a platform. It needs neither Bun nor Node.

| you want | begin with |
|---|---|
| a platform for your group, on your machines | [docs/operate/from-the-archive.md](docs/operate/from-the-archive.md) |
| to try it, on this machine alone | [docs/start/first-measurement.md](docs/start/first-measurement.md) |
| to trace, now | \`./vantage trace example.org\`, as root |

| here | is |
|---|---|
| \`vantage\` | the one program; \`vantage help\` lists its commands |
| \`libchdb.so\` | the column store, which the program loads from beside it |
| \`completions/\`, \`man/\` | for shells, and \`man -M man vantage\` |
| \`docs/\` | [every page](docs/README.md) |
| \`deploy/\` | configuration of everything around it: alerts, dashboards, Keycloak, Kafka, Caddy |
| \`compose.yaml\`, \`compose.client.yaml\` | the same in containers |
| \`sdk/\` | the SDKs for TypeScript and Python: npm archive, wheel, sources |
| \`vantage.cdx.json\` | what it is made of (CycloneDX) |
`;
}
