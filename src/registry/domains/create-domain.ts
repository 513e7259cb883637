import { randomBytes } from 'node:crypto';
import { type Charge, chargeFor, type FundsRow, fundsOf, readFunds } from '../../ledger/charge.ts';
import { clientsKey, storeAnswers } from '../../operations/stored-answers.ts';
import { insertHistory } from '../../operations/record-history.ts';
import { type Refusal, requireNone } from '../../operations/refusal.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import { type Part, part, parts, WithStatement } from '../../platform/sql/with.ts';
import type { Policy } from '../../policy/policy.ts';
import {
  requireNoGuessing,
  sameCode,
  WrongCode,
  type WrongCodes,
  wrongCodesOf,
} from '../access/wrong-transfer-codes.ts';
import { actorOf } from '../actor.ts';
import { searchKey } from '../contacts/contact-fields.ts';
import { CONTACT_INFO } from '../contacts/contact-members.ts';
import { WANTED_AUTHORS } from '../history/read-history.ts';
import { storeLegalDocuments } from '../legal-documents.ts';
import { keptObject } from '../keep-keys.ts';
import { type NameState, nameState } from '../names/availability.ts';
import { type DomainName, isZoneOrigin } from '../names/name.ts';
import type { Decided, Operation, Plan, Request } from '../operation.ts';
import { lowBalanceNotice } from '../poll/low-balance.ts';
import { checkFunds } from '../prices/check-funds.ts';
import { checkAgreedPrice, priceOf } from '../prices/prices.ts';
import { checkAdminContacts, checkContactCounts, resolveContacts } from './rules/contact-rules.ts';
import { checkDuplicateKeys, checkKeyCount, type DnsKey, delegationSigner } from './rules/dnssec-keys.ts';
import {
  type ContactInfo,
  type ContactRole,
  type Domain,
  type LinkedContact,
  linkOf,
  shownInHistory,
  type WholeDomain,
} from './domain.ts';
import { refusal } from './rules/domain-refusals.ts';
import { addLinks, linkIdsOf, requireChargedWithIds } from './domain-contact-links.ts';
import {
  checkDuplicateNameservers,
  checkGlue,
  checkNameserverCount,
  type Nameserver,
} from './rules/parse-nameservers.ts';
import { dayOf, firstExpiry } from './rules/periods.ts';

export type NewDomain = {
  readonly name: DomainName;
  readonly reservationCode?: string | undefined;
  readonly transferCode?: string | undefined;
  readonly reference?: string | undefined;
  readonly registrant: string;
  readonly months: number;
  readonly admins: readonly string[];
  readonly techs: readonly string[];
  readonly nameservers: readonly Nameserver[];
  readonly dnsKeys: readonly DnsKey[];
};

type Loaded = {
  readonly state: NameState;
  /** Whose the name is, if it is registered. */
  readonly sponsorId: number | null;
  readonly wrongCodes: WrongCodes;
  readonly contacts: readonly ContactInfo[];
  readonly price: string | null;
  readonly funds: FundsRow;
  readonly transferCode: string;
};
type CreatePlan = Plan<WholeDomain> & {
  readonly domain: Omit<Domain, 'id' | 'version'>;
  readonly charge: Charge;
  readonly state: NameState;
};

export const createDomain: Operation<NewDomain, Loaded, CreatePlan> = {
  async load(db, input, context) {
    const [loaded] = await loadAll(db, [{ input, context }]);
    if (!loaded) throw new Error('nothing was loaded for a request');
    return loaded;
  },

  decide(loaded, input, context) {
    const { now, policy, principal } = context;
    const { name, months, nameservers } = input;
    if (input.reservationCode !== undefined && needsCode(loaded.state))
      requireNoGuessing(loaded.wrongCodes, policy);
    const registrant = resolveContacts([{ code: input.registrant, at: ['registrant'] }], loaded.contacts);
    const admins = resolveContacts(listed(input.admins, 'admins'), loaded.contacts);
    const techs = resolveContacts(listed(input.techs, 'techs'), loaded.contacts);
    const contacts = [...inRole('admin', admins.found), ...inRole('tech', techs.found)];
    const [holder] = registrant.found;
    const code = checkReservationCode(loaded.state, input.reservationCode);
    const price = loaded.price === null ? undefined : BigInt(loaded.price);
    const refusals = [
      ...checkAvailability(loaded.state, loaded.sponsorId === principal.registrarId, policy),
      ...(code ? [code] : []),
      ...registrant.refusals,
      ...(price === undefined ? [refusal('noPrice', { at: ['period'] })] : checkAgreedPrice(price, context)),
      ...admins.refusals,
      ...checkAdminContacts(
        admins.found.map((admin) => ({ ...admin, at: ['admins'] as const })),
        context,
      ),
      ...techs.refusals,
      ...(holder
        ? checkContactCounts({ contacts, registrant: holder }, (role) => [`${role}s`], context)
        : []),
      ...checkNameserverCount(nameservers.length, policy),
      ...checkDuplicateNameservers(nameservers, [], ['nameservers']),
      ...checkGlue(nameservers, name.unicode, ['nameservers'], policy),
      ...checkKeyCount(input.dnsKeys.length, policy),
      ...checkDuplicateKeys(input.dnsKeys, [], ['dnsKeys']),
      ...(price === undefined ? [] : checkFunds(price, readFunds(loaded.funds))),
    ];
    if (code?.name === 'wrongCode')
      throw new WrongCode(name.unicode, undefined, [code, ...refusals.filter((item) => item !== code)]);
    requireNone(refusals);
    if (!holder || price === undefined)
      throw new Error('a domain without registrant or price was not refused');
    const domain: CreatePlan['domain'] = {
      name: name.unicode,
      zone: name.zone,
      registrarId: principal.registrarId,
      registrant: holder,
      createdAt: now,
      expireTime: firstExpiry(now, months, policy),
      outzoneAt: null,
      deleteDate: null,
      purgeAt: null,
      remindedAt: null,
      forceDelete: null,
      statuses: {},
      holdCauses: [],
      disputed: false,
      transferCode: input.transferCode ?? loaded.transferCode,
      reference: input.reference ?? null,
      contacts,
      nameservers,
      dnsKeys: input.dnsKeys.map((key) => ({ ...key, ...delegationSigner(key, name.ascii) })),
    };
    const result = { name: name.unicode, isPending: false };
    return {
      answer: { ...result, domain, updatedAt: now, charged: price },
      state: loaded.state,
      charge: { amount: price, operation: 'create', description: `Create ${name.unicode}` },
      domain,
    };
  },

  async persist(db, plan, context) {
    const [answer] = await persistAll(db, [{ plan, context }]);
    return answer ?? plan.answer;
  },
  batch: { load: loadAll, persist: persistAll },
};

/** One row per request, in their order. */
async function loadAll(db: Sql, requests: readonly Request<NewDomain>[]): Promise<Loaded[]> {
  const inputs = requests.map(({ input, context: { principal, now, policy } }) => ({
    ...input,
    registrarId: principal.registrarId,
    contactKeys: [input.registrant, ...input.admins, ...input.techs].map(searchKey).join(' '),
    at: now.toISOString(),
    today: dayOf(now, policy),
  }));
  const rows = await db.rows(sql<Omit<Loaded, 'transferCode'>>`
    select (select row_to_json(s) from (select ${nameState(sql`asked.at`)}) as s) as state,
      (select d.registrar_id from domains d where d.name = asked.name) as "sponsorId",
      ${wrongCodesOf(sql`asked.name`, { registrarId: sql`asked.registrar_id`, now: sql`asked.at` })} as "wrongCodes",
      (select coalesce(json_agg(${CONTACT_INFO}), '[]') from contacts c
        where c.code_key = any(string_to_array(asked.contact_keys, ' ')) and c.registrar_id = asked.registrar_id) as contacts,
      ${priceOf(sql`asked.zone`, 'create', sql`asked.months`, sql`asked.today`)} as price,
      ${fundsOf(sql`asked.registrar_id`)} as funds
    from unnest(${inputs.map(({ name }) => name.unicode)}::text[], ${inputs.map(({ name }) => name.zone)}::text[], ${inputs.map(({ months }) => months)}::int[],
      ${inputs.map(({ registrarId }) => registrarId)}::bigint[], ${inputs.map(({ contactKeys }) => contactKeys)}::text[],
      ${inputs.map(({ at }) => at)}::timestamptz[], ${inputs.map(({ today }) => today)}::date[])
      with ordinality as asked(name, zone, months, registrar_id, contact_keys, at, today, position)
    order by asked.position`);
  return rows.map((row) => ({ ...row, transferCode: newTransferCode() }));
}

/** All or none; sorted by name, so that two batches cannot deadlock. The answers have the ids of what was added. */
async function persistAll(db: Sql, decided: readonly Decided<CreatePlan>[]): Promise<WholeDomain[]> {
  const creations = decided
    .map(({ plan, context }) => ({
      ...plan,
      ...context,
      ...plan.domain,
      actor: actorOf(context.principal),
      made: keptObject('domain', plan.domain.name, context),
    }))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));
  const coded = creations.filter(
    ({ state: { reservationCode, disputeCode } }) => (reservationCode ?? disputeCode) !== null,
  );
  const wanted = part(
    'wanted',
    ['stored'],
    sql`
      select w.* from stored cross join unnest(
        ${creations.map(({ name }) => name)}::text[], ${creations.map(({ zone }) => zone)}::text[], ${creations.map(({ registrarId }) => registrarId)}::bigint[],
        ${creations.map(({ registrant }) => registrant.id)}::bigint[], ${creations.map(({ transferCode }) => transferCode)}::text[], ${creations.map(({ reference }) => reference)}::text[],
        ${creations.map(({ now }) => now.toISOString())}::timestamptz[], ${creations.map(({ expireTime }) => expireTime.toISOString())}::timestamptz[],
        ${creations.map(({ charge }) => charge.amount.toString())}::bigint[], ${creations.map(({ charge }) => charge.description)}::text[],
        ${creations.map(({ actor }) => actor)}::text[], ${creations.map(({ requestId }) => requestId)}::text[],
        ${creations.map(({ clientTransactionId }) => clientTransactionId ?? null)}::text[],
        ${creations.map(clientsKey)}::text[],
        ${creations.map(({ domain }) => JSON.stringify(shownInHistory(domain)))}::text[])
        as w(name, zone, registrar_id, registrant_id, transfer_code, reference, at, expire_time, amount, description, actor, request_id, client_transaction_id, idempotency_key, after)`,
    { isMaterialized: true },
  );
  const changed = part(
    'changed',
    ['wanted'],
    sql`
      insert into domains (name, zone, registrar_id, registrant_id, transfer_code, reference, created_at, updated_at, expire_time)
      select name, zone, registrar_id, registrant_id, transfer_code, reference, at, at, expire_time from wanted
      returning id, name`,
  );
  const recorded = part(
    'recorded',
    ['wanted', 'changed'],
    sql`${insertHistory(
      {
        objectKind: 'domain',
        operation: 'create',
        registrarId: sql`w.registrar_id`,
        after: sql`w.after::jsonb`,
      },
      WANTED_AUTHORS,
      sql`from wanted w join changed on changed.name = w.name`,
    )} returning id, object_name`,
  );
  const priced = part(
    'priced',
    ['recorded', 'wanted'],
    sql`select recorded.id as history_id, w.* from recorded join wanted w on w.name = recorded.object_name`,
  );
  const statement = WithStatement.from(storeAnswers(creations))
    .and(wanted)
    .and(changed)
    .and(addLinks(creations))
    .and(storeLegalDocuments('domain', creations))
    .and(coded.length === 0 ? undefined : consumeCodes(coded))
    .and(recorded)
    .and(priced)
    .and(chargeFor('create'))
    .and(lowBalanceNotice);
  const written = await db.one(statement.end(['charged'], requireChargedWithIds(creations)));
  const ids = linkIdsOf(creations, written);
  const known = new Map(creations.map(({ name }, index) => [name, ids[index]]));
  return decided.map(({ plan: { answer } }) => {
    const linkIds = known.get(answer.name);
    return linkIds ? { ...answer, domain: { ...answer.domain, linkIds } } : answer;
  });
}

/** Consumes the reservation or dispute code with which the name was registered. */
function consumeCodes(
  creations: readonly { readonly state: NameState; readonly now: Date }[],
): Part<'consumed' | 'released' | 'spent' | 'settled', 'changed'> {
  return parts(
    part(
      'consumed',
      ['changed'],
      sql`
      select changed.name, c.reservation_code, c.dispute_code, c.at
      from unnest(${creations.map(({ state }) => state.name)}::text[], ${creations.map(({ state }) => state.reservationCode)}::text[],
        ${creations.map(({ state }) => state.disputeCode)}::text[], ${creations.map(({ now }) => now.toISOString())}::timestamptz[])
        as c(name, reservation_code, dispute_code, at)
      join changed on changed.name = c.name`,
    ),
    part(
      'released',
      ['consumed'],
      sql`
      delete from reserved_names r using consumed c where r.name = c.name and r.code = c.reservation_code
      returning r.name, r.reservation_id, c.at, c.dispute_code`,
    ),
    part(
      'spent',
      ['released'],
      sql`
      update reservation_names n set registered_at = r.at from released r
      where n.reservation_id = r.reservation_id and n.name = r.name and r.dispute_code is null`,
    ),
    part(
      'settled',
      ['consumed'],
      sql`
      update disputes x set closed_at = c.at from consumed c
      where x.name = c.name and x.closed_at is null and x.code = c.dispute_code`,
    ),
  );
}

export const newTransferCode = (): string => randomBytes(16).toString('hex');

const listed = (codes: readonly string[], list: 'admins' | 'techs') =>
  codes.map((code, index) => ({ code, at: [list, index] as const }));

const inRole = (role: ContactRole, contacts: readonly ContactInfo[]): LinkedContact[] =>
  contacts.map((contact) => linkOf(contact, role));

function checkAvailability(
  { name, registered, blocked }: NameState,
  isOwn: boolean,
  policy: Policy,
): Refusal[] {
  if (registered) return [refusal(isOwn ? 'nameYours' : 'nameTaken', { at: ['name'] })];
  return blocked || isZoneOrigin(name, policy) ? [refusal('nameBlocked', { at: ['name'] })] : [];
}

const needsCode = ({ registered, reservationCode, disputeCode }: NameState): boolean =>
  !registered && (reservationCode ?? disputeCode) !== null;

/** A reserved or disputed name needs its code; a dispute's code takes precedence over a reservation's. */
function checkReservationCode(
  { reservationCode, disputeCode, registered }: NameState,
  given: string | undefined,
): Refusal | undefined {
  const code = disputeCode ?? reservationCode;
  if (registered || code === null) return undefined;
  const at = ['reservationCode'] as const;
  if (given === undefined)
    return refusal('reservationCodeMissing', { reason: disputeCode ? 'disputed' : 'reserved', at });
  return sameCode(given, code) ? undefined : refusal('wrongCode', { at });
}
