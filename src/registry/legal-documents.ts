import type { Parsed, Refusal } from '../operations/refusal.ts';
import type { Purge } from '../platform/jobs/run-purge.ts';
import { type Fragment, sql } from '../platform/sql/statement.ts';
import { type Part, part } from '../platform/sql/with.ts';
import type { Policy } from '../policy/policy.ts';
import { registryRefusals } from './registry-refusals.ts';

/** Where a command has its document. */
type DocumentPath = readonly ['legalDocument'] | readonly ['legalDocument', 'type'];
const { refusal } = registryRefusals<DocumentPath>();

/** A document that a registrar attached to a request. It is stored as received, and never parsed. */
export type LegalDocument = { readonly type: string; readonly content: Buffer };

type DocumentedRequest = {
  readonly legalDocument?: LegalDocument | undefined;
  readonly registrarId: number | null;
  readonly requestId: string | null;
  readonly now: Date;
  /** The object of this request, if the statement changes the objects of several requests. */
  readonly name?: string;
};

/** Part of a persisting statement: the requests' documents, for the rows (id, name) of the part called `changed`. */
export function storeLegalDocuments(
  objectKind: 'contact' | 'domain',
  requests: readonly DocumentedRequest[],
): Part<'documented', 'changed'> | undefined {
  const documents = requests.flatMap(({ legalDocument, ...request }) =>
    legalDocument ? [{ ...legalDocument, ...request }] : [],
  );
  if (documents.length === 0) return undefined;
  // One value each, which is sent as it is: an array of documents would be sent as text of twice their size.
  const rows = documents
    .map(
      ({ name = null, registrarId, requestId, type, content, now }) =>
        sql`(${name}::text, ${registrarId}::bigint, ${requestId}, ${type}, ${content}, ${now}::timestamptz)`,
    )
    .reduce((all, row) => sql`${all}, ${row}`);
  return part(
    'documented',
    ['changed'],
    sql`
    insert into legal_documents (registrar_id, object_kind, object_id, object_name, request_id, document_type, sha256, content, received_at)
    select d.registrar_id, ${objectKind}, changed.id, changed.name, d.request_id, d.type, sha256(d.content), d.content, d.received_at
    from (values ${rows}) as d(name, registrar_id, request_id, type, content, received_at)
    join changed on changed.name = coalesce(d.name, changed.name)`,
  );
}

/** A registration and a change of registrant need one where the policy says so. */
export const checkDocumentGiven = (isGiven: boolean, { legalDocuments }: Policy): Refusal[] =>
  isGiven || !legalDocuments.required ? [] : [refusal('fieldMissing', { at: ['legalDocument'] })];

/** White space in the text is ignored, as XML allows it in Base64. */
export function parseLegalDocument(
  { type, base64 }: { readonly type: string; readonly base64: string },
  { legalDocuments: { types, minCharacters: least, maxCharacters: most } }: Policy,
): Parsed<LegalDocument> {
  const text = /\s/.test(base64) ? base64.replace(/\s+/g, '') : base64;
  const content = decodeBase64(text);
  const size = { least, most, at: ['legalDocument'] } as const;
  const refusals: Refusal[] = [
    ...(types.includes(type)
      ? []
      : [refusal('wrongSyntax', { at: ['legalDocument', 'type'], expected: `one of ${types.join(', ')}` })]),
    ...(text.length < least || text.length > most ? [refusal('legalDocumentSize', size)] : []),
    ...(content ? [] : [refusal('wrongSyntax', { at: ['legalDocument'], expected: 'a text in Base64' })]),
  ];
  return refusals.length > 0 || !content ? { refusals } : { value: { type, content } };
}

/** Undefined unless every character counts: the decoder skips what is not Base64, and also accepts its other alphabet. */
function decodeBase64(text: string): Buffer | undefined {
  if (text.length % 4 !== 0 || text.includes('-') || text.includes('_')) return undefined;
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  const content = Buffer.from(text, 'base64');
  return content.length === (text.length / 4) * 3 - padding ? content : undefined;
}

/** Small: a document can have megabytes. */
const BATCH = 100;

const oldDocuments = (now: Date, years: number): Fragment => sql`
  select id from legal_documents where received_at <= ${now}::timestamptz - make_interval(years => ${years})`;

/** Documents that are older than the policy keeps them. */
export const legalDocumentPurge = ({ legalDocuments: { retentionYears: years } }: Policy): Purge => ({
  step: 'delete legal documents',
  table: sql`legal_documents`,
  due: (time) => oldDocuments(time, years),
  removeSome: (db, time) =>
    db.run(sql`
      delete from legal_documents where id = any(array(${oldDocuments(time, years)} order by received_at limit ${BATCH}))`),
});
