import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { ee } from '../../src/policy/ee.ts';
import { deleteContact } from '../../src/registry/contacts/delete-contact.ts';
import { updateContact } from '../../src/registry/contacts/update-contact.ts';
import { deleteDomain } from '../../src/registry/domains/delete-domain.ts';
import { readRegistered } from '../../src/registry/domains/readings/read-domain.ts';
import { updateDomain } from '../../src/registry/domains/update-domain.ts';
import { legalDocumentPurge, parseLegalDocument } from '../../src/registry/legal-documents.ts';
import { transferDomain } from '../../src/registry/transfers/transfer-domain.ts';
import { coreForThisFile } from '../support/core.ts';
import { type Found, taken, wrongIn } from '../support/decisions.ts';
import { sql } from '../support/sql.ts';

const core = coreForThisFile();
const documentOf = (content: string) => ({ type: 'pdf', content: Buffer.from(content) });
const documentsOf = (name: string) =>
  core.database.reads.rows(sql`
    select object_kind as kind, request_id as request, document_type as type, convert_from(content, 'UTF8') as content,
      encode(sha256, 'hex') as hash, (select code from registrars r where r.id = registrar_id) as registrar
    from legal_documents where object_name = ${name} order by id`);
const stored = (kind: string, request: string, content: string, registrar = 'ALPHA') => ({
  kind,
  request,
  type: 'pdf',
  content,
  registrar,
  hash: createHash('sha256').update(content).digest('hex'),
});

test('success: a request through EPP leaves its actor and its own transaction id in history', async () => {
  const context = await core.context('alpha', { clientTransactionId: 'ABC-12345', requestId: 'r-1' });
  const name = await core.domain(context);
  await core.run(deleteDomain, { name, verified: true, transferCode: undefined }, context);
  const rows = await core.database.reads.rows(sql`
    select operation, actor, request_id as request, client_transaction_id as client from history where object_name = ${name} order by id`);
  const by = { actor: 'epp:alpha', request: 'r-1', client: 'ABC-12345' };
  expect(rows).toEqual([
    { operation: 'create', ...by },
    { operation: 'delete', ...by },
  ]);
});

test('success: documents of domains are stored with the change, each with its own request', async () => {
  const plain = await core.context('alpha');
  const registrant = await core.contact(plain);
  const requests = ['one', 'two', 'three'].map((content) => ({
    ...plain,
    requestId: `create ${content}`,
    legalDocument: documentOf(content),
  }));
  // Creates at the same time share one statement; the last has no document.
  const names = await Promise.all(
    [...requests, { ...plain, requestId: 'create none' }].map((context) =>
      core.domain(context, { registrant }),
    ),
  );
  const [name = '', second = '', , fourth = ''] = names;
  expect(await documentsOf(second)).toEqual([stored('domain', 'create two', 'two')]);
  expect(await documentsOf(fourth)).toEqual([]);

  const change = { ...plain, requestId: 'update', legalDocument: documentOf('new code') };
  const update = { name, registrant: undefined, transferCode: 'another-code' };
  await core.run(updateDomain, update, change);
  const gaining = await core.context('beta', { requestId: 'take', legalDocument: documentOf('transfer') });
  await transferDomain(core.database, { name, transferCode: 'another-code' }, gaining);
  expect((await readRegistered(core.database.reads, name, gaining))?.transferCode).not.toBe('another-code');
  const deletion = { ...gaining, requestId: 'delete', legalDocument: documentOf('goodbye') };
  await core.run(deleteDomain, { name, verified: true, transferCode: undefined }, deletion);
  expect(await documentsOf(name)).toEqual([
    stored('domain', 'create one', 'one'),
    stored('domain', 'update', 'new code'),
    stored('domain', 'take', 'transfer', 'BETA'),
    stored('domain', 'delete', 'goodbye', 'BETA'),
  ]);
});

test('success: documents of contacts', async () => {
  const context = await core.context('alpha', { requestId: 'create', legalDocument: documentOf('born') });
  const code = await core.contact(context);
  const update = { ...context, requestId: 'update', legalDocument: documentOf('moved') };
  await core.run(updateContact, { code, fields: {} }, update);
  const deletion = { ...context, requestId: 'delete', legalDocument: documentOf('gone') };
  await core.run(deleteContact, { code }, deletion);
  expect(await documentsOf(code)).toEqual([
    stored('contact', 'create', 'born'),
    stored('contact', 'update', 'moved'),
    stored('contact', 'delete', 'gone'),
  ]);
});

test('failure: a refused request leaves no document', async () => {
  const context = await core.context('alpha', { legalDocument: documentOf('refused') });
  const name = await core.domain({ ...context, legalDocument: undefined });
  await core.run(
    deleteDomain,
    { name, verified: true, transferCode: undefined },
    { ...context, dryRun: true },
  );
  const wrong = core.run(deleteDomain, { name, verified: true, transferCode: 'wrong' }, context);
  await expect(wrong).rejects.toThrow('wrong transferCode');
  expect(await documentsOf(name)).toEqual([]);
});

test('success: documents are deleted after their retention period, not before', async () => {
  const now = new Date('2027-03-01T10:00:00Z');
  const context = await core.context('alpha', { now, legalDocument: documentOf('old') });
  const registrant = await core.contact({ ...context, legalDocument: undefined });
  const name = await core.domain(context, { registrant });
  const deleteOld = (at: string) => legalDocumentPurge(ee).removeSome(core.database.writes, new Date(at));
  expect(await deleteOld('2037-03-01T09:59:00Z')).toBeGreaterThanOrEqual(0);
  expect(await documentsOf(name)).toHaveLength(1);
  expect(await deleteOld('2037-03-01T10:01:00Z')).toBe(1);
  expect(await documentsOf(name)).toHaveLength(0);
});

describe('a legal document', () => {
  const { minCharacters, maxCharacters } = ee.legalDocuments;
  /** Base64 has four characters for three bytes. */
  const base64Of = (characters: number) => 'AAAA'.repeat(Math.ceil(characters / 4));
  const refusals = (base64: string, type = 'pdf') => wrongIn(parseLegalDocument({ type, base64 }, ee));

  test.each<[string, string, string, Found]>([
    ['of another type', base64Of(minCharacters), 'exe', ['wrongSyntax', 'legalDocument.type']],
    ['too small', base64Of(minCharacters - 4), 'pdf', ['legalDocumentSize', 'legalDocument']],
    ['too large', base64Of(maxCharacters + 1), 'pdf', ['legalDocumentSize', 'legalDocument']],
    ['not whole', base64Of(minCharacters).slice(1), 'pdf', ['wrongSyntax', 'legalDocument']],
    ['of other characters', `****${base64Of(minCharacters)}`, 'pdf', ['wrongSyntax', 'legalDocument']],
    ['of the other alphabet', `-_AA${base64Of(minCharacters)}`, 'pdf', ['wrongSyntax', 'legalDocument']],
    ['with an end in the middle', `AA==${base64Of(minCharacters)}`, 'pdf', ['wrongSyntax', 'legalDocument']],
  ])('failure: %s', (_what, base64, type, expected) => {
    expect(refusals(base64, type)).toEqual([expected]);
  });

  test('success: within its bounds, with white space ignored', () => {
    expect(refusals(base64Of(minCharacters))).toEqual([]);
    expect(refusals(base64Of(maxCharacters))).toEqual([]);
    const content = Buffer.from('a document '.repeat(400));
    const base64 = content.toString('base64').replace(/(.{76})/g, '$1\r\n');
    expect(taken(parseLegalDocument({ type: 'asice', base64 }, ee))).toEqual({ type: 'asice', content });
  });
});
