import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { alpha, beta } from '../support/client.ts';
import { createContact } from '../support/contacts.ts';
import { exchange, parseAnswers } from '../support/raw-http.ts';
import { seed } from '../support/seed.ts';
import { sql } from '../support/sql.ts';
import { brokenBytes } from './broken-bytes.ts';
import { alphaCodes, betaCodes, contactRequests } from './contact-requests.ts';
import { FuzzedRegistry, LIMIT_MS, REQUESTS } from './fuzzed-registry.ts';

let target: FuzzedRegistry;
beforeAll(async () => {
  target = await FuzzedRegistry.start('auth_info');
  const { url } = target.registry;
  for (const id of alphaCodes) await createContact(alpha(url), { id });
  for (const id of betaCodes) await createContact(beta(url), { id });
});
afterAll(() => target.registry.stop());

describe(`fuzzing of contacts, FUZZ_SEED=${seed}`, { timeout: LIMIT_MS }, () => {
  test('success: every answer is one of the document', async () => {
    await target.ask(contactRequests, REQUESTS * 0.75);
  });

  test('success: malformed requests are refused in the envelope, or not answered at all', async () => {
    await target.tryEach(brokenBytes, REQUESTS * 0.25, async ({ kind, method, target: path, pieces }) => {
      const answers = parseAnswers(await exchange(target.port, pieces, { pauseMs: 15, silenceMs: 100 }));
      const wrong = answers.flatMap((answer) => target.faults(method, path, answer));
      const sent = JSON.stringify(Buffer.concat(pieces).toString('latin1').slice(0, 600));
      if (wrong.length > 0) throw new Error(`${kind}: ${wrong.join('; ')}\n${sent}`);
    });
    expect((await alpha(target.registry.url).get('/contacts')).status).toBe(200);
  });

  test('success: no secret of one registrar is in an answer to another, in the log, in history or in a stored answer', async () => {
    const stored = await target.registry.sql.rows(sql<{ secret: string }>`
      select c.auth_info as secret from contacts c join registrars r on r.id = c.registrar_id where r.code = 'ALPHA'`);
    const shown = await target.shownSecrets(
      stored.map(({ secret }) => secret),
      () => true,
    );
    expect(shown).toEqual([]);
    expect(target.unforeseen()).toEqual([]);
  });
});
