import { listOfRegistrar } from '../../src/billing/invoices/invoice-view.ts';
import {
  CONTACT_JSON,
  readContactJson,
  readSimpleContact,
} from '../../src/doors/registrar-api/contact-json.ts';
import {
  DOMAIN_CONTACTS,
  DOMAIN_KEYS,
  DOMAIN_NAMESERVERS,
  OWN_DOMAIN,
  readDomainJson,
} from '../../src/doors/registrar-api/domain-json.ts';
import { MESSAGE_JSON } from '../../src/doors/registrar-api/notifications.ts';
import { CONTACT_SORTS, DOMAIN_SORTS } from '../../src/doors/registrar-api/sorts.ts';
import { TRANSFER_INFO } from '../../src/doors/registrar-api/transfer-json.ts';
import { balanceOf } from '../../src/ledger/charge.ts';
import { accountState, ENTRY, transactions } from '../../src/ledger/transactions.ts';
import { Refused } from '../../src/operations/refusal.ts';
import type { Database } from '../../src/platform/database/database.ts';
import type { Pool } from '../../src/platform/sql/executor.ts';
import { sql } from '../../src/platform/sql/statement.ts';
import { ee } from '../../src/policy/ee.ts';
import { checkContactCodes, isContactCodeFree } from '../../src/registry/contacts/check-codes.ts';
import { loadContact } from '../../src/registry/contacts/contact.ts';
import { listContacts } from '../../src/registry/contacts/list-contacts.ts';
import { readContactRecord } from '../../src/registry/contacts/read-contact-record.ts';
import { createDomain } from '../../src/registry/domains/create-domain.ts';
import { listDomains } from '../../src/registry/domains/lists/list-domains.ts';
import { readOwnPart } from '../../src/registry/domains/readings/read-domain.ts';
import { readDomainRecord } from '../../src/registry/domains/readings/read-domain-record.ts';
import { renewDomain } from '../../src/registry/domains/renew-domain.ts';
import { renewDomains } from '../../src/registry/domains/bulk/renew-many.ts';
import { replaceNameserver } from '../../src/registry/domains/bulk/replace-nameserver.ts';
import { replaceTech } from '../../src/registry/domains/bulk/replace-tech.ts';
import { updateDomain } from '../../src/registry/domains/update-domain.ts';
import { readEvents } from '../../src/registry/events/read-events.ts';
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
/** How many rows of each table the result consists of. */
export type Shown = Readonly<Partial<Record<Table, number>>>;
export type QueryCase = {
  readonly name: string;
  readonly run: (db: Pool, caller: Caller) => Promise<unknown>;
  readonly shows: Shown;
  /** A list counts its items and skips an offset: for that it may read an index, never heap rows. */
  readonly counts?: boolean;
  /** The pool that the product uses: slow queries have connections of their own. */
  readonly pool?: 'lists';
};

/** Fewer than the busiest contact has, so that the page and the count differ. */
export const DOMAINS_SHOWN = 10;
const policy = { ...ee, contacts: { ...ee.contacts, domainsShown: DOMAINS_SHOWN } };
const PAGE = 40;
const TRANSACTIONS = 500;
/** Many times a page, to detect statements that read rows only to skip them. */
const SKIPPED = 700;

/** The first contacts are the busiest: all of them as tech, the second as registrant too. */
const BUSY = 'GAMMA:loaded-1';
const OWNER = 'GAMMA:loaded-2';
const QUIET = 'GAMMA:loaded-900';

/** The caller, and objects of its own to query. */
export type Caller = Context & {
  readonly names: readonly string[];
  readonly name: string;
  readonly messageId: number;
  /** Since then half a page of its domains were changed; before then half a page of them expires. */
  readonly recently: Date;
  readonly soon: Date;
  /** A contact of few domains. */
  readonly contactId: number;
  /** Domains of another registrar, each with its code. */
  readonly foreign: readonly { readonly name: string; readonly transferCode: string }[];
};

export async function callerOf(db: Pool, registrar: string): Promise<Caller> {
  type User = { registrarId: number; userId: number; username: string };
  const [row] = await db.rows(sql<
    User & { names: string[]; foreign: Caller['foreign'] } & Pick<
        Caller,
        'messageId' | 'recently' | 'soon' | 'contactId'
      >
  >`
    select r.id as "registrarId", u.id as "userId", u.username,
      array(select name from domains d where d.registrar_id = r.id order by name limit ${PAGE}) as names,
      (select min(id) from poll_messages m where m.registrar_id = r.id) as "messageId",
      (select id from contacts where code_key = ${QUIET.toLowerCase()}) as "contactId",
      (select updated_at from domains d where d.registrar_id = r.id order by updated_at desc limit 1 offset ${PAGE / 2}) as recently,
      (select expire_time from domains d where d.registrar_id = r.id order by expire_time limit 1 offset ${PAGE / 2}) as soon,
      (select json_agg(json_build_object('name', d.name, 'transferCode', d.transfer_code))
        from (select * from domains where registrar_id <> r.id order by id limit ${PAGE}) as d) as foreign
    from registrars r join api_users u on u.registrar_id = r.id where r.code = ${registrar}`);
  const name = row?.names[PAGE / 2];
  if (!row || name === undefined) throw new Error(`${registrar} has no user or no domains`);
  const { names, messageId, recently, soon, contactId, foreign, ...user } = row;
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
    recently,
    soon,
    contactId,
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
/** Showing a domain reads its nameservers once more, to determine whether it is inactive. */
const shownDomains = (count: number): Shown => ({ ...wholeDomains(count), domain_nameservers: 3 * count });

const FREE_NAME = parseDomainName('nobody-has-this.ee', policy);
if (!FREE_NAME) throw new Error('the name is none');
const [INPUT, NEW_CONTACT] = [{ limit: PAGE, offset: 0 }, 'GAMMA:loaded-77'];

const money: readonly QueryCase[] = [
  { name: 'balance', run: (db, { principal }) => accountState(db, principal.registrarId), shows: {} },
  {
    name: 'balance of a dry run',
    run: (db, { principal }) => balanceOf(db, principal.registrarId),
    shows: {},
  },
  ...[
    { from: undefined, until: undefined },
    { from: '2026-03-01', until: '2026-12-31' },
  ].map((between) => ({
    name: `balance detailed, from ${between.from ?? 'the first day'}`,
    run: async (db: Pool, { principal }: Caller) => {
      for await (const page of transactions(db, principal.registrarId, between, policy, ENTRY.description))
        if (page.length === 0) throw new Error('no transactions');
    },
    shows: { ledger_entries: TRANSACTIONS },
    pool: 'lists' as const,
  })),
];

const invoices: readonly QueryCase[] = [0, SKIPPED].map((offset) => ({
  name: `invoices from ${offset} on.run(sql`,
  run: (db: Pool, { principal }: Caller) =>
    listOfRegistrar(db, principal.registrarId, { limit: PAGE, offset }),
  shows: { invoices: PAGE },
  counts: true,
  pool: 'lists' as const,
}));

const contacts: readonly QueryCase[] = [
  {
    name: 'a contact with few domains',
    run: (db, { principal }) => readContactJson(db, QUIET, policy, principal),
    shows: { contacts: 2, domains: 4, domain_contacts: 4 },
  },
  {
    name: 'a contact with more domains than are shown',
    run: (db, { principal }) => readContactJson(db, BUSY, policy, principal),
    shows: { contacts: 2, domains: DOMAINS_SHOWN, domain_contacts: DOMAINS_SHOWN },
    counts: true,
  },
  {
    name: 'a registrant of more domains than are shown',
    run: (db, { principal }) => readContactJson(db, OWNER, policy, principal),
    shows: { contacts: 2, domains: DOMAINS_SHOWN, domain_contacts: DOMAINS_SHOWN },
    counts: true,
  },
  {
    name: 'a contact, simple',
    run: (db, { principal }) => readSimpleContact(db, BUSY, policy, principal),
    shows: { contacts: 1 },
  },
  { name: 'contact check', run: (db) => isContactCodeFree(db, QUIET, policy), shows: { contacts: 1 } },
  {
    name: 'check of several contacts',
    run: (db) => checkContactCodes(db, [QUIET, BUSY, OWNER], policy),
    shows: { contacts: 3 },
  },
  {
    name: 'the record of a contact with many domains',
    run: (db, { principal }) => readContactRecord(db, BUSY, policy, principal),
    shows: { contacts: 1, domains: 1, domain_contacts: 1, history: 1 },
  },
  {
    name: 'load of a contact to change',
    run: (db, { principal }) => loadContact(db, BUSY, principal),
    shows: { contacts: 1 },
  },
  ...Object.values(CONTACT_SORTS).flatMap((sort) =>
    [{}, { offset: 500 }, { q: 'gamma:loaded-1' }, { q: 'a', offset: 10 }].map((more) => ({
      name: `)contacts by ${sort} ${JSON.stringify(more)}`,
      run: (db: Pool, { principal }: Caller) =>
        listContacts(db, { ...INPUT, sort, ...more }, policy, principal),
      shows: { contacts: PAGE },
      counts: true,
      pool: 'lists' as const,
    })),
  ),
  ...Object.values(CONTACT_SORTS).map((sort) => ({
    name: `contacts by ${sort} with details`,
    run: (db: Pool, { principal }: Caller) =>
      listContacts(db, { ...INPUT, sort, item: CONTACT_JSON, offset: SKIPPED }, policy, principal),
    shows: { contacts: PAGE, domains: 5 * PAGE, domain_contacts: 5 * PAGE },
    counts: true,
    pool: 'lists' as const,
  })),
];

const contactsAfter: readonly QueryCase[] = Object.values(CONTACT_SORTS).map((sort) => ({
  name: `contacts by ${sort} after a position`,
  run: async (db: Pool, { principal }: Caller) => {
    const { next } = await listContacts(db, { ...INPUT, sort, offset: SKIPPED }, policy, principal);
    if (!next) throw new Error('the list has ended');
    return listContacts(db, { ...INPUT, sort, after: next }, policy, principal);
  },
  shows: { contacts: PAGE },
  counts: true,
  pool: 'lists' as const,
}));

const domains: readonly QueryCase[] = [
  {
    name: 'a domain',
    run: (db, caller) => readDomainJson(db, caller.name, caller),
    shows: shownDomains(1),
  },
  {
    name: 'a look-up',
    run: (db, { name, now }) => lookUpDomain(db, name, { viewer: PUBLIC, now, policy }),
    shows: wholeDomains(1),
  },
  ...Object.entries({
    contacts: DOMAIN_CONTACTS,
    nameservers: DOMAIN_NAMESERVERS,
    keys: DOMAIN_KEYS,
  }).map(([name, part]) => ({
    name: `the ${name} of a domain`,
    run: async (db: Pool, caller: Caller) => readOwnPart(db, caller.name, part, caller),
    shows: wholeDomains(1),
  })),
  ...Object.values(DOMAIN_SORTS).flatMap((sort) =>
    [{}, { offset: 700 }, { q: 'a' }, { q: 'b', offset: 10 }].map((more) => ({
      name: `domains by ${sort} ${JSON.stringify(more)}`,
      run: (db: Pool, caller: Caller) => listDomains(db, { ...INPUT, sort, ...more }, caller),
      shows: { domains: PAGE + 1 },
      counts: true,
      pool: 'lists' as const,
    })),
  ),
  ...Object.values(DOMAIN_SORTS).map((sort) => ({
    name: `domains by ${sort} with details`,
    run: (db: Pool, caller: Caller) =>
      listDomains(db, { ...INPUT, sort, item: OWN_DOMAIN, offset: SKIPPED }, caller),
    shows: shownDomains(PAGE + 1),
    counts: true,
    pool: 'lists' as const,
  })),
  ...Object.values(DOMAIN_SORTS).map((sort) => ({
    name: `domains by ${sort} after a position`,
    run: async (db: Pool, caller: Caller) => {
      const { next } = await listDomains(db, { ...INPUT, sort, offset: SKIPPED }, caller);
      if (!next) throw new Error('the list has ended');
      return listDomains(db, { ...INPUT, sort, after: next, item: OWN_DOMAIN }, caller);
    },
    shows: shownDomains(PAGE + 1),
    counts: true,
    pool: 'lists' as const,
  })),
  ...Object.values(DOMAIN_SORTS).flatMap((sort) =>
    [
      { name: 'changed recently', filter: ({ recently }: Caller) => ({ updatedSince: recently }) },
      { name: 'of a contact', filter: ({ contactId }: Caller) => ({ contactId }) },
      { name: 'that expire soon', filter: ({ soon }: Caller) => ({ expiresBefore: soon }) },
    ].map(({ name, filter }) => ({
      name: `domains ${name} by ${sort}`,
      run: (db: Pool, caller: Caller) =>
        listDomains(db, { ...INPUT, sort, item: OWN_DOMAIN, ...filter(caller) }, caller),
      shows: shownDomains(PAGE + 1),
      counts: true,
      pool: 'lists' as const,
    })),
  ),
  {
    name: 'domain check',
    run: (db, caller) => checkName(db, caller.name, caller),
    shows: { domains: 1 },
  },
  {
    name: 'check of several domains',
    run: (db, caller) => checkNames(db, [caller.name, 'free-name.ee', 'another-free-name.ee'], caller),
    shows: { domains: 1 },
  },
];

const messages: readonly QueryCase[] = [
  ...[0, 200].map((offset) => ({
    name: `unread messages from ${offset} on.run(sql`,
    run: (db: Pool, caller: Caller) =>
      listUnreadMessages(db, { limit: PAGE, offset, sort: '-createdAt' }, MESSAGE_JSON, caller),
    shows: { poll_messages: PAGE },
    counts: true,
    pool: 'lists' as const,
  })),
  {
    name: 'unread messages after a position',
    run: async (db, caller) => {
      const page = { limit: PAGE, offset: 0, sort: '-createdAt' } as const;
      const { next } = await listUnreadMessages(db, page, MESSAGE_JSON, caller);
      if (!next) throw new Error('the list has ended');
      return listUnreadMessages(db, { ...page, after: next }, MESSAGE_JSON, caller);
    },
    shows: { poll_messages: PAGE },
    counts: true,
    pool: 'lists' as const,
  },
  {
    name: 'unread messages, oldest first',
    run: (db, caller) =>
      listUnreadMessages(db, { limit: PAGE, offset: 0, sort: 'createdAt' }, MESSAGE_JSON, caller),
    shows: { poll_messages: PAGE },
    counts: true,
    pool: 'lists' as const,
  },
  {
    name: 'the feed of events after a position',
    run: async (db, caller) => {
      const page = { limit: PAGE, now: new Date() };
      const { position } = await readEvents(db, { ...page, after: undefined }, caller.principal);
      return readEvents(db, { ...page, after: position }, caller.principal);
    },
    // Those of a page, and the domain of each, the charge of each and the messages that may tell of them.
    shows: { history: PAGE, poll_messages: PAGE, domains: PAGE, ledger_entries: PAGE },
    pool: 'lists' as const,
  },
  {
    name: 'the latest message',
    run: (db, caller) => readLatestMessage(db, MESSAGE_JSON, caller),
    shows: { poll_messages: 1 },
  },
  {
    name: 'the oldest message',
    run: (db, caller) => readOldestMessage(db, caller),
    shows: { poll_messages: 1 },
    counts: true,
  },
  {
    name: 'the number of unread messages',
    run: (db, caller) => countUnread(db, caller),
    shows: {},
    counts: true,
  },
  {
    name: 'one message',
    run: (db, caller) => readMessage(db, caller.messageId, MESSAGE_JSON, caller),
    shows: { poll_messages: 1 },
  },
  {
    name: 'load of a message to acknowledge',
    run: (db, caller) => acknowledgeMessage.load(db, { id: caller.messageId }, caller),
    shows: { poll_messages: 1 },
  },
];

const loads: readonly QueryCase[] = [
  {
    name: 'load of a registration',
    run: (db, caller) =>
      createDomain.load(
        db,
        {
          name: FREE_NAME,
          registrant: QUIET,
          months: 12,
          nameservers: [],
          dnsKeys: [],
          admins: [NEW_CONTACT],
          techs: [BUSY],
        },
        caller,
      ),
    shows: { contacts: 3 },
  },
  {
    name: 'load of a renewal',
    run: (db, caller) =>
      renewDomain.load(db, { name: caller.name, months: 12, expDate: '2027-01-01' }, caller),
    shows: wholeDomains(1),
  },
  {
    name: 'load of a bulk renewal',
    run: (db, caller) => renewDomains.load(db, { names: caller.names, months: 12 }, caller),
    shows: wholeDomains(PAGE),
    pool: 'lists',
  },
  {
    name: 'load of an update',
    run: (db, caller) =>
      updateDomain.load(
        db,
        {
          name: caller.name,
          registrant: { code: NEW_CONTACT, verified: true },
          transferCode: undefined,
        },
        caller,
      ),
    shows: wholeDomains(1),
  },
  {
    name: 'load of contacts to add',
    run: (db, caller) =>
      updateDomain.load(
        db,
        {
          name: caller.name,
          add: { contacts: [{ code: NEW_CONTACT, role: 'tech' }] },
        },
        caller,
      ),
    shows: wholeDomains(1),
  },
];

/** Operations that need a transaction run in one, as dry runs: nothing is written. */
const inTransaction = (db: Pool): Database =>
  ({ reads: db, writes: { begin: (work: (db: Pool) => unknown) => work(db) } }) as unknown as Database;
/** Of a thousand at a time; the nameservers of the caller's domains are found by an index. */
const BATCH = 1_000;

const dryRuns: readonly QueryCase[] = [
  {
    name: 'transfer info',
    run: (db, caller) =>
      readTransferInfo(
        inTransaction(db),
        { name: caller.name, transferCode: undefined },
        TRANSFER_INFO,
        caller,
      ),
    shows: wholeDomains(1),
  },
  {
    name: 'the last transfer of a domain',
    run: (db, caller) =>
      readLastTransfer(inTransaction(db), { name: caller.name, code: undefined }, caller).catch(
        ignoreRefused,
      ),
    shows: { domains: 1 },
  },
  {
    name: 'the record of a domain',
    run: (db, caller) => readDomainRecord(inTransaction(db), caller.name, caller),
    shows: { ...shownDomains(1), history: 2 },
  },
  {
    name: 'a transfer',
    run: (db, caller) => transferDomain(inTransaction(db), foreignOf(caller, 0), { ...caller, dryRun: true }),
    shows: { ...wholeDomains(1), contacts: 6 },
  },
  {
    name: 'a bulk transfer',
    run: (db, caller) => transferMany(inTransaction(db), caller.foreign, { ...caller, dryRun: true }),
    // Some have the nameserver that two registrars share.
    shows: { ...wholeDomains(PAGE), contacts: 6 * PAGE, domain_nameservers: 3 * PAGE },
  },
  {
    name: 'a replacement of a tech contact',
    run: (db, caller) =>
      replaceTech(inTransaction(db), { current: BUSY, next: QUIET }, { ...caller, dryRun: true }),
    shows: wholeDomains(PAGE),
  },
  ...([true, false] as const).map((listed) => ({
    name: `)a replacement of a nameserver ${listed ? 'on listed domains' : 'everywhere'}`,
    run: (db: Pool, caller: Caller) =>
      replaceNameserver(
        inTransaction(db),
        {
          current: `ns1.hoster${caller.principal.registrarId}.example`,
          next: { hostname: 'ns.other.example', ipv4: [], ipv6: [] },
          names: listed ? caller.names : undefined,
        },
        { ...caller, dryRun: true },
      ),
    shows: wholeDomains(listed ? PAGE : BATCH),
    counts: !listed,
  })),
];

/** The domain was never transferred; only the query is examined. */
function ignoreRefused(error: unknown): void {
  if (!(error instanceof Refused)) throw error;
}

function foreignOf({ foreign }: Caller, index: number): Caller['foreign'][number] {
  const found = foreign[index];
  if (!found) throw new Error('no other registrar has a domain');
  return found;
}

export const queries: readonly QueryCase[] = [
  ...money,
  ...invoices,
  ...contacts,
  ...contactsAfter,
  ...domains,
  ...messages,
  ...loads,
  ...dryRuns,
];
