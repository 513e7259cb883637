import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { recordSandboxCertificates, sandboxEppIdentity } from '../../src/app/sandbox-epp-identity.ts';
import { ee } from '../../src/policy/ee.ts';
import { listAuthorities } from '../../src/registry/certificates/authorities.ts';
import { listCertificates } from '../../src/registry/certificates/certificates.ts';
import { coreForThisFile } from '../support/core.ts';

const core = coreForThisFile();

async function identityOfNewHome() {
  const home = mkdtempSync(path.join(os.tmpdir(), 'cadastre-test-'));
  onTestFinished(() => rmSync(home, { recursive: true }));
  return sandboxEppIdentity(home, new Date());
}

const trusted = async () =>
  (await listAuthorities(core.database.reads)).filter(({ status }) => status === 'trusted');
const valid = async () =>
  (await listCertificates(core.database.reads, new Date(), {})).filter(({ status }) => status === 'valid');

test('success: of processes that start at once each starts, and everything is recorded once', async () => {
  const identity = await identityOfNewHome();
  const record = () => recordSandboxCertificates(core.database.writes, identity, ee, new Date());
  await Promise.all([record(), record(), record()]);
  expect(await trusted()).toHaveLength(1);
  expect(await valid()).toHaveLength(Object.keys(identity.clients).length);
});

test('success: another home on the same database replaces the authority', async () => {
  const [first, second] = [await identityOfNewHome(), await identityOfNewHome()];
  for (const identity of [first, second, second])
    await recordSandboxCertificates(core.database.writes, identity, ee, new Date());
  expect(await trusted()).toHaveLength(1);
  expect(await valid()).toHaveLength(Object.keys(second.clients).length);
});
