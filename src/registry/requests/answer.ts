import { runTransaction } from '../../operations/in-transaction.ts';
import type { Database } from '../../platform/sql/database.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import type { Policy } from '../../policy/policy.ts';
import { newTransferCode } from '../domains/create.ts';
import type { ContactInfo } from '../domains/domain.ts';
import { contactInfo, readLocked } from '../domains/load.ts';
import { persistChanges } from '../domains/persist.ts';
import { decideRequest, theRegistrant } from './decide.ts';
import { hashOfToken, type RequestOutcome } from './store.ts';

/** A request as its registrant sees it. */
export type ShownRequest = {
  readonly kind: 'registrant change' | 'deletion';
  readonly domain: string;
  readonly registrar: string;
  readonly registrant: string;
  /** Null for a deletion, and where the contact is gone by now. */
  readonly newRegistrant: string | null;
  readonly requestedAt: Date;
  readonly lapsesAt: Date;
  readonly state: 'open' | RequestOutcome;
};

/** The request of a link; undefined for a link that we never sent, or whose domain is gone. */
export async function findRequest(db: Sql, token: string, now: Date): Promise<ShownRequest | undefined> {
  return db.maybe(sql<ShownRequest>`
    select q.kind, d.name as domain, r.name as registrar, c.name as registrant, n.name as "newRegistrant",
      q.requested_at as "requestedAt", q.lapses_at as "lapsesAt",
      coalesce(q.outcome, case when q.lapses_at <= ${now} then 'lapsed' else 'open' end) as state
    from registrant_requests q
    join domains d on d.id = q.domain_id
    join registrars r on r.id = q.registrar_id
    join contacts c on c.id = d.registrant_id
    left join contacts n on n.id = q.new_registrant_id
    where q.token_hash = decode(${hashOfToken(token)}, 'hex')`);
}

type Parts = { readonly database: Database; readonly policy: Policy };

/** Carries out what the registrant decided, once; whoever comes later sees what became of it. */
export async function answerRequest(
  { database, policy }: Parts,
  token: string,
  decision: 'confirm' | 'reject',
  { now, requestId }: { readonly now: Date; readonly requestId: string },
): Promise<ShownRequest | undefined> {
  await runTransaction(database.writes, now, async (db) => {
    const open = await lockOpenRequest(db, token, now);
    if (!open) return;
    const { domain, ...request } = open;
    const change = decideRequest(domain, request, decision, { now, policy });
    await persistChanges(db, [change], theRegistrant(now, requestId));
  });
  return findRequest(database.writes, token, now);
}

async function lockOpenRequest(db: Sql, token: string, now: Date) {
  type Row = {
    id: number;
    kind: ShownRequest['kind'];
    lapsesAt: Date;
    newTransferCode: string | null;
    newRegistrantId: number | null;
  };
  const row = await db.maybe(sql<Row>`
    select d.id, q.kind, q.lapses_at as "lapsesAt", q.new_transfer_code as "newTransferCode", q.new_registrant_id as "newRegistrantId"
    from registrant_requests q join domains d on d.id = q.domain_id
    where q.token_hash = decode(${hashOfToken(token)}, 'hex') and q.closed_at is null and q.lapses_at > ${now}
    for update of d, q`);
  const [domain] = row ? await readLocked(db, [row.id], now) : [];
  if (!row || !domain) return undefined;
  const contact = await db.maybe(sql<{ info: ContactInfo & { registrarId: number } }>`
    select ${contactInfo()}::jsonb || jsonb_build_object('registrarId', c.registrar_id) as info
    from contacts c where c.id = ${row.newRegistrantId}`);
  const { kind, lapsesAt } = row;
  return {
    ...{ domain, kind, lapsesAt },
    newRegistrant: contact?.info ?? null,
    newTransferCode: row.newTransferCode ?? newTransferCode(),
  };
}
