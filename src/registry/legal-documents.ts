import { sql } from '../platform/sql/statement.ts';
import { type Part, part } from '../platform/sql/with.ts';

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
  return part(
    'documented',
    ['changed'],
    sql`
    insert into legal_documents (registrar_id, object_kind, object_id, object_name, request_id, document_type, sha256, content, received_at)
    select d.registrar_id, ${objectKind}, changed.id, changed.name, d.request_id, d.type, sha256(d.content), d.content, d.received_at
    from unnest(${documents.map(({ name }) => name ?? null)}::text[], ${documents.map(({ registrarId }) => registrarId)}::bigint[],
      ${documents.map(({ requestId }) => requestId)}::text[], ${documents.map(({ type }) => type)}::text[],
      ${documents.map(({ content }) => content)}::bytea[], ${documents.map(({ now }) => now.toISOString())}::timestamptz[])
      as d(name, registrar_id, request_id, type, content, received_at)
    join changed on changed.name = coalesce(d.name, changed.name)`,
  );
}
