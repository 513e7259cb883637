import { domainToASCII } from 'node:url';
import fc from 'fast-check';
import { dayAt } from './calendar.ts';
import { collect, FOREIGN, GONE, MISSING, type Outcome } from './outcomes.ts';
import type { Period } from './prices.ts';
import {
  type Contact,
  type Domain,
  type Ident,
  REGISTRARS,
  type RegistrarCode,
  type RegistryModel,
} from './state.ts';

/** The caller: mostly the authorised one. */
export type Caller = RegistrarCode | 'sponsor';
export const registrar = fc.constantFrom(...REGISTRARS);
export const caller: fc.Arbitrary<Caller> = fc.oneof(
  { weight: 12, arbitrary: fc.constant<Caller>('sponsor') },
  { weight: 1, arbitrary: registrar },
);

type Spelling = 'as registered' | 'capitals' | 'punycode';
type Among = 'registered' | 'free' | 'all';
/** A name of the sequence, and the way it is written. */
export type NameChoice = { readonly index: number; readonly among: Among; readonly spelling: Spelling };

const spelling = fc.oneof(
  { weight: 8, arbitrary: fc.constant<Spelling>('as registered') },
  { weight: 1, arbitrary: fc.constantFrom<Spelling>('capitals', 'punycode') },
);
const names = (mostly: Among): fc.Arbitrary<NameChoice> =>
  fc.record({
    index: fc.nat({ max: 2 }),
    among: fc.oneof(
      { weight: 8, arbitrary: fc.constant(mostly) },
      { weight: 1, arbitrary: fc.constant<Among>('all') },
    ),
    spelling,
  });
/** Mostly one that is registered, and mostly one that is not. */
export const nameChoice = names('registered');
export const freeNameChoice = names('free');

export type Addressed = {
  readonly name: string;
  readonly path: string;
  readonly domain: Domain | undefined;
  readonly who: RegistrarCode;
  /** Why the caller cannot act on it; empty when it can. */
  readonly absent: readonly Outcome[];
};

export function nameOf(model: RegistryModel, { index, among }: NameChoice): string {
  const wanted = model.names.filter(
    (name) => among === 'all' || model.domains.has(name) === (among === 'registered'),
  );
  const names = wanted.length > 0 ? wanted : model.names;
  return names[index % names.length] ?? '';
}

export function spell(model: RegistryModel, choice: NameChoice): string {
  const name = nameOf(model, choice);
  if (choice.spelling === 'capitals') return name.toUpperCase();
  return choice.spelling === 'punycode' ? domainToASCII(name) : name;
}

/** The domain that a path names, as the caller sees it. */
export function address(model: RegistryModel, choice: NameChoice, chosen: Caller): Addressed {
  const name = nameOf(model, choice);
  const domain = model.domains.get(name);
  const who = chosen === 'sponsor' ? (domain?.sponsor ?? 'ALPHA') : chosen;
  const absent = !domain ? absence(model, who, name) : domain.sponsor === who ? [] : [FOREIGN];
  return { name, path: `/domains/${encodeURIComponent(spell(model, choice))}`, domain, who, absent };
}

/** A removed domain is gone for its last sponsor; for an earlier one the model does not say. */
export function absence(model: RegistryModel, who: RegistrarCode, name: string): Outcome[] {
  if (model.wasRemoved(who, 'domain', name)) return [GONE];
  return model.wasLost(who, name) ? [GONE, MISSING] : [MISSING];
}

/** The refusals that apply: those of the address first, and the rules only where it leads to a domain. */
export function judge(
  { domain, absent }: Pick<Addressed, 'domain' | 'absent'>,
  rules: (domain: Domain) => (Outcome | false)[],
): Outcome[] {
  return domain && absent.length === 0 ? collect(...rules(domain)) : [...absent];
}

const FOREIGN_FROM = 90;
const UNKNOWN_FROM = 95;
const COUNT = 100;
/** A contact: mostly one of the caller's own, now and then another's, a removed one or none at all. */
export const contactChoice = fc.noBias(fc.nat({ max: COUNT - 1 }));

export function codeOf(model: RegistryModel, who: RegistrarCode, choice: number): string {
  const own = model.contactsOf(who);
  const foreign = [...model.contacts.values()].filter(({ sponsor }) => sponsor !== who);
  if (choice >= UNKNOWN_FROM) return model.removedCodes[choice - UNKNOWN_FROM] ?? `${model.prefix}nobody`;
  const among = choice < FOREIGN_FROM ? own : foreign;
  return among[choice % among.length]?.code ?? `${model.prefix}nobody`;
}

/** The contact that a registrar means by a code: another's does not exist for it. */
export function ownContact(model: RegistryModel, who: RegistrarCode, code: string): Contact | undefined {
  const contact = model.contacts.get(code);
  return contact?.sponsor === who ? contact : undefined;
}

export const period: fc.Arbitrary<Period> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom<Period>(
      { period: 1, period_unit: 'y' },
      { period: 3, period_unit: 'm' },
      { period: 6, period_unit: 'm' },
      { period: 9, period_unit: 'm' },
      { period: 12, period_unit: 'm' },
      { period: 2, period_unit: 'y' },
    ),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom<Period>({ period: 9, period_unit: 'y' }, { period: 10, period_unit: 'y' }),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Period>(
      { period: 11, period_unit: 'y' },
      { period: 5, period_unit: 'm' },
      { period: 0, period_unit: 'm' },
    ),
  },
);

const GROWN_UP = 18;
const sameIdent = (one: Ident, other: Ident) =>
  one.ident === other.ident &&
  one.ident_type === other.ident_type &&
  one.ident_country_code === other.ident_country_code;
/** The same holder under another contact. */
export const sameHolder = (one: Contact, other: Contact): boolean =>
  sameIdent(one.data.ident, other.data.ident);
/** Only contacts with a date of birth can be minors: those with personal codes are adults. */
export function isMinor({ data: { ident } }: Contact, { now }: RegistryModel): boolean {
  if (ident.ident_type !== 'birthday') return false;
  return ident.ident > dayAt(now).subtract({ years: GROWN_UP }).toString();
}
export const hostname = (model: RegistryModel, index: number): string => `ns${index}.${model.prefix}.example`;
