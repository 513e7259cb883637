import { requireNone } from '../../operations/refusal.ts';
import type { Outcome } from '../../operations/run-operation.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Pool, Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import { wrongCodesOf } from '../access/wrong-transfer-codes.ts';
import { newTransferCode } from '../domains/create-domain.ts';
import { type ContactInfo, changed, type WholeDomain } from '../domains/domain.ts';
import { refuse } from '../domains/rules/domain-refusals.ts';
import {
  type DomainRow,
  domainValueWithIds,
  lockRows,
  readDomain,
  wasRemoved,
} from '../domains/readings/load-domain.ts';
import { BATCH_LOCK_TIMEOUT_MS, persistBatch } from '../domains/persist-domains.ts';
import type { Context, Decided, Operation, Plan, Request } from '../operation.ts';
import { checkAgreedPrice } from '../prices/prices.ts';
import { runRegistryOperation } from '../run-registry-operation.ts';
import {
  checkTransfer,
  type TransferCandidate,
  type TransferRequest,
  transferredDomain,
} from './check-transfer.ts';
import {
  type Counterparts,
  counterpartsOf,
  identicalContact,
  type MappedContact,
  mapContactsToRegistrars,
} from './transfer-contacts.ts';

type Loaded = {
  readonly found: TransferCandidate | undefined;
  readonly gone: boolean;
  readonly contacts: readonly TakenContact[];
  readonly transferCode: string;
};
/** With the name of the original. */
type TakenContact = MappedContact & { readonly name: string };
type TransferPlan = Plan<WholeDomain> &
  Pick<Loaded, 'contacts' | 'transferCode'> & { readonly found: TransferCandidate };

/** The transfer code is the only authorisation; the transfer is immediate. */
export const transferDomain = (
  database: Database,
  request: TransferRequest,
  context: Context,
): Promise<Outcome<WholeDomain>> => runRegistryOperation(database, transfer, request, context);

const transfer: Operation<TransferRequest, Loaded, TransferPlan> = {
  async load(db, input, context) {
    const [loaded] = await loadAll(db, [{ input, context }]);
    if (!loaded) throw new Error('nothing was loaded for a request');
    return loaded;
  },

  decide({ found, gone, contacts, transferCode }, request, context) {
    if (!found) return refuse(gone ? 'objectGone' : 'objectMissing');
    // A transfer costs nothing.
    requireNone(checkAgreedPrice(0n, context));
    checkTransfer(found, request, context);
    const plan = { found, contacts, transferCode };
    return { answer: transferOf(plan, withoutCopies(plan), context).answer, ...plan };
  },

  async persist(db, plan, context) {
    const [answer] = await persistAll(db, [{ plan, context }]);
    return answer ?? plan.answer;
  },
  batch: { load: loadAll, persist: persistAll },
};

/** The change and what it answers, with the contacts that take the place of the original ones. */
function transferOf(
  { found, transferCode }: Omit<TransferPlan, 'answer'>,
  contacts: ReadonlyMap<number, ContactInfo>,
  context: Context,
) {
  const change = transferredDomain(found, contacts, transferCode, context);
  const written = { domain: change.after, updatedAt: context.now, charged: 0n };
  return { answer: { ...changed(found.domain), ...written }, ...change };
}

/** What a dry run knows: a contact that would be copied has no code yet. */
const withoutCopies = ({ contacts }: Pick<TransferPlan, 'contacts'>): ReadonlyMap<number, ContactInfo> =>
  new Map(
    contacts.map(({ original, contact, name }) => [
      original,
      contact ?? { ...NOT_COPIED, id: original, name },
    ]),
  );
const NOT_COPIED = { code: '', email: '', ident: { ident: '', type: 'priv', countryCode: '' } } as const;

type Row = Omit<TransferCandidate, 'domain'> & {
  readonly domain: DomainRow | null;
  readonly contacts: readonly TakenContact[] | null;
  readonly gone: boolean;
};

/** One row per request, in their order. */
async function loadAll(db: Sql, requests: readonly Request<TransferRequest>[]): Promise<Loaded[]> {
  const rows = await db.rows(sql<Row>`
    select found.domain, found."sponsorName", found."sponsorCode", found.contacts,
      ${wrongCodesOf(sql`asked.name`, { registrarId: sql`asked.registrar_id`, now: sql`asked.at` })} as "wrongCodes",
      ${wasRemoved(sql`asked.name`, sql`asked.registrar_id`)} as gone
    from unnest(${requests.map(({ input }) => input.name)}::text[], ${requests.map(({ context }) => context.principal.registrarId)}::bigint[],
      ${requests.map(({ context }) => context.now.toISOString())}::timestamptz[]) with ordinality as asked(name, registrar_id, at, position)
    left join lateral (
      select ${domainValueWithIds(sql`asked.at`)} as domain, r.name as "sponsorName", r.code as "sponsorCode", (
        select json_agg(json_build_object('original', o.id, 'name', o.name, 'contact', ${identicalContact(sql`asked.registrar_id`)}))
        from (select d.registrant_id as id union select l.contact_id from domain_contacts l where l.domain_id = d.id) as used
        join contacts o on o.id = used.id) as contacts
      from domains d join registrars r on r.id = d.registrar_id where d.name = asked.name) as found on true
    order by asked.position`);
  return rows.map(({ domain, gone, contacts, ...row }) => ({
    found: domain ? { ...row, domain: readDomain(domain) } : undefined,
    contacts: contacts ?? [],
    gone,
    transferCode: newTransferCode(),
  }));
}

/** A batch of transfers that copy no contact is one statement; copies need a transaction. */
async function persistAll(db: Pool, decided: readonly Decided<TransferPlan>[]): Promise<WholeDomain[]> {
  const isComplete = decided.every(({ plan }) => plan.contacts.every(({ contact }) => contact !== null));
  if (isComplete) return persistTransfers(db, decided, knownCounterparts(decided));
  const locks = decided.length === 1 ? {} : { lockTimeoutMs: BATCH_LOCK_TIMEOUT_MS };
  return db.begin(
    async (transaction) => {
      // Domains before transfers to a registrar, as in every transfer.
      const ids = decided.map(({ plan }) => plan.found.domain.id);
      await lockRows(transaction, sql`d.id = any(${ids}::bigint[])`);
      const gains = decided.map(({ plan, context }) => ({ domain: plan.found.domain, context }));
      return persistTransfers(transaction, decided, await mapContactsToRegistrars(transaction, gains));
    },
    { isPrepared: true, ...locks },
  );
}

async function persistTransfers(
  db: Sql,
  decided: readonly Decided<TransferPlan>[],
  counterparts: Counterparts,
): Promise<WholeDomain[]> {
  const changes = decided.map(({ plan, context }) => {
    const contacts = counterparts.get(context.principal.registrarId) ?? new Map<number, ContactInfo>();
    return { plan: transferOf(plan, contacts, context), context };
  });
  await persistBatch(db, changes);
  return changes.map(({ plan }) => plan.answer);
}

const knownCounterparts = (decided: readonly Decided<TransferPlan>[]): Counterparts =>
  counterpartsOf(
    decided.flatMap(({ plan, context: { principal } }) =>
      plan.contacts.map((mapped) => ({ ...mapped, registrarId: principal.registrarId })),
    ),
  );
