// Prints the software bill of materials of what is installed to run Cadastre, in CycloneDX: npm run -s sbom > sbom.json
// npm writes it from package-lock.json, so it is the same on every machine but for what is taken out here.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const DEVELOPMENT = 'cdx:npm:package:development';
const root = fileURLToPath(new URL('..', import.meta.url));
const path = process.env.npm_execpath ?? '';
const [program, ...first] = /npm(-cli)?\.[cm]?js$/.test(path) ? [process.execPath, path] : ['npm'];
const options = ['sbom', '--package-lock-only', '--sbom-format=cyclonedx', '--sbom-type=application'];
const { status, stdout, stderr } = spawnSync(program, [...first, ...options], {
  cwd: root,
  encoding: 'utf8',
  maxBuffer: 1e8,
});
if (status !== 0) {
  process.stderr.write(stderr);
  process.exit(1);
}

const { name } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const bom = JSON.parse(stdout);
// --omit=dev would also leave out packages that both the product and its tools need, such as pg-protocol (npm 11.19).
const isForDevelopment = ({ properties = [] }) =>
  properties.some((property) => property.name === DEVELOPMENT);
bom.components = bom.components.filter((component) => !isForDevelopment(component));
const kept = new Set([bom.metadata.component, ...bom.components].map((component) => component['bom-ref']));
bom.dependencies = bom.dependencies
  .filter(({ ref }) => kept.has(ref))
  .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((other) => kept.has(other)) }));
// npm names the product after the folder of the clone.
bom.metadata.component.name = name;
// The time and the random number would make every one different; the registry is that of whoever ran it.
delete bom.metadata.timestamp;
delete bom.serialNumber;
for (const component of [bom.metadata.component, ...bom.components])
  component.externalReferences = (component.externalReferences ?? []).filter(
    ({ type }) => type !== 'distribution',
  );
bom.serialNumber = serialOf(JSON.stringify(bom));
process.stdout.write(`${JSON.stringify(bom, null, 2)}\n`);

/** A name-based UUID (version 8) of the contents. */
function serialOf(text) {
  const hex = createHash('sha256').update(text).digest('hex');
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ];
  return `urn:uuid:${parts.join('-')}`;
}
