import { execFile } from 'node:child_process';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { ROOT, readPage } from '../docs/markdown.ts';

type Component = {
  readonly 'bom-ref': string;
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly hashes?: readonly { readonly alg: string; readonly content: string }[];
};
type Bom = {
  readonly serialNumber: string;
  readonly metadata: { readonly component: Component };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
};
type Locked = { readonly version: string; readonly integrity: string; readonly dev?: boolean };

test('success: the bill of materials has every package that is installed to run, with its hash, and nothing of this machine', async () => {
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    [path.join(ROOT, 'scripts/sbom.mjs')],
    { maxBuffer: 1e8 },
  );
  expect(stderr).toBe('');
  const bom = JSON.parse(stdout) as Bom;
  const { name, version } = JSON.parse(readPage('package.json')) as { name: string; version: string };
  expect(bom).toMatchObject({
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    metadata: { component: { name, version } },
  });
  expect(bom.serialNumber).toMatch(/^urn:uuid:[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/);

  const { packages } = JSON.parse(readPage('package-lock.json')) as { packages: Record<string, Locked> };
  // A package that is installed in several folders is listed once.
  const locked = Object.entries(packages)
    .filter(([folder, { dev }]) => folder !== '' && !dev)
    .map(([folder, { version, integrity }]) => ({
      purl: `pkg:npm/${folder.split('node_modules/').at(-1)?.replace('@', '%40')}@${version}`,
      hash: Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex'),
    }));
  const listed = bom.components.map(({ purl, hashes }) => ({ purl, hash: hashes?.[0]?.content }));
  const byPurl = (one: { purl: string }, other: { purl: string }) => (one.purl < other.purl ? -1 : 1);
  expect(listed.toSorted(byPurl)).toEqual(
    [...new Map(locked.map((entry) => [entry.purl, entry])).values()].toSorted(byPurl),
  );

  const references = [bom.metadata.component, ...bom.components].map((component) => component['bom-ref']);
  expect(new Set(references).size).toBe(references.length);
  expect(bom.dependencies.map(({ ref }) => ref).sort()).toEqual(references.toSorted());
  expect(
    bom.dependencies.flatMap(({ dependsOn }) => dependsOn).filter((ref) => !references.includes(ref)),
  ).toEqual([]);

  for (const trace of [ROOT, os.homedir(), os.hostname(), 'registry.', '/-/'])
    expect(stdout).not.toContain(trace);
});
