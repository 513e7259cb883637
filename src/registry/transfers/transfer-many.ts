import { runTransaction } from '../../operations/in-transaction.ts';
import { type Refusal, Refused } from '../../operations/refusal.ts';
import type { Outcome } from '../../operations/run-operation.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import { countWrongCodes, tooMany, WrongCode, wrongCodesOf } from '../access/wrong-transfer-codes.ts';
import type { BulkFinding } from '../domains/bulk/bulk-findings.ts';
import type { RowResult } from '../domains/bulk/row-results.ts';
import { newTransferCode } from '../domains/create-domain.ts';
import type { ContactInfo } from '../domains/domain.ts';
import { refusal } from '../domains/rules/domain-refusals.ts';
import { type DomainRow, domainValue, lockRows, readDomain } from '../domains/readings/load-domain.ts';
import { persistChanges } from '../domains/persist-domains.ts';
import { authorOf } from '../history/read-history.ts';
import type { Context } from '../operation.ts';
import { quote, runRegistryTransaction } from '../run-registry-operation.ts';
import {
  checkTransfer,
  type TransferCandidate,
  type TransferRequest,
  transferredDomain,
} from './check-transfer.ts';
import { mapContactsToRegistrars } from './transfer-contacts.ts';

/** Locks the domains to be transferred, in the order of their ids. */
async function lockDomains(
  db: Sql,
  names: readonly string[],
  { now, principal: { registrarId } }: Context,
): Promise<ReadonlyMap<string, TransferCandidate>> {
  const ids = await lockRows(db, sql`d.name = any(${names}::text[])`);
  const rows = await db.rows(sql<Omit<TransferCandidate, 'domain'> & { readonly domain: DomainRow }>`
    select ${domainValue(now)} as domain, r.name as "sponsorName", r.code as "sponsorCode",
      ${wrongCodesOf(sql`d.name`, { registrarId, now })} as "wrongCodes"
    from domains d join registrars r on r.id = d.registrar_id where d.id = any(${ids}::bigint[])`);
  return new Map(rows.map((row) => [row.domain.name, { ...row, domain: readDomain(row.domain) }]));
}

async function transferDomains(
  db: Sql,
  found: readonly TransferCandidate[],
  context: Context,
): Promise<void> {
  if (found.length === 0) return;
  const gains = found.map(({ domain }) => ({ domain, context }));
  const counterparts = await mapContactsToRegistrars(db, gains);
  const contacts = counterparts.get(context.principal.registrarId) ?? new Map<number, ContactInfo>();
  const changes = found.map((item) => transferredDomain(item, contacts, newTransferCode(), context));
  await persistChanges(db, changes, authorOf(context));
}

type Failure = { readonly name: string; readonly reason: Refusal; readonly wrongCode?: WrongCode };
type TransferDecision = {
  readonly accepted: ReadonlyMap<string, TransferCandidate>;
  readonly failures: readonly Failure[];
};

/** Each request succeeds or fails by itself; all that succeed share one transaction. */
export async function transferMany(
  database: Database,
  requests: readonly TransferRequest[],
  context: Context,
): Promise<Outcome<BulkTransfer>> {
  if (context.dryRun) {
    const { answer } = settle(await decideOnly(database, requests, context));
    return { replayed: false, answer, quote: await quote(database.reads, { answer }, context) };
  }
  return runRegistryTransaction(database, context, async (db) => {
    const { done, answer } = settle(await decideLocked(db, requests, context));
    await transferDomains(db, done, context);
    return answer;
  });
}

/** The same in a transaction of the caller. */
export async function transferEach(
  db: Sql,
  requests: readonly TransferRequest[],
  context: Context,
): Promise<RowResult[]> {
  const { accepted, failures } = await decideLocked(db, requests, context);
  await transferDomains(db, [...accepted.values()], context);
  const reasons = new Map(failures.map(({ name, reason }) => [name, reason]));
  return requests.map(({ name }) => {
    const reason = reasons.get(name);
    return reason ? { name, outcome: 'refused', refusal: reason } : { name, outcome: 'changed' };
  });
}

function settle({ accepted, failures }: TransferDecision) {
  const done = [...accepted.values()];
  const answer: BulkTransfer = {
    transferred: done.map(({ domain: { name } }) => name),
    failed: failures.map(({ name, reason }) => ({ name, reason })),
  };
  return { done, answer };
}

export type BulkTransfer = {
  readonly transferred: readonly string[];
  readonly failed: readonly { readonly name: string; readonly reason: Refusal }[];
};

/** Which of the transfers could be carried out. */
export async function previewTransfers(
  database: Pick<Database, 'writes'>,
  requests: readonly TransferRequest[],
  context: Context,
): Promise<BulkFinding[]> {
  const { accepted, failures } = await decideOnly(database, requests, context);
  const reasons = new Map(failures.map(({ name, reason }) => [name, reason]));
  return requests.map(({ name }) => {
    const found = accepted.get(name);
    return found
      ? { name, before: found.domain, after: found.domain }
      : { name, refusal: reasons.get(name) ?? refusal('objectMissing') };
  });
}

/** For previews and dry runs: nothing is written but the wrong codes, which count there too. */
const decideOnly = (
  { writes }: Pick<Database, 'writes'>,
  requests: readonly TransferRequest[],
  context: Context,
): Promise<TransferDecision> =>
  runTransaction(writes, context.now, (db) => decideLocked(db, requests, context));

/** The decision on domains that are locked meanwhile, with wrong codes counted. */
async function decideLocked(
  db: Sql,
  requests: readonly TransferRequest[],
  context: Context,
): Promise<TransferDecision> {
  const domains = await lockDomains(db, [...new Set(requests.map(({ name }) => name))], context);
  const { accepted, failures } = decideTransfers(requests, domains, context);
  const wrong = failures.flatMap(({ wrongCode }) => wrongCode ?? []);
  const tooLate = new Set(await countWrongCodes(db, wrong, context));
  return {
    accepted,
    failures: failures.map((failure) =>
      failure.wrongCode && tooLate.has(failure.wrongCode)
        ? { ...failure, reason: tooMany({ secondsLeft: null }) }
        : failure,
    ),
  };
}

/** A wrong code counts for the requests after it, so that one bulk request gives no more guesses than single ones. */
export function decideTransfers(
  requests: readonly TransferRequest[],
  domains: ReadonlyMap<string, TransferCandidate>,
  context: Context,
): TransferDecision {
  const accepted = new Map<string, TransferCandidate>();
  const failures: Failure[] = [];
  const guesses = new Map<string, number>();
  for (const request of requests) {
    const { name } = request;
    const found = domains.get(name);
    const failure = accepted.has(name)
      ? { name, reason: refusal('domainTwice', { name }) }
      : checkOneTransfer(found, guesses.get(name) ?? 0, request, context);
    if (failure) failures.push(failure);
    else if (found) accepted.set(name, found);
    if (failure?.wrongCode) guesses.set(name, (guesses.get(name) ?? 0) + 1);
  }
  return { accepted, failures };
}

function checkOneTransfer(
  found: TransferCandidate | undefined,
  guesses: number,
  request: TransferRequest,
  context: Context,
): Failure | undefined {
  const { name } = request;
  if (!found) return { name, reason: refusal('objectMissing') };
  const wrongCodes = { ...found.wrongCodes, count: found.wrongCodes.count + guesses };
  try {
    checkTransfer({ ...found, wrongCodes }, request, context);
    return undefined;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const [reason] = error.refusals;
    return error instanceof WrongCode ? { name, reason, wrongCode: error } : { name, reason };
  }
}
