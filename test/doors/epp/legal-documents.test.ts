import { afterAll, beforeAll, describe, test } from 'vitest';
import { ee } from '../../../src/policy/ee.ts';
import { freshName } from '../../support/domains.ts';
import type { EppClient } from '../../support/epp.ts';
import { eis } from '../../support/epp-frames.ts';
import { objectCommands } from '../../support/epp-objects.ts';
import { type EppTestServer, startEppServerForTest } from '../../support/epp-server.ts';
import { sql } from '../../support/sql.ts';
import { expect } from '../../support/this-test.ts';

const { contact, domain } = objectCommands('ee');
const base64 = Buffer.alloc(4_000, 'x').toString('base64');
const withDocument = eis({ legalDocument: { type: 'pdf', base64 } });

let server: EppTestServer;
let client: EppClient;
beforeAll(async () => {
  const legalDocuments = { ...ee.legalDocuments, required: true };
  server = await startEppServerForTest({ policy: { ...ee, legalDocuments } });
  client = await server.logIn('alpha');
  for (const [id, code] of [
    ['mari', '60001019906'],
    ['jaan', '50001029996'],
  ] as const)
    await client.command(
      contact.create(id, { name: 'Mari Maasikas', voice: '+372.5551234', email: 'mari@example.ee' }),
      eis({ ident: { type: 'priv', cc: 'EE', code } }),
    );
});
afterAll(() => server.stop());

describe('where the policy demands a legal document', () => {
  test('failure: a registration without one, together with its other errors', async () => {
    const answer = await client.command(domain.create({ name: 'no_name.ee', registrant: 'mari' }));
    expect(answer.codes).toEqual([2003, 2005]);
    expect(answer.messages[0]).toBe('Field is missing or empty: eis:legalDocument');
  });

  test('failure: one that is too small is refused once, with the other errors', async () => {
    const small = eis({ legalDocument: { type: 'pdf', base64: 'AAAA' } });
    const answer = await client.command(domain.create({ name: 'no_name.ee', registrant: 'mari' }), small);
    expect(answer.codes).toEqual([2308, 2005]);
  });

  test('success: a registration and a new registrant with one each; a renewal and other updates need none', async () => {
    const name = freshName();
    const created = await client.command(domain.create({ name, registrant: 'mari' }), withDocument);
    expect(created.code).toBe(1000);
    const other = { registrant: 'jaan', verified: 'yes' };
    expect((await client.command(domain.update(name, other))).codes).toEqual([2003]);
    expect((await client.command(domain.update(name, { add: { statuses: ['clientHold'] } }))).code).toBe(
      1000,
    );
    expect((await client.command(domain.update(name, other), withDocument)).code).toBe(1000);
    const stored = await server.sql.rows(
      sql`select encode(sha256, 'hex') = encode(sha256(content), 'hex') as whole, document_type as type
        from legal_documents where object_name = ${name}`,
    );
    expect(stored).toEqual([
      { whole: true, type: 'pdf' },
      { whole: true, type: 'pdf' },
    ]);
  });
});
