import { Temporal } from 'temporal-polyfill';
import { recordCallback } from '../src/billing/payments/record-callback.ts';
import { readContactJson, readSimpleContact } from '../src/doors/registrar-api/contact-json.ts';
import { OWN_DOMAIN, readDomainJson } from '../src/doors/registrar-api/domain-json.ts';
import { MESSAGE_JSON } from '../src/doors/registrar-api/notifications.ts';
import { accountState } from '../src/ledger/transactions.ts';
import { answerOf } from '../src/operations/run-operation.ts';
import { FairQueue } from '../src/platform/concurrency/fair-queue.ts';
import type { EmbeddedAddress } from '../src/embedded-postgres/embedded-postgres.ts';
import { type Database, openAsOwner } from '../src/platform/database/database.ts';
import { ee } from '../src/policy/ee.ts';
import { type NewContact, parseNewContact } from '../src/registry/contacts/contact-fields.ts';
import { createContact } from '../src/registry/contacts/create-contact.ts';
import { listContacts } from '../src/registry/contacts/list-contacts.ts';
import { createDomain } from '../src/registry/domains/create-domain.ts';
import { listDomains } from '../src/registry/domains/lists/list-domains.ts';
import { checkName } from '../src/registry/names/availability.ts';
import { parseDomainName } from '../src/registry/names/name.ts';
import { acknowledgeMessage, readLatestMessage } from '../src/registry/poll/read-messages.ts';
import { runRegistryOperation } from '../src/registry/run-registry-operation.ts';
import { reserveNames } from '../src/reservations/reserve-short.ts';
import { suggest } from '../src/reservations/suggest-names.ts';
import { type Caller, callerOf } from '../test/performance/queries.ts';
import { recordingPool, type Recorded as Sent } from '../test/support/recorder.ts';
import { pick } from './requests.ts';
import type { Registrar } from './world.ts';

const POOLS = ['reads', 'lists', 'writes'] as const;
/** One statement as the product sends it, and on which of its pools. */
export type Statement = Sent & { readonly pool: (typeof POOLS)[number] };
/** The statements of one request; each repetition needs a text of its own in place of the marks in their values. */
export type Recorded = { readonly statements: readonly Statement[]; readonly marks: readonly string[] };

type Place = { readonly database: Database; readonly asker: Caller; readonly alpha: Registrar };
/** What the product does for a request, without the request; returns what nobody may have twice. */
type Call = (place: Place) => Promise<readonly string[]>;

const PAGE = { limit: 200, offset: 0, sort: 'createdAt' } as const;
const MARK = 'recorded-mark';

const reading =
  (ask: (place: Place) => Promise<unknown>): Call =>
  async (place) => {
    await ask(place);
    return [];
  };

const CALLS: Readonly<Record<string, Call>> = {
  'GET contact': reading(({ database, asker, alpha }) =>
    readContactJson(database.reads, pick(alpha.contactCodes), ee, asker.principal),
  ),
  'GET contact simple': reading(({ database, asker, alpha }) =>
    readSimpleContact(database.reads, pick(alpha.contactCodes), ee, asker.principal),
  ),
  'GET 200 contact codes': reading(({ database, asker }) =>
    listContacts(database.lists, PAGE, ee, asker.principal),
  ),
  'POST contact': async ({ database, asker }) => {
    await runRegistryOperation(database, createContact, person(), asker);
    return [MARK];
  },
  'GET domain': reading(({ database, asker, alpha }) =>
    readDomainJson(database.reads, pick(alpha.domains).name, asker),
  ),
  'GET 200 detailed domains': reading(({ database, asker }) =>
    listDomains(database.lists, { ...PAGE, item: OWN_DOMAIN }, asker),
  ),
  'GET 200 domain names': reading(({ database, asker }) => listDomains(database.lists, PAGE, asker)),
  'check domain': reading(({ database, asker, alpha }) =>
    checkName(database.reads, pick(alpha.domains).name, asker),
  ),
  'POST domain (one registrar)': async ({ database, asker, alpha }) => {
    const name = parseDomainName(`${MARK}.ee`, ee);
    if (!name) throw new Error('the mark is no name');
    const [registrant, admin, tech] = [0, 1, 2].map(() => pick(alpha.contactCodes));
    const nameservers = [1, 2].map((place) => ({
      hostname: `ns${place}.hoster.example`,
      ipv4: [],
      ipv6: [],
    }));
    const contacts = { registrant: registrant ?? '', admins: [admin ?? ''], techs: [tech ?? ''] };
    await runRegistryOperation(
      database,
      createDomain,
      { name, months: 12, nameservers, dnsKeys: [], ...contacts },
      asker,
    );
    return [MARK];
  },
  'GET balance': reading(({ database, asker }) => accountState(database.reads, asker.principal.registrarId)),
  poll: reading(({ database, asker }) => readLatestMessage(database.reads, MESSAGE_JSON, asker)),
  acknowledge: reading(({ database, asker, alpha }) =>
    runRegistryOperation(database, acknowledgeMessage, { id: pick(alpha.messages) }, asker),
  ),
  'suggest names': reading(({ database, asker }) => suggest(database.reads, 'Kuldne Meri OÜ', asker)),
  'reserve a name': async ({ database, asker }) => {
    // Of the parts that reservations have, the free ones use these two.
    const parts = { database, policy: ee } as Parameters<typeof reserveNames>[0];
    const { id } = answerOf(await reserveNames(parts, [`${MARK}-kept.ee`], asker));
    return [MARK, id];
  },
  'payment callback': reading(({ database, asker }) =>
    recordCallback(
      database.writes,
      {
        reference: `called-${Math.floor(Math.random() * 500)}`,
        eventName: 'status_updated',
        caller: '192.0.2.1',
      },
      asker.now,
    ),
  ),
};

function person(): NewContact {
  const text = { id: MARK, name: 'Mari Maasikas', email: 'mari@example.ee', phone: '+372.5551234' };
  const parsed = parseNewContact(
    { ...text, ident: { ident: '60001019906', type: 'priv', countryCode: 'EE' } },
    ee,
    Temporal.Now.plainDateISO(ee.timeZone),
  );
  if (!('value' in parsed)) throw new Error('the contact cannot be read');
  return parsed.value;
}

/** As many different reads as make no difference to the server's memory; what is written differs every time. */
const VARIANTS = 40;

/** What the product asks the database for an operation; none where it cannot be asked again as it was. */
export async function recordStatements(
  operation: string,
  address: EmbeddedAddress,
  alpha: Registrar,
): Promise<readonly Recorded[]> {
  const call = CALLS[operation];
  if (!call) return [];
  const owner = openAsOwner(address);
  const asker = { ...(await callerOf(owner, 'ALPHA')), policy: ee };
  await owner.close();
  let noted: Statement[] = [];
  const owners = POOLS.map((pool) => ({ pool, owner: openAsOwner(address, { TimeZone: ee.timeZone }) }));
  const [reads, lists, writes] = owners.map(({ pool, owner: on }) =>
    recordingPool(on, ({ text, values }) => noted.push({ pool, text, values })),
  );
  if (!reads || !lists || !writes) throw new Error('not all pools were opened');
  const database = {
    reads,
    lists,
    writes,
    replicaLists: lists,
    replicaCounts: undefined,
    isPooled: false,
    listTurns: new FairQueue<number>({ atOnce: 1, perKey: 1, maxWaitingPerKey: 0, maxWaitMs: 0 }),
    isAvailable: () => true,
    poolStatus: () => {
      throw new Error('there are no pools here');
    },
    close: async () => {},
  };
  try {
    const recorded: Recorded[] = [];
    do {
      noted = [];
      const marks = await call({ database, asker, alpha });
      recorded.push({ statements: noted, marks });
    } while (recorded.length < VARIANTS && recorded[0]?.marks.length === 0);
    return recorded;
  } finally {
    await Promise.all(owners.map(({ owner: on }) => on.close()));
  }
}
