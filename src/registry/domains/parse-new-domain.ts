import type { Parsed, Refusal } from '../../operations/refusal.ts';
import type { Policy } from '../../policy/policy.ts';
import { whyInvalid } from '../names/invalid-name.ts';
import { isZoneName, parseDomainName } from '../names/name.ts';
import { refusal } from '../registry-refusals.ts';
import type { NewDomain } from './create.ts';
import { type KeyText, parseNewDnsKey } from './dnssec-keys.ts';
import { type NameserverText, parseNameserver } from './nameservers.ts';
import { monthsOf } from './periods.ts';

/** A registration as sent by a client: any field may be absent. */
export type DomainText = {
  readonly name?: string;
  readonly reserved_pw?: string;
  readonly transfer_code?: string;
  readonly registrant?: string;
  readonly period_unit?: string;
  readonly period?: number;
  readonly admin_contacts?: readonly string[];
  readonly tech_contacts?: readonly string[];
  readonly nameservers_attributes?: readonly NameserverText[];
  readonly dnskeys_attributes?: readonly KeyText[];
};

/** Checks everything that needs no database, and returns all failures. */
export function parseNewDomain(text: DomainText, policy: Policy): Parsed<NewDomain> {
  const name = parseDomainName(text.name ?? '', policy);
  const nameservers = parseEach(text.nameservers_attributes ?? [], (item, index) =>
    parseNameserver(item, `domain.nameservers_attributes.${index}`),
  );
  const dnsKeys = parseEach(text.dnskeys_attributes ?? [], (item, index) =>
    parseNewDnsKey(item, `domain.dnskeys_attributes.${index}`, policy),
  );
  const refusals: Refusal[] = [
    ...(name ? [] : [wrongName(text.name ?? '', policy)]),
    ...checkTransferCode(text.transfer_code, 'domain.transfer_code', policy),
    ...nameservers.refusals,
    ...dnsKeys.refusals,
  ];
  const { registrant, period, period_unit: unit } = text;
  if (
    refusals.length > 0 ||
    !name ||
    registrant === undefined ||
    period === undefined ||
    (unit !== 'y' && unit !== 'm')
  )
    return { refusals };
  return {
    value: {
      name,
      reservedPw: text.reserved_pw,
      transferCode: text.transfer_code,
      registrant,
      months: monthsOf(period, unit),
      admins: text.admin_contacts ?? [],
      techs: text.tech_contacts ?? [],
      nameservers: nameservers.values,
      dnsKeys: dnsKeys.values,
    },
  };
}

/** A zone at the top, such as `ee`, is refused like one below it, such as `com.ee`. */
const wrongName = (text: string, policy: Policy): Refusal =>
  isZoneName(text, policy)
    ? refusal('nameBlocked', { field: 'domain.name' })
    : refusal('nameInvalid', { field: 'domain.name', reason: whyInvalid(text, policy) });

/** Parses a list and collects the failures of all items. */
export function parseEach<Text, Value>(
  items: readonly Text[],
  parse: (item: Text, index: number) => Parsed<Value>,
): { values: Value[]; refusals: Refusal[] } {
  const parsed = items.map(parse);
  return {
    values: parsed.flatMap((item) => ('value' in item ? [item.value] : [])),
    refusals: parsed.flatMap((item) => ('refusals' in item ? item.refusals : [])),
  };
}

export function checkTransferCode(code: string | undefined, field: string, { domains }: Policy): Refusal[] {
  if (code === undefined) return [];
  const { min, max } = domains.transferCodeLength;
  const characters = [...code].length; // code points, not UTF-16 units as in `length`
  if (characters >= min && characters <= max && !/[\p{Cc}\p{Z}]/u.test(code)) return [];
  return [refusal('wrongSyntax', { field, expected: `${min} to ${max} characters without spaces` })];
}
