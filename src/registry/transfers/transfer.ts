import { type Refusal, Refused } from '../../operations/refusal.ts';
import type { Outcome } from '../../operations/run-operation.ts';
import type { Database } from '../../platform/sql/database.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import {
  countWrongCodes,
  requireNoGuessing,
  sameCode,
  tooMany,
  WrongCode,
  type WrongCodes,
  wrongCodesOf,
} from '../access/wrong-codes.ts';
import { newTransferCode } from '../domains/create.ts';
import { type ContactInfo, codesOf, type Domain } from '../domains/domain.ts';
import { type DomainRow, domainValue, lockRows, readDomain } from '../domains/load.ts';
import { type DomainChange, persistChanges } from '../domains/persist.ts';
import { requireNotProhibited } from '../domains/statuses.ts';
import { authorOf } from '../history/history.ts';
import type { Context } from '../operation.ts';
import type { NewDetails } from '../poll/message-details.ts';
import { message } from '../poll/messages.ts';
import { refusal, refuse } from '../refusals.ts';
import { refuseMissing } from '../removed.ts';
import { runRegistryTransaction } from '../run-operation.ts';
import { mapContactsToRegistrar } from './transfer-contacts.ts';

export type TransferRequest = { readonly name: string; readonly transferCode: string };
export type TransferCandidate = {
  readonly domain: Domain;
  readonly sponsorName: string;
  readonly sponsorCode: string;
  readonly wrongCodes: WrongCodes;
};

/** Locks the domains to be transferred, in the order of their ids. */
async function lockDomains(
  db: Sql,
  names: readonly string[],
  { now, principal: { registrarId } }: Context,
): Promise<ReadonlyMap<string, TransferCandidate>> {
  const ids = await lockRows(db, sql`d.name = any(${names as string[]}::text[])`);
  const rows = await db.rows(sql<Omit<TransferCandidate, 'domain'> & { readonly domain: DomainRow }>`
    select ${domainValue(now)} as domain, r.name as "sponsorName", r.code as "sponsorCode",
      ${wrongCodesOf(sql`d.name`, { registrarId, now })} as "wrongCodes"
    from domains d join registrars r on r.id = d.registrar_id where d.id = any(${ids}::bigint[])`);
  return new Map(rows.map((row) => [row.domain.name, { ...row, domain: readDomain(row.domain) }]));
}

/** Ordered by what the caller may learn: nothing about the domain before the code is right. */
export function checkTransfer(
  { domain, wrongCodes }: TransferCandidate,
  { transferCode }: TransferRequest,
  context: Context,
): void {
  const isSponsor = domain.registrarId === context.principal.registrarId;
  if (!isSponsor) requireNoGuessing(wrongCodes, context.policy);
  if (!sameCode(transferCode, domain.transferCode))
    throw new WrongCode(domain.name, domain, [
      refusal('wrongCode', { what: 'transfer_code', field: 'transfer.transfer_code' }),
    ]);
  if (isSponsor) refuse('alreadySponsor');
  if ('deleteCandidate' in domain.statuses) refuse('notTransferable');
  requireNotProhibited('transfer', domain.statuses);
}

/** Makes the caller sponsor of the domains and replaces their contacts by its own; all else stays. */
async function transferDomains(
  db: Sql,
  found: readonly TransferCandidate[],
  context: Context,
): Promise<void> {
  if (found.length === 0) return;
  const contacts = await mapContactsToRegistrar(
    db,
    found.map(({ domain }) => domain),
    context,
  );
  if (context.dryRun) return;
  const changes = found.map((item) => transferredDomain(item, contacts, newTransferCode(), context));
  await persistChanges(db, changes, authorOf(context));
}

export function transferredDomain(
  { domain, sponsorName, sponsorCode }: TransferCandidate,
  contacts: ReadonlyMap<number, ContactInfo>,
  transferCode: string,
  { principal }: Context,
): DomainChange {
  const { registrarId } = principal;
  const counterpart = (id: number): ContactInfo => {
    const contact = contacts.get(id);
    if (!contact) throw new Error(`contact ${id} of ${domain.name} was not taken over`);
    return contact;
  };
  const links = domain.contacts.map(({ id, role }) => {
    const { id: newId, code, email } = counterpart(id);
    return { id: newId, code, email, role };
  });
  const after: Domain = {
    ...domain,
    registrarId,
    transferCode,
    registrant: counterpart(domain.registrant.id),
    // Identical contacts were mapped to one, which is linked once per role.
    contacts: links.filter(
      (link, position) =>
        position === links.findIndex(({ id, role }) => id === link.id && role === link.role),
    ),
  };
  const details: NewDetails = {
    kind: 'transfer',
    name: domain.name,
    losing: sponsorCode,
    gaining: principal.registrarCode,
    expireTime: domain.expireTime.toISOString(),
  };
  const codes = [...new Set([...codesOf(domain.contacts, 'admin'), ...codesOf(domain.contacts, 'tech')])];
  return {
    operation: 'transfer',
    before: domain,
    after,
    messages: [
      {
        ...message('transferred_away', {
          ...domain,
          registrar: principal.registrarName,
          registrant: domain.registrant.code,
          contacts: codes.join(', ') || 'none',
        }),
        details,
      },
      { ...message('transferred_in', { ...domain, registrarId, registrar: sponsorName }), details },
    ],
  };
}

/** The transfer code is the only authorisation; the transfer is immediate. */
export function transferDomain(
  database: Database,
  request: TransferRequest,
  context: Context,
): Promise<Outcome> {
  return runRegistryTransaction(database, context, async (db) => {
    const found = (await lockDomains(db, [request.name], context)).get(request.name);
    if (!found) return refuseMissing(db, 'domain', request.name, context.principal);
    checkTransfer(found, request, context);
    await transferDomains(db, [found], context);
    return { domain: { name: request.name, type: 'domain_transfer' } };
  });
}

type Failure = { readonly name: string; readonly reason: Refusal; readonly wrongCode?: WrongCode };
type TransferDecision = {
  readonly accepted: ReadonlyMap<string, TransferCandidate>;
  readonly failures: readonly Failure[];
};

/** Each request succeeds or fails by itself; all that succeed share one transaction. */
export function transferMany(
  database: Database,
  requests: readonly TransferRequest[],
  context: Context,
): Promise<Outcome> {
  return runRegistryTransaction(database, context, async (db) => {
    const domains = await lockDomains(db, [...new Set(requests.map(({ name }) => name))], context);
    const { accepted, failures } = decideTransfers(requests, domains, context);
    const wrong = failures.flatMap(({ wrongCode }) => wrongCode ?? []);
    const tooLate = new Set(await countWrongCodes(db, wrong, context));
    await transferDomains(db, [...accepted.values()], context);
    return {
      success: [...accepted.keys()].map((name) => ({ type: 'domain_transfer', domain_name: name })),
      failed: failures.map(({ name, reason, wrongCode }) => {
        const { code, message } =
          wrongCode && tooLate.has(wrongCode) ? tooMany({ secondsLeft: null }) : reason;
        return { type: 'domain_transfer', domain_name: name, errors: { code: String(code), msg: message } };
      }),
    };
  });
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
