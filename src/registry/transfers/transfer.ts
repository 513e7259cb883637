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
import { type Change, persistChanges } from '../domains/persist.ts';
import { isProhibited } from '../domains/statuses.ts';
import { authorOf } from '../history/history.ts';
import type { Context } from '../operation.ts';
import { message } from '../poll/messages.ts';
import { refusal, refuse } from '../refusals.ts';
import { refuseMissing } from '../removed.ts';
import { runRegistryTransaction } from '../run-operation.ts';
import { takeOverContacts } from './transfer-contacts.ts';

export type TransferRequest = { readonly name: string; readonly transferCode: string };
export type Found = {
  readonly domain: Domain;
  readonly sponsorName: string;
  readonly wrongCodes: WrongCodes;
};

/** Locks the domains that are to be transferred, in the order of their ids. */
export async function lockDomains(
  db: Sql,
  names: readonly string[],
  { now, principal: { registrarId } }: Context,
): Promise<ReadonlyMap<string, Found>> {
  const ids = await lockRows(db, sql`d.name = any(${names as string[]}::text[])`);
  const rows = await db.rows(sql<{ domain: DomainRow; sponsorName: string; wrongCodes: WrongCodes }>`
    select ${domainValue(now)} as domain, (select r.name from registrars r where r.id = d.registrar_id) as "sponsorName",
      ${wrongCodesOf(sql`d.name`, { registrarId, now })} as "wrongCodes"
    from domains d where d.id = any(${ids}::bigint[])`);
  return new Map(rows.map((row) => [row.domain.name, { ...row, domain: readDomain(row.domain) }]));
}

/** Whatever speaks against it, in the order in which a stranger may learn of it: nothing before the right code. */
export function checkTransfer(
  { domain, wrongCodes }: Found,
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
  if (isProhibited('transfer', domain.statuses)) refuse('statusProhibits');
}

/** Makes the caller the sponsor of the domains, whose contacts become his; nothing else about them changes. */
export async function transferDomains(db: Sql, found: readonly Found[], context: Context): Promise<void> {
  if (found.length === 0) return;
  const contacts = await takeOverContacts(
    db,
    found.map(({ domain }) => domain),
    context,
  );
  if (context.dryRun) return;
  const changes = found.map((item) => transferredDomain(item, contacts, newTransferCode(), context));
  await persistChanges(db, changes, authorOf(context));
}

export function transferredDomain(
  { domain, sponsorName }: Found,
  contacts: ReadonlyMap<number, ContactInfo>,
  transferCode: string,
  { principal }: Context,
): Change {
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
    // Two contacts that differ in nothing become one.
    contacts: links.filter(
      (link, place) => place === links.findIndex(({ id, role }) => id === link.id && role === link.role),
    ),
  };
  const codes = [...new Set([...codesOf(domain.contacts, 'admin'), ...codesOf(domain.contacts, 'tech')])];
  return {
    operation: 'transfer',
    before: domain,
    after,
    messages: [
      message('transferred_away', {
        ...domain,
        registrar: principal.registrarName,
        registrant: domain.registrant.code,
        contacts: codes.join(', ') || 'none',
      }),
      message('transferred_in', { ...domain, registrarId, registrar: sponsorName }),
    ],
  };
}

/** Whoever knows the code of a domain becomes its sponsor, at once. */
export function transferDomain(
  database: Database,
  wish: TransferRequest,
  context: Context,
): Promise<Outcome> {
  return runRegistryTransaction(database, context, async (db) => {
    const found = (await lockDomains(db, [wish.name], context)).get(wish.name);
    if (!found) return refuseMissing(db, 'domain', wish.name, context.principal);
    checkTransfer(found, wish, context);
    await transferDomains(db, [found], context);
    return { domain: { name: wish.name, type: 'domain_transfer' } };
  });
}

type Failure = { readonly name: string; readonly reason: Refusal; readonly wrongCode?: WrongCode };
type TransferDecision = {
  readonly accepted: ReadonlyMap<string, Found>;
  readonly failures: readonly Failure[];
};

/** Each of the wishes by itself, though all that can be fulfilled are in one transaction. */
export function transferMany(
  database: Database,
  wishes: readonly TransferRequest[],
  context: Context,
): Promise<Outcome> {
  return runRegistryTransaction(database, context, async (db) => {
    const domains = await lockDomains(db, [...new Set(wishes.map(({ name }) => name))], context);
    const { accepted, failures } = decideTransfers(wishes, domains, context);
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

/** A guess counts for those that stand behind it: many in one request are as many as one by one. */
export function decideTransfers(
  wishes: readonly TransferRequest[],
  domains: ReadonlyMap<string, Found>,
  context: Context,
): TransferDecision {
  const accepted = new Map<string, Found>();
  const failures: Failure[] = [];
  const guesses = new Map<string, number>();
  for (const wish of wishes) {
    const { name } = wish;
    const found = domains.get(name);
    const failure = accepted.has(name)
      ? { name, reason: refusal('domainTwice', { name }) }
      : checkOneTransfer(found, guesses.get(name) ?? 0, wish, context);
    if (failure) failures.push(failure);
    else if (found) accepted.set(name, found);
    if (failure?.wrongCode) guesses.set(name, (guesses.get(name) ?? 0) + 1);
  }
  return { accepted, failures };
}

function checkOneTransfer(
  found: Found | undefined,
  guesses: number,
  wish: TransferRequest,
  context: Context,
): Failure | undefined {
  const { name } = wish;
  if (!found) return { name, reason: refusal('objectMissing') };
  const wrongCodes = { ...found.wrongCodes, count: found.wrongCodes.count + guesses };
  try {
    checkTransfer({ ...found, wrongCodes }, wish, context);
    return undefined;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const [reason] = error.refusals;
    return error instanceof WrongCode ? { name, reason, wrongCode: error } : { name, reason };
  }
}
