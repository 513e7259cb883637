import type { Parsed, Refusal } from '../../../operations/refusal.ts';
import type { Policy } from '../../../policy/policy.ts';
import { whyInvalid } from '../../names/invalid-name.ts';
import { isZoneName, parseDomainName } from '../../names/name.ts';
import { isReference, REFERENCE_EXPECTED } from '../../own-reference.ts';
import type { NewDomain } from '../create-domain.ts';
import { type KeyText, parseNewDnsKey } from './dnssec-keys.ts';
import { refusal } from './domain-refusals.ts';
import { type NameserverText, parseNameserver } from './parse-nameservers.ts';

/** A registration as sent by a client: any member may be absent. */
export type NewDomainText = {
  readonly name?: string | undefined;
  readonly reservationCode?: string | undefined;
  readonly transferCode?: string | undefined;
  readonly reference?: string | undefined;
  readonly registrant?: string | undefined;
  readonly months?: number | undefined;
  readonly admins?: readonly string[] | undefined;
  readonly techs?: readonly string[] | undefined;
  readonly nameservers?: readonly NameserverText[] | undefined;
  readonly dnsKeys?: readonly KeyText[] | undefined;
};

/** Checks everything that needs no database, and returns all failures. */
export function parseNewDomain(text: NewDomainText, policy: Policy): Parsed<NewDomain> {
  const name = parseDomainName(text.name ?? '', policy);
  const nameservers = parseEach(text.nameservers ?? [], (item, index) =>
    parseNameserver(item, ['nameservers', index]),
  );
  const dnsKeys = parseEach(text.dnsKeys ?? [], (item, index) =>
    parseNewDnsKey(item, ['dnsKeys', index], policy),
  );
  const refusals: Refusal[] = [
    ...(name ? [] : [wrongName(text.name ?? '', policy)]),
    ...checkTransferCode(text.transferCode, policy),
    ...checkReference(text.reference),
    ...nameservers.refusals,
    ...dnsKeys.refusals,
  ];
  const { registrant, months, reservationCode, transferCode, reference, admins = [], techs = [] } = text;
  if (refusals.length > 0 || !name || registrant === undefined || months === undefined) return { refusals };
  return {
    value: {
      name,
      reservationCode,
      transferCode,
      reference,
      registrant,
      months,
      admins,
      techs,
      nameservers: nameservers.values,
      dnsKeys: dnsKeys.values,
    },
  };
}

/** A zone at the top, such as `ee`, is refused like one below it, such as `com.ee`. */
const wrongName = (text: string, policy: Policy): Refusal =>
  isZoneName(text, policy)
    ? refusal('nameBlocked', { at: ['name'] })
    : refusal('nameInvalid', { at: ['name'], reason: whyInvalid(text, policy) });

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

/** A space at either end would be lost in a header or a form. */
const TRANSFER_CODE = /^[!-~](?:[ -~]*[!-~])?$/;

export function checkTransferCode(code: string | undefined, { domains }: Policy): Refusal[] {
  if (code === undefined) return [];
  const { min, max } = domains.transferCodeLength;
  if (code.length >= min && code.length <= max && TRANSFER_CODE.test(code)) return [];
  return [
    refusal('wrongSyntax', {
      at: ['transferCode'],
      expected: `${min} to ${max} printable ASCII characters, no space first or last`,
    }),
  ];
}

export const checkReference = (reference: string | null | undefined): Refusal[] =>
  typeof reference !== 'string' || isReference(reference)
    ? []
    : [refusal('wrongSyntax', { at: ['reference'], expected: REFERENCE_EXPECTED })];
