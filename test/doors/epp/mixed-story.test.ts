import { afterAll, beforeAll, describe, test } from 'vitest';
import { eppAddressOf, logInToEpp } from '../../support/epp-sandbox.ts';
import { startFreshRegistry, type TestRegistry } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';
import { expect } from '../../support/this-test.ts';
import { evidenceOf, placeIn } from './story/evidence.ts';
import { type Ids, type RegistrarInterface, throughEpp, throughRest, type User } from './story/interfaces.ts';

type Through = 'EPP' | 'REST';
const NAME = 'the-story.ee';
const PEOPLE = [
  ['mari', '60001019906'],
  ['jaan', '37605030299'],
  ['tech', '60001019906'],
] as const;

let registry: TestRegistry;
let plain: Awaited<ReturnType<typeof runScenario>>;
beforeAll(async () => {
  registry = await startFreshRegistry({ eppPort: 0 });
  plain = await runScenario(() => 'REST');
});
afterAll(() => registry.stop());

/** The life cycle of a domain, each step through the interface that is chosen for it. */
async function runScenario(choose: (step: number) => Through) {
  await fetch(`${registry.url}/sandbox/reset`, { method: 'POST' });
  const place = await placeIn(registry.sql);
  const address = await eppAddressOf(registry.url);
  const sent: string[] = [];
  const pendingActions: { command: Ids; message: Ids | undefined }[] = [];
  const clients = { alpha: await logInToEpp(address, 'alpha'), beta: await logInToEpp(address, 'beta') };
  let steps = 0;
  const as = (user: User): RegistrarInterface =>
    choose(steps++) === 'EPP'
      ? throughEpp(clients[user], (clTRID) => sent.push(clTRID))
      : throughRest(registry.url, user);
  const confirm = async () => {
    const { text } = await registry.sql.one(sql<{ text: string }>`
      select text from mails where text like '%/confirm/%' order by id desc limit 1`);
    const link = /\S+\/confirm\/[\w-]+/.exec(text)?.[0];
    const body = new URLSearchParams({ decision: 'confirm' });
    expect((await fetch(link ?? '', { method: 'POST', body, redirect: 'manual' })).status).toBe(303);
  };
  const texts: string[] = [];
  const take = async (user: User): Promise<Ids | undefined> => {
    const { text, pendingAction } = await as(user).takeMessage();
    texts.push(text);
    return pendingAction;
  };

  for (const [code, ident] of PEOPLE)
    await as('alpha').createContact(`story-${code}`, `${code}@example.ee`, ident);
  await as('alpha').createDomain({
    name: NAME,
    registrant: 'story-mari',
    admin: 'story-jaan',
    tech: 'story-tech',
    nameservers: ['ns1.example.net', 'ns2.example.net'],
    code: 'the-first-code',
  });
  await as('alpha').changeEmail('story-tech', 'technician@example.ee');
  await as('alpha').addNameserver(NAME, 'ns3.example.net');
  await as('alpha').hold(NAME);
  await as('alpha').release(NAME);
  await as('alpha').changeCode(NAME, 'the-second-code');
  await as('alpha').renew(NAME);
  const registrant = await as('alpha').askForRegistrant(NAME, 'story-jaan');
  await confirm();
  pendingActions.push({ command: registrant, message: await take('alpha') });
  const code = await as('alpha').readCode(NAME);
  await as('beta').transfer(NAME, code);
  await take('alpha');
  await take('beta');
  await as('alpha').deleteContact('story-tech');
  const deletion = await as('beta').askForDeletion(NAME);
  await confirm();
  pendingActions.push({ command: deletion, message: await take('beta') });
  await Promise.all(Object.values(clients).map((client) => client.close()));
  const transactions = await registry.sql.rows(sql<{ actor: string; id: string | null }>`
    select actor, client_transaction_id as id from history where id > ${place.history} and actor ~ '^(epp|user):' order by history.id`);
  return {
    evidence: await evidenceOf(registry.sql, place),
    texts,
    pendingActions,
    sent,
    transactions,
    steps,
  };
}

describe('one scenario of a domain through REST', () => {
  test('success: it has charges, messages, mails and a history that can be compared', () => {
    const { history, ledger, messages, mails, transfers } = plain.evidence;
    expect(ledger).toHaveLength(2);
    expect(messages).toHaveLength(4);
    expect(mails.length).toBeGreaterThan(2);
    expect(transfers).toHaveLength(1);
    expect(history.length).toBeGreaterThan(plain.steps - 5);
    expect(plain.transactions.every(({ actor, id }) => actor.startsWith('user:') && id === null)).toBe(true);
  });
});

describe.each<[string, (step: number) => Through]>([
  ['EPP and REST in turn', (step) => (step % 2 === 0 ? 'EPP' : 'REST')],
  ['REST and EPP in turn', (step) => (step % 2 === 0 ? 'REST' : 'EPP')],
  ['EPP alone', () => 'EPP'],
])('the same scenario through %s', (_, choose) => {
  let mixed: typeof plain;
  beforeAll(async () => {
    mixed = await runScenario(choose);
  });

  test('success: history, money, messages and mails are those of REST but for the actor', () => {
    expect(mixed.evidence).toEqual(plain.evidence);
    expect(mixed.texts).toEqual(plain.texts);
  });

  test('success: changes through EPP are by another actor, and have the transaction ids of their commands', () => {
    const isEpp = ({ actor }: { actor: string }) => actor.startsWith('epp:');
    const changes = mixed.transactions.filter(isEpp);
    expect(changes.length).toBeGreaterThan(5);
    const ids = [...new Set(changes.map(({ id }) => id ?? 'none'))];
    expect(mixed.sent.filter((id) => ids.includes(id))).toEqual(ids);
    for (const change of mixed.transactions) if (!isEpp(change)) expect(change.id).toBeNull();
  });

  test('success: a poll message names the ids of the command that the registrant has confirmed', () => {
    for (const { command, message } of mixed.pendingActions) if (message) expect(message).toEqual(command);
    // With alternating interfaces, one of each pair of steps is at least once through EPP.
    expect(mixed.pendingActions.some(({ message }) => message !== undefined)).toBe(true);
  });
});
