import type { Parsed } from '../../operations/refusal.ts';
import type { Policy } from '../../policy/policy.ts';
import { computedStatuses, storedStatuses } from '../../registry/domains/rules/domain-statuses.ts';
import { checkReference, checkTransferCode } from '../../registry/domains/rules/parse-new-domain.ts';
import { unavailabilities } from '../../registry/names/availability.ts';
import type { DomainUpdate } from '../../registry/domains/update-domain.ts';
import { VERBATIM } from '../http/normalise-value.ts';
import { documented, Type } from '../http/schema-builder.ts';
import { expectedPrice } from './expected-price.ts';
import {
  changedReference,
  flag,
  MONEY,
  newReference,
  Registrar,
  Strict,
  shownReference,
  Text,
} from './schemas.ts';

/** The document specifies these numbers as texts; plain numbers are accepted too. */
const NumberText = (description: string) =>
  Type.Union([Type.String(), Type.Integer()], { description, 'x-expected': 'a number' });
const Codes = (description: string, most: number) =>
  Type.Optional(
    Type.Array(Text('contact code', VERBATIM), {
      maxItems: MAX_LISTED,
      description,
      ...documented({ maxItems: most }),
    }),
  );
/** Bounds one list of a request; the policy has those of a domain. */
const MAX_LISTED = 100;
const MAX_HOSTNAME_LENGTH = 253;
const MAX_LABEL_LENGTH = 63;

export const Nameserver = Strict(
  {
    hostname: Text('name of the host', documented({ maxLength: MAX_HOSTNAME_LENGTH })),
    ipv4: Type.Optional(Type.Array(Text('IPv4 address'), { maxItems: 100 })),
    ipv6: Type.Optional(Type.Array(Text('IPv6 address'), { maxItems: 100 })),
  },
  { 'x-component': 'NewNameserver' },
);
export const newKey = ({ domains }: Policy) =>
  Strict(
    {
      flags: NumberText('256 (zone signing) or 257 (key signing)'),
      protocol: NumberText('3'),
      alg: NumberText(`one of ${domains.dnssecAlgorithms.join(', ')}`),
      public_key: Text('the key in Base64'),
    },
    { 'x-component': 'NewKey' },
  );
export const newNameservers = ({ domains: { nameservers } }: Policy, options: object = {}) =>
  Type.Array(Nameserver, {
    maxItems: MAX_LISTED,
    ...options,
    ...documented({ maxItems: nameservers.max }),
  });
export const newKeys = (policy: Policy, options: object = {}) =>
  Type.Array(newKey(policy), {
    maxItems: MAX_LISTED,
    ...options,
    ...documented({ maxItems: policy.domains.mostDnssecKeys }),
  });
/** Of a label below the longest origin of the registry's zones. */
const maxNameLength = ({ zones }: Policy): number =>
  MAX_LABEL_LENGTH + 1 + Math.max(...zones.map(({ origin }) => origin.length));
/** The format of a transfer code chosen by a registrar. */
const ownTransferCode = ({ domains: { transferCodeLength: length } }: Policy) =>
  Type.Optional(
    Text(`a transfer code of your choice, ${length.min} to ${length.max} printable ASCII characters`, {
      ...VERBATIM,
      ...documented({ minLength: length.min, maxLength: length.max }),
    }),
  );
/** What an update of a domain may change. */
export const domainChange = (policy: Policy) => ({
  registrant: Type.Optional(
    Strict({
      code: Text('code of the new registrant, a contact of yours', VERBATIM),
      verified: flag('you vouch for the consent of the registrant'),
    }),
  ),
  transfer_code: ownTransferCode(policy),
  reference: changedReference,
});

type SentChange = {
  readonly registrant?: { readonly code?: string; readonly verified?: boolean };
  readonly transfer_code?: string;
  readonly reference?: string | null;
};

export function readDomainChange(
  { registrant, transfer_code: transferCode, reference }: SentChange,
  policy: Policy,
): Parsed<Pick<DomainUpdate, 'registrant' | 'transferCode' | 'reference'>> {
  const refusals = [...checkTransferCode(transferCode, policy), ...checkReference(reference)];
  if (refusals.length > 0) return { refusals };
  const { code, verified = false } = registrant ?? {};
  return {
    value: { registrant: code === undefined ? undefined : { code, verified }, transferCode, reference },
  };
}

/** Above any period of the price list. */
const MAX_PERIOD = 1_000;
export const period = (description: string, { domains }: Policy) =>
  Type.Integer({
    minimum: -MAX_PERIOD,
    maximum: MAX_PERIOD,
    description,
    ...documented({ minimum: 1, maximum: 12 * domains.longestYears }),
  });
export const PeriodUnit = Type.Enum(['y', 'm'], { description: 'years or months' });

export const newDomain = (policy: Policy) =>
  Strict({
    domain: Strict(
      {
        name: Text('the name, in Unicode or punycode', documented({ maxLength: maxNameLength(policy) })),
        reserved_pw: Type.Optional(Text('the code of a reserved or disputed name', VERBATIM)),
        transfer_code: ownTransferCode(policy),
        registrant: Text('code of the registrant, a contact of yours', VERBATIM),
        period_unit: PeriodUnit,
        period: period('number of units; the price list says which there are', policy),
        expected_price: expectedPrice(),
        admin_contacts: Codes('codes of admin contacts', policy.domains.mostAdminContacts),
        tech_contacts: Codes('codes of tech contacts', policy.domains.mostTechContacts),
        nameservers_attributes: Type.Optional(newNameservers(policy)),
        dnskeys_attributes: Type.Optional(newKeys(policy)),
        reference: newReference,
      },
      { 'x-component': 'NewDomain' },
    ),
  });

const Timestamp = Type.String({ description: "ISO 8601 with the offset of the registry's zone" });
export const Statuses = Type.Object(
  Object.fromEntries(
    [...computedStatuses, ...storedStatuses].map((status) => [status, Type.Optional(Type.String())]),
  ),
  {
    additionalProperties: false,
    description: 'each status with its note, which may be empty',
    'x-component': 'DomainStatuses',
  },
);
const orNull = (schema: typeof Timestamp) => Type.Union([schema, Type.Null()]);
const LINK_ID = Type.Integer({ description: 'in the answer to a dry run 0' });
/** All that its sponsor sees, but for the transfer code. */
export const WHOLE_DOMAIN = {
  name: Type.String(),
  registrant: Type.Object({ name: Type.String(), code: Type.String() }),
  created_at: Timestamp,
  updated_at: Timestamp,
  expire_time: Timestamp,
  outzone_at: orNull(Timestamp),
  delete_date: orNull(Type.String()),
  force_delete_date: orNull(Type.String()),
  contacts: Type.Array(
    Type.Object(
      {
        code: Type.String(),
        type: Type.Enum(['AdminDomainContact', 'TechDomainContact']),
        name: Type.Optional(Type.String()),
      },
      { 'x-component': 'DomainContact' },
    ),
  ),
  nameservers: Type.Array(
    Type.Object(
      {
        id: LINK_ID,
        hostname: Type.String(),
        ipv4: Type.Array(Type.String()),
        ipv6: Type.Array(Type.String()),
      },
      { 'x-component': 'DomainNameserver' },
    ),
  ),
  dnssec_keys: Type.Array(
    Type.Object(
      {
        id: LINK_ID,
        flags: Type.Integer(),
        protocol: Type.Integer(),
        alg: Type.Integer(),
        public_key: Type.String(),
      },
      { 'x-component': 'DomainKey' },
    ),
  ),
  statuses: Statuses,
  registrar: Registrar,
  dispute: Type.Boolean(),
  reference: shownReference,
};
export const Domain = Type.Object(
  {
    ...WHOLE_DOMAIN,
    reference: Type.Optional(
      Type.Union([Type.String(), Type.Null()], { description: 'shown to the sponsor only' }),
    ),
    transfer_code: Type.Optional(Type.String({ description: 'shown to the sponsor only' })),
  },
  { additionalProperties: false, 'x-component': 'Domain' },
);

export const DomainName = Type.Object(
  { name: Type.String() },
  { additionalProperties: false, 'x-component': 'DomainName' },
);
/** In the answers of calls that write it. */
export const WholeDomain = Type.Object(WHOLE_DOMAIN, {
  additionalProperties: false,
  description: 'the domain as its sponsor reads it, without the transfer code',
  'x-component': 'WholeDomain',
});
export const Charged = Type.String({ ...MONEY, description: 'what the call has cost' });
/** Whether a name can be registered. */
export const NameCheck = {
  name: Type.String(),
  available: Type.Boolean(),
  reason: Type.Union([Type.Enum([...unavailabilities]), Type.Null()]),
};

const PENDING = {
  pending: Type.Optional(Type.Literal(true, { description: 'the registrant was asked to confirm' })),
};
/** For changes that the registrant may have to confirm first. */
export const MaybePending = Type.Object(
  { name: Type.String(), ...PENDING },
  { additionalProperties: false, 'x-component': 'ChangedDomain' },
);
export const MaybePendingDomain = Type.Object(
  { ...WHOLE_DOMAIN, ...PENDING },
  { additionalProperties: false, 'x-component': 'UpdatedDomain' },
);
