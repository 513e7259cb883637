import { randomBytes } from 'node:crypto';
import { type Charge, chargeFor } from '../../ledger/charge.ts';
import { canPay, type FundsRow, fundsOf, readFunds } from '../../ledger/funds.ts';
import type { Policy } from '../../policy/policy.ts';
import { refuseGuessing, sameCode, WrongCode, type WrongCodes, wrongCodesOf } from '../access/wrong-codes.ts';
import { actorOf } from '../actor.ts';
import { searchKey } from '../contacts/fields.ts';
import { mustHave, recordHistory } from '../history/record.ts';
import { keepAnswer } from '../idempotency.ts';
import { type NameState, nameStates } from '../names/availability.ts';
import { type DomainName, isZoneOrigin } from '../names/name.ts';
import type { Operation, Plan } from '../operation.ts';
import { priceOf } from '../prices/find.ts';
import { type Refusal, refusal, refuseAll } from '../refusals.ts';
import { refuseUnfitAdmins, refuseWrongCounts, resolveContacts } from './contact-rules.ts';
import { type DnsKey, delegationSigner, refuseKeyCount, refuseKeyTwice } from './dnssec.ts';
import { type ContactInfo, type Domain, shownInHistory } from './domain.ts';
import { addLinks } from './links.ts';
import { contactInfo } from './load.ts';
import { type Nameserver, refuseNameserverCount, refuseTwice, refuseWithoutGlue } from './nameservers.ts';
import { firstExpiry } from './periods.ts';

export type NewDomain = {
  readonly name: DomainName;
  readonly reservedPw?: string | undefined;
  readonly transferCode?: string | undefined;
  readonly registrant: string;
  readonly months: number;
  readonly admins: readonly string[];
  readonly techs: readonly string[];
  readonly nameservers: readonly Nameserver[];
  readonly dnsKeys: readonly DnsKey[];
};

type Loaded = {
  readonly state: NameState;
  readonly wrongCodes: WrongCodes;
  readonly contacts: readonly ContactInfo[];
  readonly price: string | null;
  readonly funds: FundsRow;
  readonly transferCode: string;
};
type CreatePlan = Plan & {
  readonly domain: Omit<Domain, 'id' | 'version'>;
  readonly charge: Charge;
  readonly state: NameState;
};

export const createDomain: Operation<NewDomain, Loaded, CreatePlan> = {
  async load(sql, { name, registrant, admins, techs, months }, { principal, now, policy }) {
    const keys = [registrant, ...admins, ...techs].map(searchKey);
    const [row] = await sql<Omit<Loaded, 'transferCode'>[]>`
      select (select row_to_json(s) from (${nameStates(sql, [name.unicode], now)}) as s) as state,
        ${wrongCodesOf(sql, name.unicode, now)} as "wrongCodes",
        (select coalesce(json_agg(${contactInfo(sql)}), '[]') from contacts c
          where c.code_key = any(${keys}::text[]) and c.registrar_id = ${principal.registrarId}) as contacts,
        ${priceOf(sql, name.zone, 'create', months, now, policy)} as price,
        ${fundsOf(sql, principal.registrarId)} as funds`;
    if (!row) throw new Error('a select without from has one row');
    return { ...row, transferCode: newTransferCode() };
  },

  decide(loaded, input, context) {
    const { now, policy, principal } = context;
    const { name, months, nameservers } = input;
    if (input.reservedPw !== undefined && needsCode(loaded.state)) refuseGuessing(loaded.wrongCodes, policy);
    const registrant = resolveContacts(
      [{ code: input.registrant, field: 'domain.registrant' }],
      'tech',
      loaded.contacts,
    );
    const admins = resolveContacts(named(input.admins, 'domain.admin_contacts'), 'admin', loaded.contacts);
    const techs = resolveContacts(named(input.techs, 'domain.tech_contacts'), 'tech', loaded.contacts);
    const contacts = [...admins.found, ...techs.found];
    const [holder] = registrant.found;
    const code = refuseWithoutCode(loaded.state, input.reservedPw);
    const price = loaded.price === null ? undefined : BigInt(loaded.price);
    const refusals = [
      ...refuseUnavailable(loaded.state, policy),
      ...(code ? [code] : []),
      ...registrant.refusals,
      ...(price === undefined ? [refusal('noPrice', { field: 'domain.period' })] : []),
      ...admins.refusals,
      ...refuseUnfitAdmins(
        admins.found.map((admin) => ({ ...admin, field: 'domain.admin_contacts' })),
        context,
      ),
      ...techs.refusals,
      ...(holder
        ? refuseWrongCounts({ contacts, registrant: holder }, (role) => `domain.${role}_contacts`, context)
        : []),
      ...refuseNameserverCount(nameservers.length, 'domain.nameservers_attributes', policy),
      ...refuseTwice(nameservers, [], 'domain.nameservers_attributes'),
      ...refuseWithoutGlue(nameservers, name.unicode, 'domain.nameservers_attributes'),
      ...refuseKeyCount(input.dnsKeys.length, 'domain.dnskeys_attributes', policy),
      ...refuseKeyTwice(input.dnsKeys, [], 'domain.dnskeys_attributes'),
      ...(price !== undefined && !canPay(readFunds(loaded.funds), price) ? [refusal('noFunds')] : []),
    ];
    if (code?.name === 'wrongCode')
      throw new WrongCode(name.unicode, undefined, [code, ...refusals.filter((item) => item !== code)]);
    refuseAll(refusals);
    if (!holder || price === undefined)
      throw new Error('a domain without registrant or price was not refused');
    return {
      answer: { domain: { name: name.unicode } },
      state: loaded.state,
      charge: { amount: price, operation: 'create', description: `Create ${name.unicode}` },
      domain: {
        name: name.unicode,
        zone: name.zone,
        registrarId: principal.registrarId,
        registrant: holder,
        createdAt: now,
        expireTime: firstExpiry(now, months, policy),
        outzoneAt: null,
        deleteDate: null,
        statuses: {},
        disputed: false,
        transferCode: input.transferCode ?? loaded.transferCode,
        contacts,
        nameservers,
        dnsKeys: input.dnsKeys.map((key) => ({ ...key, ...delegationSigner(key, name.ascii) })),
      },
    };
  },

  async persist(sql, { answer, domain, charge, state: { reservationCode, disputeCode } }, context) {
    const { principal, now, requestId } = context;
    const { amount, description } = charge;
    const by = { registrarId: principal.registrarId, actor: actorOf(principal), requestId, now };
    await sql`
      with ${keepAnswer(sql, answer, context)},
      changed as (
        insert into domains (name, zone, registrar_id, registrant_id, transfer_code, created_at, updated_at, expire_time)
        select ${domain.name}, ${domain.zone}, ${principal.registrarId}, ${domain.registrant.id}, ${domain.transferCode}, ${now}, ${now}, ${domain.expireTime}
        from kept returning id, name),
      ${addLinks(sql, domain)}
      released as (
        delete from reserved_names r using changed
        where r.name = changed.name and (r.code = ${reservationCode} or r.expires_at <= ${now})),
      settled as (update disputes x set closed_at = ${now} from changed
        where x.name = changed.name and x.closed_at is null and x.code = ${disputeCode}),
      ${recordHistory(sql, { objectKind: 'domain', operation: 'create', before: null, after: shownInHistory(domain) }, context)},
      priced as (select id as history_id, ${amount.toString()}::bigint as amount, ${description} as description from recorded),
      ${chargeFor(sql, amount, 'create', by)}
      ${mustHave(sql, 'charged')}`;
  },
};

export const newTransferCode = (): string => randomBytes(16).toString('hex');

const named = (codes: readonly string[], list: string) =>
  codes.map((code, index) => ({ code, field: `${list}.${index}` }));

function refuseUnavailable({ name, registered, blocked }: NameState, policy: Policy): Refusal[] {
  if (registered) return [refusal('nameTaken', { field: 'domain.name' })];
  return blocked || isZoneOrigin(name, policy) ? [refusal('nameBlocked', { field: 'domain.name' })] : [];
}

const needsCode = ({ registered, reservationCode, disputeCode }: NameState): boolean =>
  !registered && (reservationCode ?? disputeCode) !== null;

/** A reserved or disputed name needs its code; a dispute's code counts before a reservation's. */
function refuseWithoutCode(
  { reservationCode, disputeCode, registered }: NameState,
  given: string | undefined,
): Refusal | undefined {
  const code = disputeCode ?? reservationCode;
  if (registered || code === null) return undefined;
  const field = 'domain.reserved_pw';
  if (given === undefined)
    return refusal('reservationCodeMissing', { why: disputeCode ? 'disputed' : 'reserved', field });
  return sameCode(given, code) ? undefined : refusal('wrongCode', { what: 'reserved_pw', field });
}
