import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { inject, test } from 'vitest';
import { createBackup } from '../../src/backup/create-backup.ts';
import { restoreBackup } from '../../src/backup/restore-backup.ts';
import { readConfig } from '../../src/platform/config/config.ts';
import type { LostRequests } from '../../src/recovery/lost-requests.ts';
import { contact, domain, ident, newId, person } from '../doors/epp/acceptance/cases.ts';
import { cadastre, emptyDatabase } from '../support/cadastre.ts';
import { alpha } from '../support/client.ts';
import { loggedIn } from '../support/console.ts';
import { createContact } from '../support/contacts.ts';
import { freshName, Registrant } from '../support/domains.ts';
import type { EppClient } from '../support/epp.ts';
import { type EppCommand, poll } from '../support/epp-frames.ts';
import { eppAddressOf, logInToEpp } from '../support/epp-sandbox.ts';
import { freshRegistryForThisTest, type TestRegistry } from '../support/registry.ts';
import { expect, onTestFinished } from '../support/this-test.ts';
import { codeOf } from '../support/transfers.ts';

function folderForThisTest(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'cadastre-lost-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

const backUp = ({ databaseName }: TestRegistry, output: string) =>
  createBackup({
    target: { ...inject('server'), database: databaseName },
    config: readConfig('production', {}),
    output,
    key: undefined,
    now: new Date(),
    program: 'test',
    databaseOnly: true,
  });

async function succeed(client: EppClient, command: EppCommand, ...extensions: string[]) {
  const answer = await client.command(command, ...extensions);
  expect(answer.code, answer.frame).toBeLessThan(2000);
  return answer;
}

/** One of each command that changes something, and of each that does not. */
async function work(registry: TestRegistry, names: { readonly kept: string; readonly given: string }) {
  const address = await eppAddressOf(registry.url);
  const rest = alpha(registry.url);
  const [one, other] = [await logInToEpp(address, 'alpha'), await logInToEpp(address, 'beta')];
  onTestFinished(async () => void (await Promise.all([one.close(), other.close()])));
  const [id, unused, name] = [newId(), newId(), freshName()];
  for (const each of [id, unused]) await succeed(one, contact.create(each, person), ident);
  await succeed(one, contact.update(id, { chg: { email: 'other@example.ee' } }));
  await succeed(one, contact.delete(unused));
  await succeed(one, domain.create({ name, period: '1y', registrant: id }));
  await succeed(one, domain.update(name, { add: { nameservers: ['ns1.example.com', 'ns2.example.com'] } }));
  const expiry = (await succeed(one, domain.info(name))).text('infData/exDate')?.slice(0, 10) ?? '';
  await succeed(one, domain.renew(name, expiry, '1y'));
  await succeed(one, domain.delete(name));
  await succeed(other, domain.transfer('request', names.given, { code: await codeOf(rest, names.given) }));
  await succeed(other, domain.transfer('query', names.given));
  const message = (await succeed(one, poll.request)).first('msgQ')?.attributes.id ?? '';
  await succeed(one, poll.acknowledge(message));
  await succeed(one, domain.check(name));
  expect((await one.command(domain.create({ name: names.kept, period: '1y', registrant: id }))).code).toBe(
    2302,
  );
  await (await logInToEpp(address, 'poor')).close();
  await (await logInToEpp(address, 'poor', { newPassword: 'another-password-of-poor' })).close();
  await createContact(rest);
  const held = await (await loggedIn(registry.url)).post(`/console/domains/${names.kept}/hold`, {});
  expect(held.status).toBe(303);
}

test('success: every acknowledged write of every interface is listed after a restore, and nothing else', async () => {
  const folder = folderForThisTest();
  const registry = await freshRegistryForThisTest({ eppPort: 0 });
  const registrant = await Registrant.of(alpha(registry.url));
  const names = { kept: await registrant.register(), given: await registrant.register() };
  const { file } = await backUp(registry, folder);
  await work(registry, names);
  const log = path.join(folder, 'serve.log');
  writeFileSync(log, registry.logged());

  const copy = await emptyDatabase();
  await restoreBackup({ file, key: undefined, target: copy.url, now: new Date() });
  const { stdout } = await cadastre(['recovery', 'show', '--log', log, '--json'], {
    env: { DATABASE_URL: copy.url },
  });
  const { lost } = JSON.parse(stdout) as { lost: readonly LostRequests[] };
  expect(lost.map(({ registrar, user, request, count }) => [registrar, user, request, count])).toEqual([
    ['ALPHA', 'alpha', 'EPP contact create', 2],
    ['ALPHA', 'alpha', 'EPP contact update', 1],
    ['ALPHA', 'alpha', 'EPP contact delete', 1],
    ['ALPHA', 'alpha', 'EPP domain create', 1],
    ['ALPHA', 'alpha', 'EPP domain update', 1],
    ['ALPHA', 'alpha', 'EPP domain renew', 1],
    ['ALPHA', 'alpha', 'EPP domain delete', 1],
    ['ALPHA', 'alpha', 'EPP poll', 1],
    ['ALPHA', 'alpha', 'POST /registry/v1/contacts', 1],
    ['ALPHA', '-', 'POST /console/domains/:name/hold', 1],
    ['BETA', 'beta', 'EPP domain transfer', 1],
    ['POOR', 'poor', 'EPP login', 1],
  ]);
});
