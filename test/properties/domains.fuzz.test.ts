import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkLedger } from '../../src/ledger/check-ledger.ts';
import { alpha, beta, type Client } from '../support/client.ts';
import { createContact } from '../support/contacts.ts';
import { hosts, KEY, newDomain } from '../support/domains.ts';
import { seed } from '../support/seed.ts';
import { sql } from '../support/sql.ts';
import { alphaCodes, betaCodes } from './contact-requests.ts';
import { alphaNames, betaNames, CHOSEN, domainRequests } from './domain-requests.ts';
import { FuzzedRegistry, LIMIT_MS, REQUESTS } from './fuzzed-registry.ts';

let target: FuzzedRegistry;
beforeAll(async () => {
  target = await FuzzedRegistry.start('transfer_code');
  const { url } = target.registry;
  await settle(alpha(url), alphaCodes, alphaNames);
  await settle(beta(url), betaCodes, betaNames);
});
afterAll(() => target.registry.stop());

async function settle(client: Client, codes: readonly string[], names: readonly string[]): Promise<void> {
  for (const id of codes) await createContact(client, { id });
  const parts = {
    nameservers_attributes: hosts('ns1.fuzz.example', 'ns2.fuzz.example'),
    dnskeys_attributes: [KEY],
  };
  for (const name of names) {
    const { status, text } = await client.post('/domains', newDomain(codes[0] ?? '', { name, ...parts }));
    if (status !== 200) throw new Error(`${name} was not registered: ${text}`);
  }
}

/** Codes that the product makes, and those that requests chose for alpha; a chosen word of any text is no secret. */
const isSecret = (text: string) => /^[0-9a-f]{32}$/.test(text) || text.startsWith(`${CHOSEN}alpha`);

describe(`fuzzing of domains, FUZZ_SEED=${seed}`, { timeout: LIMIT_MS }, () => {
  test('success: every answer is one of the document', async () => {
    await target.ask(domainRequests, REQUESTS);
    expect((await alpha(target.registry.url).get('/domains')).status).toBe(200);
  });

  test('success: the run has had effects, and every cent is accounted for', async () => {
    const done = await target.registry.sql.rows(sql<{ operation: string; times: number }>`
      select operation, count(*)::int as times from history where object_kind = 'domain' group by operation`);
    expect(done.length).toBeGreaterThanOrEqual(4);
    expect(done.find(({ operation }) => operation === 'create')?.times).toBeGreaterThan(
      alphaNames.length + betaNames.length,
    );
    expect(await checkLedger(target.registry.sql)).toEqual([]);
  });

  test('success: no transfer code of one registrar is in an answer to another, in the log, in history or in a stored answer', async () => {
    const stored = await target.registry.sql.rows(sql<{ secret: string }>`
      select d.transfer_code as secret from domains d join registrars r on r.id = d.registrar_id where r.code = 'ALPHA'`);
    const secrets = stored.map(({ secret }) => secret);
    expect(secrets.some((secret) => secret.startsWith(CHOSEN))).toBe(true);
    expect(await target.shownSecrets(secrets, isSecret)).toEqual([]);
    expect(target.unforeseen()).toEqual([]);
  });
});
