import { contactOrders } from '../../src/doors/console/contacts/contact-query.ts';
import { DOMAIN_ORDERS } from '../../src/doors/console/domains/domain-query.ts';
import { containing, exactly, parsePattern } from '../../src/platform/paging/text-pattern.ts';
import type { Pool } from '../../src/platform/sql/executor.ts';
import { ee } from '../../src/policy/ee.ts';
import {
  findContactsWithTotal,
  MAX_DOMAINS_SHOWN,
  readOwnContact,
} from '../../src/registry/contacts/search-contacts.ts';
import {
  type DomainFilter,
  type DomainOrder,
  findDomainNames,
  findDomainsWithTotal,
} from '../../src/registry/domains/lists/search-domains.ts';
import { readOwnDomain } from '../../src/registry/domains/readings/read-own-domain.ts';
import { findDomainsOfContact } from '../../src/registry/domains/bulk/replace-tech.ts';
import { readTimeline } from '../../src/registry/history/timeline.ts';
import {
  findMessages,
  type MessageFilter,
  readMessageRecord,
} from '../../src/registry/poll/find-messages.ts';
import { acknowledgeMessages } from '../../src/registry/poll/read-messages.ts';
import { MONEY_MESSAGES, type MessageType } from '../../src/registry/poll/send-messages.ts';
import type { Caller, QueryCase, Shown } from './queries.ts';

const PAGE = 40;
/** Of the caller. */
const [OWN_DOMAINS, OWN_CONTACTS] = [1_500, 1_000];
const DAY_MS = 86_400_000;
/** Names and codes of the registrants that a page shows. */
const shownPage: Shown = { domains: PAGE + 1, contacts: 2 * (PAGE + 1) };

/** Of the domains of two other registrars. */
export const SHARED_NAMESERVER = 'ns.shared.example';
/** Of each registrar. */
export const MANY_WITH_STATUS = 400;

/** Further rows that a filter may read: a set of candidates is read completely, because it is sorted. */
const filters: readonly {
  readonly name: string;
  readonly filter: (caller: Caller) => DomainFilter;
  readonly shows: Shown;
}[] = [
  { name: 'no filter', filter: () => ({}), shows: shownPage },
  { name: 'a part of many names', filter: () => ({ name: containing('a') }), shows: shownPage },
  { name: 'a part of no name', filter: () => ({ name: containing('in no name') }), shows: {} },
  { name: 'a status that none has', filter: () => ({ status: 'serverHold' }), shows: {} },
  { name: 'a lock that none has', filter: () => ({ status: 'clientUpdateProhibited' }), shows: {} },
  {
    name: 'a contact of few domains',
    filter: () => ({ contact: exactly('GAMMA:loaded-900') }),
    shows: { domains: 16, contacts: 20 },
  },
  {
    name: 'the tech contact of many',
    filter: () => ({ contact: exactly('GAMMA:loaded-1') }),
    shows: { domains: 60 + PAGE + 1, contacts: 2 * (PAGE + 1) },
  },
  {
    name: 'a registrant of few domains',
    filter: () => ({ registrant: { ...parsePattern('nobody is called so*'), findsPartsOfIdents: true } }),
    shows: {},
  },
  {
    name: 'an identification that all have',
    filter: () => ({ registrant: { ...exactly('60001019906'), findsPartsOfIdents: true } }),
    shows: { domains: OWN_DOMAINS + PAGE + 1, contacts: 2 * OWN_CONTACTS + 2 * (PAGE + 1) },
  },
  {
    name: 'a registrant whose name contains what none has',
    filter: () => ({ registrant: { ...containing('nobody is called so'), findsPartsOfIdents: true } }),
    shows: {},
  },
  {
    name: 'a registrant whose identification contains what none has',
    filter: () => ({ registrant: { ...containing('0000000'), findsPartsOfIdents: true } }),
    shows: {},
  },
  {
    name: 'the beginning of no name',
    filter: () => ({ name: parsePattern('nothing begins so*') }),
    shows: {},
  },
  {
    name: 'a contact whose code contains what none has',
    filter: () => ({ contact: containing('in no code') }),
    shows: {},
  },
  {
    name: 'a nameserver that none has',
    filter: () => ({ nameserver: exactly('ns.nobody.example') }),
    shows: {},
  },
  {
    name: 'a nameserver that all have',
    filter: ({ principal }) => ({ nameserver: exactly(`ns1.hoster${principal.registrarId}.example`) }),
    shows: { domains: OWN_DOMAINS + PAGE + 1, contacts: 2 * (PAGE + 1) },
  },
  {
    name: 'a nameserver of more domains than are sorted',
    filter: () => ({ nameserver: exactly(SHARED_NAMESERVER) }),
    shows: {},
  },
  {
    name: 'a status that many have',
    filter: () => ({ status: 'clientRenewProhibited' }),
    shows: { domains: MANY_WITH_STATUS + PAGE + 1, contacts: 2 * (PAGE + 1) },
  },
  {
    name: 'a day of expiry',
    filter: ({ now }) => ({
      expiresFrom: new Date(now.getTime() + 100 * DAY_MS),
      expiresBefore: new Date(now.getTime() + 101 * DAY_MS),
    }),
    shows: { domains: 24, contacts: 24 },
  },
];

const contactFilters = [
  { name: 'no filter', filter: {}, shows: { contacts: PAGE + 1 } },
  { name: 'a part of many names', filter: { name: containing('a') }, shows: { contacts: PAGE + 1 } },
  { name: 'a part of no code', filter: { code: containing('in no code') }, shows: {} },
  { name: 'the beginning of no name', filter: { name: parsePattern('nobody is called so*') }, shows: {} },
  { name: 'a whole code', filter: { code: exactly('GAMMA:loaded-1') }, shows: { contacts: 3 } },
  // An index of an expression does not tell the address: the rows are read, and are bounded.
  {
    name: 'a part of no address',
    filter: { email: containing('@nowhere') },
    shows: { contacts: OWN_CONTACTS },
  },
  { name: 'an identification that none has', filter: { ident: containing('none') }, shows: {} },
  {
    name: 'an identification that all have',
    filter: { ident: exactly('60001019906') },
    // Their index has no id: the rows are read for it, and again in order.
    shows: { contacts: 2 * OWN_CONTACTS + PAGE + 1 },
  },
];

const [OWN_MESSAGES, LONG_AGO] = [600, new Date('2001-01-01')];
const messageFilters: readonly {
  readonly name: string;
  readonly filter: MessageFilter;
  readonly hidden?: readonly MessageType[];
  readonly shows: Shown;
}[] = [
  { name: 'no filter', filter: {}, shows: { poll_messages: 2 * (PAGE + 1) } },
  // As for a type.
  { name: 'none about money', filter: {}, hidden: MONEY_MESSAGES, shows: { poll_messages: OWN_MESSAGES } },
  { name: 'a day without any', filter: { before: LONG_AGO }, shows: {} },
  // A type has no index: the scan by time reads them all, half of which are unread, and is bounded.
  { name: 'a type that none has', filter: { type: 'restored' }, shows: { poll_messages: OWN_MESSAGES } },
];

const ORDERS = ['name', '-expireTime'] as const satisfies readonly DomainOrder[];

const scopeOf = ({ principal: { registrarId }, now }: Caller) => ({ registrarId, now });

export const consoleQueries: readonly QueryCase[] = [
  ...filters.flatMap(({ name, filter, shows }) =>
    ORDERS.map((order) => ({
      name: `the console's domains by ${order}: ${name}`,
      run: (db: Pool, caller: Caller) =>
        findDomainsWithTotal(db, { filter: filter(caller), order }, PAGE, scopeOf(caller)),
      shows,
      counts: true,
      pool: 'lists' as const,
    })),
  ),
  ...Object.values(DOMAIN_ORDERS).map((order) => ({
    name: `the console's next domains by ${order}`,
    run: async (db: Pool, caller: Caller) => {
      const query = { filter: { name: containing('a') }, order };
      const { next } = await findDomainsWithTotal(db, query, PAGE, scopeOf(caller));
      if (!next) throw new Error('the list has ended');
      return findDomainsWithTotal(db, { ...query, after: next }, PAGE, scopeOf(caller));
    },
    shows: shownPage,
    counts: true,
    pool: 'lists' as const,
  })),
  ...contactFilters.flatMap(({ name, filter, shows }) =>
    contactOrders.map((order) => ({
      name: `the console's contacts by ${order}: ${name}`,
      run: (db: Pool, { principal }: Caller) => findContactsWithTotal(db, { filter, order }, PAGE, principal),
      shows,
      counts: true,
      pool: 'lists' as const,
    })),
  ),
  {
    name: "the console's domain",
    run: (db, caller) => readOwnDomain(db, caller.name, caller),
    shows: { domains: 1, contacts: 3, domain_contacts: 2, domain_nameservers: 3, domain_keys: 1 },
  },
  {
    name: 'the timeline of a domain',
    run: async (db, { name, now, principal }) => {
      const domain = await readOwnDomain(db, name, { principal, now, policy: ee });
      const object = { kind: 'domain' as const, id: domain?.id ?? 0, name, since: new Date(0) };
      const { events } = await readTimeline(db, object, undefined, principal);
      if (events.length === 0) throw new Error('the timeline is empty');
    },
    shows: {
      domains: 1,
      contacts: 3,
      domain_contacts: 2,
      domain_nameservers: 3,
      domain_keys: 1,
      history: 2,
    },
  },
  {
    name: "the console's contact of many domains",
    run: (db, { principal }) => readOwnContact(db, 'GAMMA:loaded-1', principal),
    shows: { contacts: 2, domains: MAX_DOMAINS_SHOWN },
    counts: true,
  },
  {
    name: 'the names of a list of domains',
    run: (db, { principal }) => findDomainNames(db, { filter: {}, order: 'name' }, PAGE, principal),
    shows: { domains: PAGE + 1 },
    pool: 'lists' as const,
  },
  {
    name: 'the domains of a tech contact',
    run: (db, { principal }) =>
      findDomainsOfContact(db, { code: 'GAMMA:loaded-1', role: 'tech' }, PAGE, principal),
    shows: { contacts: 1, domains: PAGE + 1, domain_contacts: PAGE + 1 },
    pool: 'lists' as const,
  },
  ...[true, false].flatMap((isUnread) =>
    messageFilters.map(({ name, filter, hidden = [], shows }) => ({
      name: `the console's ${isUnread ? 'unread' : 'and read'} messages: ${name}`,
      run: async (db: Pool, { principal }: Caller) => {
        const query = { filter: { isUnread, ...filter }, after: undefined };
        const scope = { ...principal, hidden };
        const { next } = await findMessages(db, query, PAGE, scope);
        return next && findMessages(db, { ...query, after: next }, PAGE, scope);
      },
      shows,
      counts: true,
      pool: 'lists' as const,
    })),
  ),
  {
    name: "the console's message",
    run: (db, { messageId, principal }) => readMessageRecord(db, messageId, { ...principal, hidden: [] }),
    shows: { poll_messages: 1, domains: 1, contacts: 1 },
  },
  {
    name: 'load of many messages to acknowledge',
    run: (db, caller) => acknowledgeMessages.load(db, { ids: [caller.messageId] }, caller),
    shows: { poll_messages: 1 },
  },
];
