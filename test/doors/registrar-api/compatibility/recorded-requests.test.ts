import { afterAll, beforeAll, expect, test } from 'vitest';
import { readPage } from '../../../docs/markdown.ts';
import { OldClient, type OldReply, setProfile } from '../../../support/compatibility.ts';
import { startFreshRegistry, type TestRegistry } from '../../../support/registry.ts';
import { DIFFERENCES, type Difference } from './recorded-differences.ts';
import { OF_OBJECTS } from './recorded-of-objects.ts';
import { OF_PARTS } from './recorded-of-parts.ts';
import { key, newContact, newDomain, type RecordedRequest } from './recorded-request.ts';

const RECORDED = [...OF_OBJECTS, ...OF_PARTS];
const CREDENTIALS: Readonly<Record<string, string>> = {
  bestnames: 'alpha:alpha-sandbox-password',
  goodnames: 'beta:beta-sandbox-password',
  poor: 'poor:poor-sandbox-password',
  nobody: 'nobody:testtest',
};

let registry: TestRegistry;
const clientOf = (user: string) => new OldClient(registry.url, '/repp/v1', CREDENTIALS[user]);

beforeAll(async () => {
  registry = await startFreshRegistry();
  await setUpFixtures();
  await setProfile(registry, 'ALPHA', 'on');
  await setProfile(registry, 'BETA', 'on');
});
afterAll(() => registry.stop());

async function succeed(client: OldClient, call: string, json?: unknown): Promise<OldReply> {
  const [method = '', target = ''] = call.split(' ');
  const reply = await client.call(method, target, json === undefined ? {} : { json });
  expect([call, reply.status, reply.body.message]).toEqual([call, 200, expect.any(String)]);
  return reply;
}

const MOST_CONTACTS = 40;
/** The contacts of a domain of the fixtures follow each other. */
const contactOf = (number: number, place: number) => ((number + place - 1) % MOST_CONTACTS) + 1;

/** The incumbent's fixtures, as far as the requests need them, created without the profile: their codes have no prefix. */
async function setUpFixtures(): Promise<void> {
  const [best, good] = [clientOf('bestnames'), clientOf('goodnames')];
  const ident = { ident_type: 'priv', ident_country_code: 'EE', ident: '37605030299' };
  const person = (id: string, changes: object = {}) => newContact({ id, ident, ...changes });
  for (let number = 1; number <= MOST_CONTACTS; number += 1)
    await succeed(best, 'POST /contacts', person(`best:c${number}`));
  const company = { ident_type: 'org', ident_country_code: 'EE', ident: '12345678' };
  await succeed(best, 'POST /contacts', person('best:org1', { ident: company }));
  await succeed(best, 'POST /contacts', person('best:free'));
  for (let number = 1; number <= 15; number += 1)
    await succeed(good, 'POST /contacts', person(`good:c${number}`));
  const register = (client: OldClient, of: string, label: string, number: number) => {
    const [registrant, admin, ...tech] = [1, 2, 3, 4].map((place) => `${of}:c${contactOf(number, place)}`);
    const contacts = { registrant, admin_contacts: [admin], tech_contacts: tech };
    const changes = { ...contacts, dnskeys_attributes: [key(0)], transfer_code: `transfer-${label}` };
    return succeed(client, 'POST /domains', newDomain(`${label}.ee`, changes));
  };
  const numbers = [1, 10, 11, 12, 20, 21, 23, 24, 25, 26, 32, 33, 40, 41, 42, 50, 60, 61];
  for (const number of numbers) await register(best, 'best', `best${number}`, number);
  for (const number of [1, 2, 3, 5]) await register(best, 'best', `soon${number}`, 1);
  for (const number of [1, 2, 10]) await register(good, 'good', `good${number}`, number);
  // Their former sponsor gets a message for each.
  for (const label of ['gone1', 'gone2', 'gone3']) {
    await register(best, 'best', label, 1);
    const transfer = { transfer: { transfer_code: `transfer-${label}` } };
    await succeed(good, `POST /domains/${label}.ee/transfer`, transfer);
  }
}

type Observed = { readonly answer: string; readonly lacking: readonly string[] };

async function sendAll(): Promise<Map<string, Observed>> {
  const best = clientOf('bestnames');
  const messages = (await best.get('/registrar/notifications/all_notifications')).body.data;
  const words: Record<string, string> = { MESSAGE: String(messages[0].id), OLDER: String(messages[1].id) };
  const expiryOf = async (target: string) => {
    const name = /^\/domains\/([^/]+)/.exec(target)?.[1] ?? '';
    return (await best.get(`/domains/${name}`)).body.data.domain.expire_time.slice(0, 10);
  };
  const filled = async (call: string, json: unknown) => {
    const needsExpiry = JSON.stringify(json ?? {}).includes('EXPIRY');
    const known = { ...words, ...(needsExpiry && { EXPIRY: await expiryOf(call.split(' ')[1] ?? '') }) };
    const fill = (text: string) =>
      text.replace(
        /MESSAGE|OLDER|CONTACT|EXPIRY/g,
        (word) => (known as Record<string, string>)[word] ?? word,
      );
    return [fill(call), json === undefined ? undefined : JSON.parse(fill(JSON.stringify(json)))] as const;
  };
  const observed = new Map<string, Observed>();
  for (const recorded of RECORDED) {
    const client = clientOf(recorded.user ?? '');
    for (const [call, json] of recorded.before) await succeed(client, ...(await filled(call, json)));
    const [call, json] = await filled(recorded.call, recorded.json);
    const [method = '', target = ''] = call.split(' ');
    const headers = { ...recorded.headers, ...authorizationOf(recorded) };
    const { status, body } = await client.call(method, target, {
      ...(json !== undefined && { json }),
      headers,
    });
    const present = membersOf(body.data ?? {});
    const lacking = recorded.members.filter((path) => !present.has(path));
    observed.set(recorded.title, { answer: `${status}/${body.code}`, lacking });
    if (recorded.title === 'contacts: create') words.CONTACT = body.data.contact.code;
  }
  return observed;
}

function authorizationOf({ user }: RecordedRequest): Record<string, string> {
  if (user === null) return { authorization: '' };
  return user === 'not base64' ? { authorization: 'Basic !!!' } : {};
}

/** The paths of all members, in every item of a list. */
function membersOf(value: unknown, path = ''): Set<string> {
  if (typeof value !== 'object' || value === null) return new Set();
  const inner = Object.entries(value).flatMap(([name, item]) => {
    const here = Array.isArray(value) ? `${path}[]` : path === '' ? name : `${path}.${name}`;
    return [here, ...membersOf(item, here)];
  });
  return new Set(inner);
}

test('success: recorded requests get the status, the code and the members of the incumbent, apart from the listed differences', async () => {
  const observed = await sendAll();
  const differing = RECORDED.flatMap(({ title, answer }): [string, Omit<Difference, 'reason'>][] => {
    const { answer: seen, lacking } = observed.get(title) ?? { answer: '', lacking: [] };
    const difference = {
      ...(seen !== answer && { answer: seen }),
      ...(lacking.length > 0 && { lacking }),
    };
    return Object.keys(difference).length === 0 ? [] : [[title, difference]];
  });
  const listed = Object.entries(DIFFERENCES).map(([title, { reason: _reason, ...each }]) => [title, each]);
  expect(Object.fromEntries(differing)).toEqual(Object.fromEntries(listed));
  expect([RECORDED.length, differing.length]).toEqual([127, 13]);
  const rows = readPage('docs/integrate/from-the-incumbent.md').split('\n');
  const undocumented = Object.values(DIFFERENCES).filter(
    ({ reason }) => !rows.some((row) => row.startsWith('| ') && row.includes(reason)),
  );
  expect(undocumented).toEqual([]);
});
