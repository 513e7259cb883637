import { clientsKey } from '../../operations/stored-answers.ts';
import type { Reason } from '../../operations/reason.ts';
import type { Recorder } from '../../operations/record-history.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import { actorOf } from '../actor.ts';
import type { LegalDocument } from '../legal-documents.ts';
import type { Context } from '../operation.ts';

export type HistoryRow = {
  readonly at: Date;
  readonly operation: string;
  readonly actor: string;
  readonly registrar: string | null;
  readonly reason: string | null;
  readonly reasonCode: string | null;
  readonly reasonForRegistrar: string | null;
  readonly caseNumber: string | null;
  readonly requestId: string | null;
  /** In cents. */
  readonly charged: string | null;
  readonly before: Readonly<Record<string, unknown>> | null;
  readonly after: Readonly<Record<string, unknown>> | null;
};

export type NamedHistoryRow = HistoryRow & { readonly object: string; readonly name: string };

/** Everything that was done in a case, oldest first. */
export async function readHistoryOfCase(db: Sql, caseNumber: string): Promise<NamedHistoryRow[]> {
  return db.rows(sql<NamedHistoryRow>`
    select h.object_kind as object, h.object_name as name, ${HISTORY_ROW}
    from history h left join registrars r on r.id = h.registrar_id
    where h.case_number = ${caseNumber} order by h.id`);
}

const HISTORY_ROW = sql`
  h.at, h.operation, h.actor, r.code as registrar, h.reason,
  h.reason_code as "reasonCode", h.reason_for_registrar as "reasonForRegistrar", h.case_number as "caseNumber",
  h.request_id as "requestId", h.before, h.after,
  (select e.amount::text from ledger_entries e where e.history_id = h.id) as charged`;

/** The history of all objects that have or had this name, oldest first. */
export async function readHistory(db: Sql, kinds: readonly string[], name: string): Promise<HistoryRow[]> {
  return db.rows(sql<HistoryRow>`
    select ${HISTORY_ROW}
    from history h left join registrars r on r.id = h.registrar_id
    where h.object_kind = any(${kinds}::text[]) and h.object_name = ${name} order by h.id`);
}

/** The members that a change modified, as `name: before → after`. */
export function differences({ before, after }: Pick<HistoryRow, 'before' | 'after'>): string[] {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  const text = (value: unknown) => (value === undefined ? '-' : JSON.stringify(value));
  return names.flatMap((name) => {
    const [was, is] = [text(before?.[name]), text(after?.[name])];
    if (was === is) return [];
    if (!before) return [`${name}: ${is}`];
    return after ? [`${name}: ${was} → ${is}`] : [];
  });
}

/** For a statement whose rows `w` are changes of several authors. */
export const WANTED_AUTHORS: Recorder = {
  actor: sql`w.actor`,
  now: sql`w.at`,
  requestId: sql`w.request_id`,
  clientTransactionId: sql`w.client_transaction_id`,
  idempotencyKey: sql`w.idempotency_key`,
};

/** Who makes a change, when and why, as recorded in history. */
export type Author = {
  readonly actor: string;
  /** The acting registrar; null if the registry or a registrant acts. */
  readonly registrarId: number | null;
  readonly requestId: string | null;
  readonly clientTransactionId?: string | undefined;
  readonly idempotencyKey?: string | null | undefined;
  readonly legalDocument?: LegalDocument | undefined;
  readonly reason?: Reason | undefined;
  readonly now: Date;
};

export const authorOf = (context: Context): Author => ({
  actor: actorOf(context.principal),
  registrarId: context.principal.registrarId,
  requestId: context.requestId,
  clientTransactionId: context.clientTransactionId,
  idempotencyKey: clientsKey(context),
  legalDocument: context.legalDocument,
  now: context.now,
});

/** The registry itself, for scheduled steps. */
export const registryAuthor = (now: Date): Author => ({
  actor: 'registry',
  registrarId: null,
  requestId: null,
  now,
});
