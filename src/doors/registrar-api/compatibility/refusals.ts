import type { FastifyRequest } from 'fastify';
import type { NamedRefusal, NamedRefusals } from '../../../operations/named-refusal.ts';
import type { RefusalKind } from '../../../operations/refusal.ts';
import type { Policy } from '../../../policy/policy.ts';
import { identTypes } from '../../../registry/contacts/ident.ts';
import { monthsOf } from '../../../registry/domains/rules/periods.ts';
import type { RenderedRefusals } from '../../http/http-answer.ts';
import { type RefusalName, refusal } from '../registrar-api-refusals.ts';
import { CHALLENGE, renderRefusals } from '../render-refusals.ts';
import { isMembers, valueAt } from './body-paths.ts';

/** The incumbent's HTTP statuses, where they differ. */
const STATUSES: Partial<Record<RefusalKind, number>> = {
  forbidden: 401,
  gone: 404,
  limited: 400,
  'other-method': 404,
};

type Rule = {
  /** Of these calls; without a list, of all. */
  readonly calls?: readonly string[];
  readonly names: readonly RefusalName[];
  /** About this field only. */
  readonly field?: string;
  /** Only if it is also true of the body. */
  readonly applies?: (body: unknown, refused: NamedRefusal, policy: Policy) => boolean;
  readonly becomes: (refused: NamedRefusal) => NamedRefusal;
};

const recoded =
  (code: number, kind: RefusalKind = 'rule') =>
  (refused: NamedRefusal): NamedRefusal => ({ ...refused, code, kind });
const missing = (): NamedRefusal => refusal('objectMissing');

const REPLACEMENTS = ['replaceTechContact', 'replaceAdminContact', 'replaceNameserver'];

/** What the incumbent answers in place of our refusals. The first rule that fits decides. */
const RULES: readonly Rule[] = [
  // It looks the domain up before it asks whether the user may read it.
  { calls: ['readDomain'], names: ['objectMissing', 'objectGone'], becomes: () => refusal('notAllowed') },
  { calls: ['deleteDomain'], names: ['notSponsor'], becomes: recoded(2202) },
  { calls: ['renewDomains'], names: ['bodyObjectMissing', 'notSponsor'], becomes: recoded(2304) },
  { calls: ['renewDomains'], names: ['fieldMissing'], becomes: recoded(2005, 'syntax') },
  {
    calls: ['renewDomains'],
    names: ['statusProhibits', 'renewalTooEarly', 'noPrice', 'noFunds', 'expiryTooFar', 'expiryPast'],
    becomes: recoded(2002),
  },
  { calls: ['renewDomain'], names: ['renewalTooEarly'], becomes: recoded(2304) },
  // A period that has a price ends within its limit, unless the domain expires too far in the future to be renewed at all.
  { calls: ['renewDomain'], names: ['expiryTooFar'], becomes: recoded(2304) },
  { calls: ['renewDomain'], names: ['wrongSyntax'], field: 'renews.exp_date', becomes: recoded(2306) },
  { calls: ['renewDomain'], names: ['wrongSyntax'], field: 'renews.period_unit', becomes: recoded(2104) },
  { calls: ['renewDomain'], names: ['noPrice'], applies: isTooLong, becomes: recoded(2105) },
  {
    calls: ['createDomain'],
    names: ['fieldMissing', 'wrongSyntax', 'outOfRange'],
    field: 'domain.period',
    becomes: recoded(2104),
  },
  { calls: ['createDomain'], names: ['wrongSyntax'], field: 'domain.period_unit', becomes: recoded(2104) },
  {
    calls: ['createContact'],
    names: ['wrongSyntax'],
    field: 'contact.ident.ident_type',
    applies: isUnknownIdentType,
    becomes: recoded(2003, 'syntax'),
  },
  { calls: ['createContact'], names: ['wrongSyntax'], applies: isNoScalar, becomes: recoded(2003, 'syntax') },
  {
    calls: ['createContact'],
    names: ['wrongSyntax'],
    field: 'contact.ident',
    becomes: recoded(2003, 'syntax'),
  },
  { calls: REPLACEMENTS, names: ['bodyObjectMissing'], becomes: missing },
  { names: ['nameYours'], becomes: (refused) => ({ ...refused, name: 'nameTaken' }) },
  { names: ['notSponsor', 'objectGone'], becomes: missing },
];

/** The refusals of a request in the codes of the incumbent, and in its order. */
export function translateRefusals(
  [first, ...rest]: NamedRefusals,
  {
    call,
    body,
    policy,
  }: { readonly call: string | undefined; readonly body: unknown; readonly policy: Policy },
): NamedRefusals {
  const [next = first, ...others] = inItsOrder(call, [first, ...rest]);
  const translate = (refused: NamedRefusal): NamedRefusal => {
    const rule = RULES.find(
      ({ calls, names, field, applies }) =>
        (calls === undefined || (call !== undefined && calls.includes(call))) &&
        names.some((name) => name === refused.name) &&
        (field === undefined || field === refused.field) &&
        (applies === undefined || applies(body, refused, policy)),
    );
    return rule ? rule.becomes(refused) : refused;
  };
  return [translate(next), ...others.map(translate)];
}

export function renderAsIncumbent(
  refusals: NamedRefusals,
  { body, routeOptions }: FastifyRequest,
  policy: Policy,
): RenderedRefusals {
  const translated = translateRefusals(refusals, { call: routeOptions.config.call, body, policy });
  const rendered = renderRefusals(withoutMembers(translated));
  const status = STATUSES[translated[0].kind] ?? rendered.status;
  const challenge = status === 401 ? { 'www-authenticate': CHALLENGE } : {};
  return { ...rendered, status, headers: { ...rendered.headers, ...challenge } };
}

/** Its errors have texts alone. */
const withoutMembers = ([first, ...rest]: NamedRefusals): NamedRefusals => [
  { ...first, members: {} },
  ...rest.map((refused) => ({ ...refused, members: {} })),
];

/** The first refusal decides on the code: the incumbent compares the expiry date before it looks for a price. */
function inItsOrder(call: string | undefined, refusals: readonly NamedRefusal[]): readonly NamedRefusal[] {
  if (call !== 'renewDomain') return refusals;
  const rankOf = ({ name }: NamedRefusal) =>
    name === 'statusProhibits' || name === 'renewalTooEarly' ? 0 : name === 'expiryMismatch' ? 1 : 2;
  return refusals.toSorted((one, other) => rankOf(one) - rankOf(other));
}

/** A period that no expiry allows: the incumbent says so before it says that it has no price. */
function isTooLong(body: unknown, _refused: NamedRefusal, { domains }: Policy): boolean {
  const { period, period_unit: unit } = (valueAt(body, ['renews']) ?? {}) as Record<string, unknown>;
  return monthsOf(Number(period), unit === 'm' ? 'm' : 'y') > domains.longestYears * 12;
}

/** Not one that a country does not allow. */
function isUnknownIdentType(body: unknown): boolean {
  return !identTypes.some((type) => type === valueAt(body, ['contact', 'ident', 'ident_type']));
}

/** An object or a list in place of a text is as good as nothing. */
function isNoScalar(body: unknown, { field }: NamedRefusal): boolean {
  const value = valueAt(body, field?.split('.') ?? []);
  return Array.isArray(value) || isMembers(value);
}
