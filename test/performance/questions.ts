import { listOfRegistrar } from '../../src/billing/invoices/invoice-view.ts';
import { balanceOf } from '../../src/ledger/charge.ts';
import { accountState, transactions } from '../../src/ledger/transactions.ts';
import { Refused } from '../../src/operations/refusal.ts';
import type { Database } from '../../src/platform/sql/database.ts';
import type { Pool } from '../../src/platform/sql/executor.ts';
import { sql } from '../../src/platform/sql/statement.ts';
import { ee } from '../../src/policy/ee.ts';
import { checkContactCodes, isContactCodeFree } from '../../src/registry/contacts/check-codes.ts';
import { loadContact } from '../../src/registry/contacts/contact.ts';
import { contactSorts, listContacts } from '../../src/registry/contacts/list-contacts.ts';
import { readContact, readSimpleContact } from '../../src/registry/contacts/read-contact.ts';
import { readContactRecord } from '../../src/registry/contacts/read-contact-record.ts';
import { addContacts } from '../../src/registry/domains/change-contacts.ts';
import { createDomain } from '../../src/registry/domains/create.ts';
import { domainSorts, listDomains } from '../../src/registry/domains/list-domains.ts';
import { readDomainObject, readDomainPart } from '../../src/registry/domains/read-domain.ts';
import { readDomainRecord } from '../../src/registry/domains/read-domain-record.ts';
import { renewDomain } from '../../src/registry/domains/renew.ts';
import { renewDomains } from '../../src/registry/domains/renew-bulk.ts';
import { replaceNameserver } from '../../src/registry/domains/replace-nameserver.ts';
import { replaceTech } from '../../src/registry/domains/replace-tech.ts';
import { updateDomain } from '../../src/registry/domains/update.ts';
import { lookUpDomain } from '../../src/registry/lookup/look-up-domain.ts';
import { PUBLIC } from '../../src/registry/lookup/viewer.ts';
import { checkName, checkNames } from '../../src/registry/names/availability.ts';
import { parseDomainName } from '../../src/registry/names/name.ts';
import type { Context } from '../../src/registry/operation.ts';
import {
  acknowledgeMessage,
  countUnread,
  listUnreadMessages,
  readLatestMessage,
  readMessage,
  readOldestMessage,
} from '../../src/registry/poll/read-messages.ts';
import { transferDomain } from '../../src/registry/transfers/transfer-domain.ts';
import { readTransferInfo } from '../../src/registry/transfers/transfer-info.ts';
import { transferMany } from '../../src/registry/transfers/transfer-many.ts';
import { readLastTransfer } from '../../src/registry/transfers/transfer-records.ts';

export type Table =
  | ('contacts' | 'domains' | 'history' | 'invoices' | 'ledger_entries' | 'poll_messages')
  | ('domain_contacts' | 'domain_nameservers' | 'domain_keys');
/** How many rows of a table the answer is made of. */
export type Shown = Readonly<Partial<Record<Table, number>>>;
export type Question = {
  readonly name: string;
  readonly ask: (db: Pool, asker: PaymentPoller) => Promise<unknown>;
  readonly shows: Shown;
  /** A list tells how many there are and passes over an offset: for that it may read an index, never rows. */
  readonly counts?: boolean;
  /** Where the product asks it: what may take longer has connections of its own. */
  readonly pool?: 'lists';
};

/** Fewer than the busiest contact has, so that showing some and counting all are two things. */
export const DOMAINS_SHOWN = 10;
const policy = { ...ee, contacts: { ...ee.contacts, domainsShown: DOMAINS_SHOWN } };
const PAGE = 40;
const TRANSACTIONS = 500;
/** Many times what a page shows: a statement that reads rows only to skip them is found. */
const SKIPPED = 700;

/** The first contacts are the busiest: all of them as tech, the second as registrant too. */
const BUSY = 'GAMMA:loaded-1';
const OWNER = 'GAMMA:loaded-2';
const QUIET = 'GAMMA:loaded-900';

/** The caller, and objects of its own to query. */
export type PaymentPoller = Context & {
  readonly names: readonly string[];
  readonly name: string;
  readonly messageId: number;
  /** Domains of another registrar, each with its code. */
  readonly foreign: readonly { readonly name: string; readonly transferCode: string }[];
};

export async function askerOf(db: Pool, registrar: string): Promise<PaymentPoller> {
  type User = { registrarId: number; userId: number; username: string };
  const [row] = await db.rows(sql<
    User & { names: string[]; messageId: number; foreign: PaymentPoller['foreign'] }
  >`
    select r.id as "registrarId", u.id as "userId", u.username,
      array(select name from domains d where d.registrar_id = r.id order by name limit ${PAGE}) as names,
      (select min(id) from poll_messages m where m.registrar_id = r.id) as "messageId",
      (select json_agg(json_build_object('name', d.name, 'transferCode', d.transfer_code))
        from (select * from domains where registrar_id <> r.id order by id limit ${PAGE}) as d) as foreign
    from registrars r join api_users u on u.registrar_id = r.id where r.code = ${registrar}`);
  const name = row?.names[PAGE / 2];
  if (!row || name === undefined) throw new Error(`${registrar} has no user or no domains`);
  const { names, messageId, foreign, ...user } = row;
  const principal = {
    ...user,
    registrarCode: registrar,
    registrarName: registrar,
    roles: ['super'] as const,
  };
  return {
    principal,
    now: new Date(),
    requestId: 'plans',
    dryRun: false,
    publicUrl: 'https://registry.example',
    policy,
    names,
    name,
    messageId,
    foreign,
  };
}

const wholeDomains = (count: number): Shown => ({
  domains: count,
  contacts: 3 * count,
  domain_contacts: 2 * count,
  domain_nameservers: 2 * count,
  domain_keys: count,
});
/** Showing a domain needs its nameservers once more, to tell whether it is inactive. */
const shownDomains = (count: number): Shown => ({ ...wholeDomains(count), domain_nameservers: 3 * count });

const FREE_NAME = parseDomainName('nobody-has-this.ee', policy);
if (!FREE_NAME) throw new Error('the name is none');
const [INPUT, NEW_CONTACT] = [{ limit: PAGE, offset: 0, details: false }, 'GAMMA:loaded-77'];

const money: readonly Question[] = [
  { name: 'balance', ask: (db, { principal }) => accountState(db, principal.registrarId), shows: {} },
  {
    name: 'balance of a dry run',
    ask: (db, { principal }) => balanceOf(db, principal.registrarId),
    shows: {},
  },
  ...[
    { from: undefined, until: undefined },
    { from: '2026-03-01', until: '2026-12-31' },
  ].map((between) => ({
    name: `balance detailed, from ${between.from ?? 'the first day'}`,
    ask: async (db: Pool, { principal }: PaymentPoller) => {
      for await (const page of transactions(db, principal.registrarId, between, policy))
        if (page.length === 0) throw new Error('no transactions');
    },
    shows: { ledger_entries: TRANSACTIONS },
    pool: 'lists' as const,
  })),
];

const invoices: readonly Question[] = [0, SKIPPED].map((offset) => ({
  name: `invoices from ${offset} on.run(sql`,
  ask: (db: Pool, { principal }: PaymentPoller) =>
    listOfRegistrar(db, principal.registrarId, { limit: PAGE, offset }),
  shows: { invoices: PAGE },
  counts: true,
  pool: 'lists' as const,
}));

const contacts: readonly Question[] = [
  {
    name: 'a contact with few domains',
    ask: (db, { principal }) => readContact(db, QUIET, policy, principal),
    shows: { contacts: 2, domains: 4, domain_contacts: 4 },
  },
  {
    name: 'a contact with more domains than are shown',
    ask: (db, { principal }) => readContact(db, BUSY, policy, principal),
    shows: { contacts: 2, domains: DOMAINS_SHOWN, domain_contacts: DOMAINS_SHOWN },
    counts: true,
  },
  {
    name: 'a registrant of more domains than are shown',
    ask: (db, { principal }) => readContact(db, OWNER, policy, principal),
    shows: { contacts: 2, domains: DOMAINS_SHOWN, domain_contacts: DOMAINS_SHOWN },
    counts: true,
  },
  {
    name: 'a contact, simple',
    ask: (db, { principal }) => readSimpleContact(db, BUSY, principal),
    shows: { contacts: 1 },
  },
  { name: 'contact check', ask: (db) => isContactCodeFree(db, QUIET, policy), shows: { contacts: 1 } },
  {
    name: 'check of several contacts',
    ask: (db) => checkContactCodes(db, [QUIET, BUSY, OWNER], policy),
    shows: { contacts: 3 },
  },
  {
    name: 'the record of a contact with many domains',
    ask: (db, { principal }) => readContactRecord(db, BUSY, policy, principal),
    shows: { contacts: 1, domains: 1, domain_contacts: 1, history: 1 },
  },
  {
    name: 'load of a contact to change',
    ask: (db, { principal }) => loadContact(db, BUSY, principal),
    shows: { contacts: 1 },
  },
  ...contactSorts.flatMap((sort) =>
    [{}, { offset: 500 }, { q: 'gamma:loaded-1' }, { q: 'a', offset: 10 }].map((more) => ({
      name: `)contacts by ${sort} ${JSON.stringify(more)}`,
      ask: (db: Pool, { principal }: PaymentPoller) =>
        listContacts(db, { ...INPUT, sort, ...more }, policy, principal),
      shows: { contacts: PAGE },
      counts: true,
      pool: 'lists' as const,
    })),
  ),
  ...contactSorts.map((sort) => ({
    name: `contacts by ${sort} with details`,
    ask: (db: Pool, { principal }: PaymentPoller) =>
      listContacts(db, { ...INPUT, sort, details: true, offset: SKIPPED }, policy, principal),
    shows: { contacts: PAGE, domains: 5 * PAGE, domain_contacts: 5 * PAGE },
    counts: true,
    pool: 'lists' as const,
  })),
];

const contactsAfter: readonly Question[] = contactSorts.map((sort) => ({
  name: `contacts by ${sort} after a position`,
  ask: async (db: Pool, { principal }: PaymentPoller) => {
    const { next } = await listContacts(db, { ...INPUT, sort, offset: SKIPPED }, policy, principal);
    if (!next) throw new Error('the list has ended');
    return listContacts(db, { ...INPUT, sort, after: next }, policy, principal);
  },
  shows: { contacts: PAGE },
  counts: true,
  pool: 'lists' as const,
}));

const domains: readonly Question[] = [
  {
    name: 'a domain',
    ask: (db, asker) => readDomainObject(db, asker.name, asker),
    shows: shownDomains(1),
  },
  {
    name: 'a look-up',
    ask: (db, { name, now }) => lookUpDomain(db, name, { viewer: PUBLIC, now, policy }),
    shows: wholeDomains(1),
  },
  ...(['contacts', 'nameservers', 'keys'] as const).map((part) => ({
    name: `the ${part} of a domain`,
    ask: async (db: Pool, asker: PaymentPoller) => readDomainPart(db, asker.name, part, asker),
    shows: wholeDomains(1),
  })),
  ...domainSorts.flatMap((sort) =>
    [{}, { offset: 700 }, { q: 'a' }, { q: 'b', offset: 10 }].map((more) => ({
      name: `domains by ${sort} ${JSON.stringify(more)}`,
      ask: (db: Pool, asker: PaymentPoller) => listDomains(db, { ...INPUT, sort, ...more }, asker),
      shows: { domains: PAGE + 1 },
      counts: true,
      pool: 'lists' as const,
    })),
  ),
  ...domainSorts.map((sort) => ({
    name: `domains by ${sort} with details`,
    ask: (db: Pool, asker: PaymentPoller) =>
      listDomains(db, { ...INPUT, sort, details: true, offset: SKIPPED }, asker),
    shows: shownDomains(PAGE + 1),
    counts: true,
    pool: 'lists' as const,
  })),
  ...domainSorts.map((sort) => ({
    name: `domains by ${sort} after a position`,
    ask: async (db: Pool, asker: PaymentPoller) => {
      const { next } = await listDomains(db, { ...INPUT, sort, offset: SKIPPED }, asker);
      if (!next) throw new Error('the list has ended');
      return listDomains(db, { ...INPUT, sort, after: next, details: true }, asker);
    },
    shows: shownDomains(PAGE + 1),
    counts: true,
    pool: 'lists' as const,
  })),
  {
    name: 'domain check',
    ask: (db, asker) => checkName(db, asker.name, asker),
    shows: { domains: 1 },
  },
  {
    name: 'check of several domains',
    ask: (db, asker) => checkNames(db, [asker.name, 'free-name.ee', 'another-free-name.ee'], asker),
    shows: { domains: 1 },
  },
];

const messages: readonly Question[] = [
  ...[0, 200].map((offset) => ({
    name: `unread messages from ${offset} on.run(sql`,
    ask: (db: Pool, asker: PaymentPoller) => listUnreadMessages(db, { limit: PAGE, offset }, asker),
    shows: { poll_messages: PAGE },
    counts: true,
    pool: 'lists' as const,
  })),
  {
    name: 'unread messages after a position',
    ask: async (db, asker) => {
      const { next } = await listUnreadMessages(db, { limit: PAGE, offset: 0 }, asker);
      if (!next) throw new Error('the list has ended');
      return listUnreadMessages(db, { limit: PAGE, offset: 0, after: next }, asker);
    },
    shows: { poll_messages: PAGE },
    counts: true,
    pool: 'lists' as const,
  },
  {
    name: 'the latest message',
    ask: (db, asker) => readLatestMessage(db, asker),
    shows: { poll_messages: 1 },
  },
  {
    name: 'the oldest message',
    ask: (db, asker) => readOldestMessage(db, asker),
    shows: { poll_messages: 1 },
    counts: true,
  },
  {
    name: 'the number of unread messages',
    ask: (db, asker) => countUnread(db, asker),
    shows: {},
    counts: true,
  },
  {
    name: 'one message',
    ask: (db, asker) => readMessage(db, asker.messageId, asker),
    shows: { poll_messages: 1 },
  },
  {
    name: 'load of a message to acknowledge',
    ask: (db, asker) => acknowledgeMessage.load(db, { id: asker.messageId }, asker),
    shows: { poll_messages: 1 },
  },
];

const loads: readonly Question[] = [
  {
    name: 'load of a registration',
    ask: (db, asker) =>
      createDomain.load(
        db,
        {
          ...{ name: FREE_NAME, registrant: QUIET, months: 12, nameservers: [], dnsKeys: [] },
          ...{ admins: [NEW_CONTACT], techs: [BUSY] },
        },
        asker,
      ),
    shows: { contacts: 3 },
  },
  {
    name: 'load of a renewal',
    ask: (db, asker) => renewDomain.load(db, { name: asker.name, months: 12, expDate: '2027-01-01' }, asker),
    shows: wholeDomains(1),
  },
  {
    name: 'load of a bulk renewal',
    ask: (db, asker) => renewDomains.load(db, { names: asker.names, months: 12 }, asker),
    shows: wholeDomains(PAGE),
    pool: 'lists',
  },
  {
    name: 'load of an update',
    ask: (db, asker) =>
      updateDomain.load(
        db,
        {
          name: asker.name,
          registrant: { code: NEW_CONTACT, verified: true },
          transferCode: undefined,
        },
        asker,
      ),
    shows: wholeDomains(1),
  },
  {
    name: 'load of contacts to add',
    ask: (db, asker) =>
      addContacts.load(
        db,
        {
          name: asker.name,
          contacts: [{ code: NEW_CONTACT, role: 'tech', field: 'contacts.0' }],
        },
        asker,
      ),
    shows: wholeDomains(1),
  },
];

/** What works in a transaction is asked in the middle of one, and as a rehearsal: nothing is written. */
const inTransaction = (db: Pool): Database =>
  ({ reads: db, writes: { begin: (work: (db: Pool) => unknown) => work(db) } }) as unknown as Database;
/** Of a thousand at a time; the nameservers of the caller's domains are found by an index. */
const BATCH = 1_000;

const rehearsals: readonly Question[] = [
  {
    name: 'transfer info',
    ask: (db, asker) => readTransferInfo(inTransaction(db), { name: asker.name, authCode: undefined }, asker),
    shows: wholeDomains(1),
  },
  {
    name: 'the last transfer of a domain',
    ask: (db, asker) =>
      readLastTransfer(inTransaction(db), { name: asker.name, code: undefined }, asker).catch(ignoreRefused),
    shows: { domains: 1 },
  },
  {
    name: 'the record of a domain',
    ask: (db, asker) => readDomainRecord(inTransaction(db), asker.name, asker),
    shows: { ...shownDomains(1), history: 2 },
  },
  {
    name: 'a transfer',
    ask: (db, asker) => transferDomain(inTransaction(db), foreignOf(asker, 0), { ...asker, dryRun: true }),
    shows: { ...wholeDomains(1), contacts: 6 },
  },
  {
    name: 'a bulk transfer',
    ask: (db, asker) => transferMany(inTransaction(db), asker.foreign, { ...asker, dryRun: true }),
    // Some have the nameserver that two registrars share.
    shows: { ...wholeDomains(PAGE), contacts: 6 * PAGE, domain_nameservers: 3 * PAGE },
  },
  {
    name: 'a replacement of a tech contact',
    ask: (db, asker) =>
      replaceTech(inTransaction(db), { current: BUSY, next: QUIET }, { ...asker, dryRun: true }),
    shows: wholeDomains(PAGE),
  },
  ...([true, false] as const).map((listed) => ({
    name: `)a replacement of a nameserver ${listed ? 'on listed domains' : 'everywhere'}`,
    ask: (db: Pool, asker: PaymentPoller) =>
      replaceNameserver(
        inTransaction(db),
        {
          ...{ current: `ns1.hoster${asker.principal.registrarId}.example`, attributes: {} },
          next: { hostname: 'ns.other.example', ipv4: [], ipv6: [] },
          names: listed ? asker.names : undefined,
        },
        { ...asker, dryRun: true },
      ),
    shows: wholeDomains(listed ? PAGE : BATCH),
    counts: !listed,
  })),
];

/** The domain was never transferred; what is examined is the query. */
function ignoreRefused(error: unknown): void {
  if (!(error instanceof Refused)) throw error;
}

function foreignOf({ foreign }: PaymentPoller, index: number): PaymentPoller['foreign'][number] {
  const found = foreign[index];
  if (!found) throw new Error('nobody else has a domain');
  return found;
}

export const questions: readonly Question[] = [
  ...[...money, ...invoices, ...contacts, ...contactsAfter, ...domains, ...messages, ...loads],
  ...rehearsals,
];
