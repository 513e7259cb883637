import { test } from 'vitest';
import { refusal } from '../../../src/operations/common-refusals.ts';
import { carryOut } from '../../../src/operations/operator-operation.ts';
import { ee } from '../../../src/policy/ee.ts';
import type { Policy } from '../../../src/policy/policy.ts';
import { openDispute } from '../../../src/registry/names/open-dispute.ts';
import { EppClient } from '../../support/epp.ts';
import { logInCommand, poll } from '../../support/epp-frames.ts';
import { eppAddressOf } from '../../support/epp-sandbox.ts';
import { startEppServerForTest } from '../../support/epp-server.ts';
import { moveClock } from '../../support/life.ts';
import { operator } from '../../support/operator.ts';
import { startFreshRegistry, type TestRegistry } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';
import { setStatuses } from '../../support/statuses.ts';
import {
  recordDialect,
  recordDisputes,
  recordForeignObjects,
  recordLastRefusals,
  recordPolls,
  recordProtectedContacts,
  recordRestorations,
  recordStates,
} from './epp.ts';
import { recordAmbiguousContacts, recordDemandingPolicy } from './epp-policy.ts';
import { EppRecorder } from './epp-recorder.ts';
import { recordFrames, recordLogins } from './epp-session.ts';

const DIALECTS = [
  ['ietf', ''],
  ['ee', 'e-'],
] as const;

/** The registrants of one dialect confirm what they are asked, those of the other reject it. */
async function answerRegistrants({ sql: db }: TestRegistry): Promise<void> {
  const mails = await db.rows(sql<{ text: string }>`
    select text from mails where text like '%/confirm/%' order by id`);
  for (const { text } of mails) {
    const link = /\S+\/confirm\/[\w-]+/.exec(text)?.[0] ?? '';
    const body = new URLSearchParams({ decision: /\be-(?:two|three)\.ee/.test(text) ? 'reject' : 'confirm' });
    await fetch(link, { method: 'POST', body, redirect: 'manual' });
  }
}

const prohibit = (registry: TestRegistry, statuses: Readonly<Record<string, string>>): Promise<unknown> =>
  registry.sql.run(
    sql`update domains set statuses = ${JSON.stringify(statuses)}::jsonb where name like '%õun.ee'`,
  );

async function openDisputes(registry: TestRegistry): Promise<void> {
  const context = operator({
    now: new Date('2030-01-15T10:00:00.000Z'),
    reason: { text: 'a claim' },
  });
  for (const name of ['disputed.ee', 'four.ee', 'e-four.ee'])
    await carryOut(registry.sql, openDispute, { name, code: 'dispute-code', duration: 'P10Y' }, context);
}

/** A domain that has expired longer ago than the shortest period, and one that is about to be deleted. */
async function endDomains({ sql: db }: TestRegistry): Promise<void> {
  await db.run(sql`update domains set expire_time = '2030-10-15T22:00:00Z' where name = 'late.ee'`);
  await setStatuses(db, 'final.ee', { deleteCandidate: '' });
}

/** For a machine that is busy with other tests. */
const LIMIT_MS = 240_000;

/**
 * What EPP answered when this was recorded, byte for byte, without the envelope of answers and their transaction ids.
 * Intended changes are recorded again with `--update` and reviewed as a diff.
 */
test(
  'success: the answers to frames of both dialects are those recorded',
  async ({ expect, onTestFinished }) => {
    const registry = await startFreshRegistry({ eppPort: 0, rateLimitPerMinute: 1_000_000 });
    onTestFinished(() => registry.stop());
    await moveClock(registry, { set: '2030-01-15T10:00:00.000Z' });
    const { port, ca_certificate: ca } = await eppAddressOf(registry.url);
    const recorder = new EppRecorder(() => EppClient.connect({ port, ca }));
    onTestFinished(() => recorder.closeAll());
    await recordLogins(recorder);
    for (const user of ['alpha', 'beta', 'poor']) await recorder.logIn(user);
    await recordForeignObjects(recorder);
    await recordFrames(recorder);
    for (const [dialect, prefix] of DIALECTS) await recordDialect(recorder, dialect, prefix);
    await answerRegistrants(registry);
    await prohibit(registry, {
      serverUpdateProhibited: 'a note',
      serverRenewProhibited: '',
      serverDeleteProhibited: '',
    });
    for (const [dialect, prefix] of DIALECTS) await recordStates(recorder, dialect, prefix);
    await prohibit(registry, {
      serverObjUpdateProhibited: '',
      serverExtensionUpdateProhibited: '',
      serverManualInzone: '',
      serverRegistrantChangeProhibited: '',
      serverTechChangeProhibited: '',
      serverAdminChangeProhibited: '',
    });
    for (const [dialect, prefix] of DIALECTS) await recordStates(recorder, dialect, prefix);
    for (const [dialect, prefix] of DIALECTS) await recordRestorations(recorder, dialect, prefix);
    await openDisputes(registry);
    for (const [dialect, prefix] of DIALECTS) await recordDisputes(recorder, dialect, prefix);
    await registry.sql.run(
      sql`update contacts set statuses = '{"serverUpdateProhibited": null, "serverDeleteProhibited": null}' where code like '%tec0'`,
    );
    for (const [dialect, prefix] of DIALECTS) await recordProtectedContacts(recorder, dialect, prefix);
    await moveClock(registry, { set: '2031-02-05T10:00:00.000Z' });
    for (const [dialect, prefix] of DIALECTS) await recordStates(recorder, dialect, prefix);
    await recordPolls(recorder, 'alpha', 'ietf');
    await recordPolls(recorder, 'beta', 'ee');
    await endDomains(registry);
    await recordLastRefusals(recorder);
    expect(recorder.complaints).toEqual([]);
    expect(recorder.count).toBeGreaterThanOrEqual(1_500);
    await expect(recorder.text).toMatchFileSnapshot('epp.txt');
  },
  LIMIT_MS,
);

const DEMANDING: Policy = {
  ...ee,
  domains: {
    ...ee.domains,
    adminRequired: true,
    renewalWindowDays: 30,
    clientStatuses: ['clientHold', 'clientRenewProhibited', 'clientUpdateProhibited'],
  },
  contacts: {
    ...ee.contacts,
    address: 'none',
    clientStatuses: ['clientDeleteProhibited', 'clientUpdateProhibited'],
  },
  legalDocuments: { ...ee.legalDocuments, required: true },
};

test('success: the answers under another policy, without a certificate and during maintenance are those recorded', async ({
  expect,
  onTestFinished,
}) => {
  let isMaintained = false;
  const server = await startEppServerForTest({
    policy: DEMANDING,
    certificates: 'required',
    settings: { eppSessionsPerRegistrar: 1 },
    clock: { now: () => new Date('2030-01-15T10:00:00.000Z') },
    unavailable: () => (isMaintained ? refusal('maintenance') : undefined),
  });
  onTestFinished(() => server.stop());
  const { identities } = server;
  let { connect } = server;
  const recorder = new EppRecorder((user) => connect(identities[user as keyof typeof identities]));
  onTestFinished(() => recorder.closeAll());
  await recorder.sendLast(await server.connect(), 'nobody', { body: '<login/>' });
  for (const user of ['alpha', 'beta', 'poor']) await recorder.logIn(user);
  const second = await server.connect(identities.alpha);
  const [command, ...extensions] = logInCommand('alpha', 'alpha-sandbox-password', second.greeting, {});
  await recorder.sendLast(second, 'alpha', command, ...extensions);
  for (const [dialect, prefix] of DIALECTS) await recordDemandingPolicy(recorder, dialect, prefix);
  await recordAmbiguousContacts(recorder, async () => {
    await recorder.session('poor').close();
    await server.sql.run(sql`update registrars set compatibility = true where code = 'POOR'`);
    const another = await server.startAnother();
    onTestFinished(() => another.stop());
    connect = another.connect;
  });
  isMaintained = true;
  await recorder.send('alpha', poll.request);
  expect(recorder.complaints).toEqual([]);
  await expect(recorder.text).toMatchFileSnapshot('epp-policy.txt');
});
