import fc from 'fast-check';
import {
  codeOf,
  contactChoice,
  freeNameChoice,
  hostname,
  isMinor,
  type NameChoice,
  nameOf,
  ownContact,
  period,
  registrar,
  spell,
} from '../choices.ts';
import {
  collect,
  MANAGEMENT_POLICY,
  NO_PRICE,
  NOT_THERE,
  type Outcome,
  POLICY,
  STATUS_PROHIBITS,
  TAKEN,
} from '../outcomes.ts';
import { firstExpiry, type Period, priceOf } from '../prices.ts';
import type { Contact, RegistrarCode, RegistryModel } from '../state.ts';
import { type Plan, steps } from '../step.ts';

export const MAX_HOSTS = 11;
export const LEAST_HOSTS = 2;

export type Registration = {
  readonly name: NameChoice;
  readonly registrant: number;
  readonly period: Period;
  readonly admins: readonly number[];
  readonly techs: readonly number[];
  readonly hosts: number;
  readonly code: string | undefined;
};

const few = fc.oneof(
  { weight: 2, arbitrary: fc.constant<number[]>([]) },
  { weight: 1, arbitrary: fc.array(contactChoice, { maxLength: 3 }) },
);
const hostCount = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(2, 0, 3) },
  { weight: 1, arbitrary: fc.constantFrom(1, MAX_HOSTS, MAX_HOSTS + 1) },
);
const registration: fc.Arbitrary<Registration> = fc.record({
  name: freeNameChoice,
  registrant: contactChoice,
  period,
  admins: few,
  techs: few,
  hosts: hostCount,
  code: fc.option(fc.constantFrom('chosen-at-first', 'chosen-as-well'), { freq: 3, nil: undefined }),
});

/** Why contacts cannot have a role. */
export function roleRefusals(
  model: RegistryModel,
  who: RegistrarCode,
  codes: readonly string[],
  role: 'admin' | 'tech',
): Outcome[] {
  const found = codes.map((code) => ownContact(model, who, code));
  const known = found.filter((contact) => contact !== undefined);
  const isAdmin = role === 'admin';
  return collect(
    known.length < codes.length && NOT_THERE,
    new Set(codes).size < codes.length && POLICY,
    isAdmin && known.some(({ data }) => data.ident.ident_type === 'org') && POLICY,
    isAdmin && known.some((contact) => isMinor(contact, model)) && STATUS_PROHIBITS,
  );
}

export const hostCountWrong = (count: number): boolean =>
  count !== 0 && (count < LEAST_HOSTS || count > MAX_HOSTS);

export function planRegistration(model: RegistryModel, who: RegistrarCode, chosen: Registration): Plan {
  const name = nameOf(model, chosen.name);
  const codes = (choices: readonly number[]) => choices.map((choice) => codeOf(model, who, choice));
  const [registrant, admins, techs] = [
    codeOf(model, who, chosen.registrant),
    codes(chosen.admins),
    codes(chosen.techs),
  ];
  const hosts = Array.from({ length: chosen.hosts }, (_, index) => hostname(model, index));
  const price = priceOf(chosen.period);
  const contacts = (several: readonly string[]): Contact[] =>
    several.flatMap((code) => ownContact(model, who, code) ?? []);
  const body = {
    domain: {
      name: spell(model, chosen.name),
      registrant,
      ...chosen.period,
      ...(chosen.code && { transfer_code: chosen.code }),
      ...(admins.length > 0 && { admin_contacts: admins }),
      ...(techs.length > 0 && { tech_contacts: techs }),
      ...(hosts.length > 0 && { nameservers_attributes: hosts.map((hostname) => ({ hostname })) }),
    },
  };
  return {
    call: { who, method: 'POST', target: '/domains', body },
    price,
    refusals: [
      ...collect(model.domains.has(name) && TAKEN, !ownContact(model, who, registrant) && NOT_THERE),
      ...roleRefusals(model, who, admins, 'admin'),
      ...roleRefusals(model, who, techs, 'tech'),
      ...collect(hostCountWrong(hosts.length) && MANAGEMENT_POLICY, price === undefined && NO_PRICE),
    ],
    effect({ at }) {
      const holder = ownContact(model, who, registrant);
      if (!holder) throw new Error(`${registrant} is nobody`);
      model.domains.set(name, {
        name,
        sponsor: who,
        registrant: holder,
        admins: contacts(admins),
        techs: contacts(techs),
        hosts,
        statuses: new Set(),
        outzone: undefined,
        deleteDate: undefined,
        request: undefined,
        expiry: firstExpiry(at.from, chosen.period),
        transferCode: chosen.code,
        formerCodes: new Set(),
      });
    },
  };
}

export const registrations = steps(
  'register',
  fc.record({ who: registrar, registration }),
  (model, { who, registration }) => planRegistration(model, who, registration),
);
