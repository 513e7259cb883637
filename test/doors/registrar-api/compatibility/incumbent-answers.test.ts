import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROOT, readPage } from '../../../docs/markdown.ts';
import { OldClient, setProfile } from '../../../support/compatibility.ts';
import { newContact } from '../../../support/contacts.ts';
import { newDomain } from '../../../support/domains.ts';
import { startFreshRegistry, type TestRegistry } from '../../../support/registry.ts';
import { sql } from '../../../support/sql.ts';
import { KNOWN, type Known } from './incumbent-answers.ts';
import { incumbentRefusalsPage } from './incumbent-page.ts';

const GUIDE = 'docs/integrate/from-the-incumbent.md';
const REFUSALS = 'docs/integrate/incumbent-refusals.md';

let registry: TestRegistry;
let old: OldClient;
beforeAll(async () => {
  registry = await startFreshRegistry();
  await setProfile(registry, 'ALPHA', 'on');
  old = new OldClient(registry.url, '/repp/v1');
  await setUpObjects();
});
afterAll(() => registry.stop());

async function setUpObjects(): Promise<void> {
  const idents = {
    jaan: { ident: '1985-01-01', ident_type: 'birthday', ident_country_code: 'US' },
    firm: { ident: '12345678', ident_type: 'org', ident_country_code: 'EE' },
    child: { ident: '2025-01-01', ident_type: 'birthday', ident_country_code: 'US' },
  };
  for (const id of ['mari', 'spare']) await old.post('/contacts', newContact({ id }));
  for (const [id, ident] of Object.entries(idents)) await old.post('/contacts', newContact({ id, ident }));
  for (const name of ['one.ee', 'two.ee', 'three.ee', 'disputed.ee', 'message.ee'])
    await old.post('/domains', newDomain('mari', { name, transfer_code: 'moved-away' }));
  await registry.sql.run(sql`
    insert into disputes (name, code, starts_at, expires_at) values ('disputed.ee', 'dispute-code', '2020-01-01', '2099-01-01')`);
  const beta = new OldClient(registry.url, '/repp/v1', 'beta:beta-sandbox-password');
  await beta.post('/contacts', newContact({ id: 'bert' }));
  await beta.post('/domains', newDomain('bert', { name: 'foreign.ee', transfer_code: 'foreign-code' }));
  // Its former sponsor gets a message.
  await beta.post('/domains/message.ee/transfer', { transfer: { transfer_code: 'moved-away' } });
}

type Observed = Known & {
  readonly outcome: string;
  readonly reason: string | undefined;
  readonly answered: unknown;
};

async function send(known: Known, instead: Readonly<Record<string, string>>): Promise<Observed> {
  const words = /MESSAGE|EXPIRY|NEXT/g;
  const filled = (text: string) => text.replace(words, (word) => instead[word] ?? word);
  const [method = '', target = ''] = filled(known.call).split(' ');
  const json = known.json === undefined ? undefined : JSON.parse(filled(JSON.stringify(known.json)));
  const { form, headers } = known;
  const { status, body } = await old.call(method, target, {
    ...(json !== undefined && { json }),
    ...(form !== undefined && { form }),
    ...(headers && { headers }),
  });
  return {
    ...known,
    outcome: `${status}/${body.code}`,
    reason: body.errors?.[0]?.reason,
    answered: body.data,
  };
}

async function sendAll(): Promise<Observed[]> {
  const message = (await old.get('/registrar/notifications')).body.data.id;
  const expiry = async () => (await old.get('/domains/one.ee')).body.data.domain.expire_time.slice(0, 10);
  const first = await expiry();
  const observed: Observed[] = [];
  for (const known of KNOWN) {
    const next = JSON.stringify(known.json ?? {}).includes('NEXT') ? await expiry() : '';
    observed.push(await send(known, { MESSAGE: String(message), EXPIRY: first, NEXT: next }));
  }
  return observed;
}

test('success: requests for the incumbent get its answers, or those of the guide', async () => {
  const observed = await sendAll();
  const shown = observed.map(({ call, json, form, outcome }) => [call, json ?? form, outcome]);
  expect(shown).toEqual(
    KNOWN.map(({ call, json, form, incumbent, here = incumbent }) => [call, json ?? form, here]),
  );
  const differing = observed.filter(({ here }) => here !== undefined);
  expect([observed.length - differing.length, differing.length]).toEqual([182, 4]);
  const lacking = observed.flatMap(({ call, data = [], answered }) =>
    data.filter((path) => memberAt(answered, path) === undefined).map((path) => `${call} ${path}`),
  );
  expect(lacking).toEqual([]);

  const rows = readPage(GUIDE)
    .split('\n')
    .filter((line) => line.startsWith('| '));
  const pairs = new Set(
    differing.map(({ incumbent, outcome }) => `| ${inWords(incumbent)} | ${inWords(outcome)} |`),
  );
  expect([...pairs].filter((pair) => !rows.some((row) => row.startsWith(pair)))).toEqual([]);
  const texts = observed.filter(({ text }) => text !== undefined);
  expect(texts.length).toBeGreaterThan(50);
  await expect(incumbentRefusalsPage(texts)).toMatchFileSnapshot(path.join(ROOT, REFUSALS));
});

const memberAt = (value: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>((part, name) => (part as Record<string, unknown> | undefined)?.[name], value);

/** `404/2303` as the page writes it; an internal error of the incumbent has no code. */
const inWords = (outcome: string): string => {
  const [status, code] = outcome.split('/');
  return code === '0' ? String(status) : `${status}, ${code}`;
};
