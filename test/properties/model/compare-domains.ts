import { expect } from 'vitest';
import type { Data } from '../../support/client.ts';
import { type Moment, type Span, startOf, timestamp } from './calendar.ts';
import { absence } from './choices.ts';
import { isOneOf } from './outcomes.ts';
import type { Contact, Domain, RegistrarCode, RegistryModel } from './state.ts';
import { shownStatuses } from './statuses.ts';
import type { World } from './world.ts';

const CODE_OF_THE_REGISTRY = /^[0-9a-f]{32}$/;
/** The two clocks, ours and the registry's, are read one after the other. */
const TOLERANCE_MS = 1000;
export const WEBSITES: Record<RegistrarCode, object> = {
  ALPHA: { name: 'Alpha Registrar', website: 'https://alpha.example' },
  BETA: { name: 'Beta Registrar', website: 'https://beta.example' },
  POOR: { name: 'Poor Registrar', website: 'https://poor.example' },
};

/** The domains of a registrar, as it lists them. */
export function compareDomains(model: RegistryModel, who: RegistrarCode, listed: readonly Data[]): void {
  const expected = model.domainsOf(who);
  expect(listed.map(({ name }) => name).toSorted()).toEqual(expected.map(({ name }) => name).toSorted());
  for (const domain of expected) {
    const shown = listed.find(({ name }) => name === domain.name);
    compareCode(domain, shown.transfer_code);
    expect(comparable(shown)).toEqual(expectedDomain(domain, who));
    expectWithin(domain.name, shown.outzone_at, domain.outzone);
  }
}

function compareCode(domain: Domain, shown: string): void {
  expect([...domain.formerCodes], `a former transfer code of ${domain.name}`).not.toContain(shown);
  if (domain.transferCode === undefined) {
    expect(shown).toMatch(CODE_OF_THE_REGISTRY);
    domain.transferCode = shown;
  }
  expect(shown, `the transfer code of ${domain.name}`).toBe(domain.transferCode);
}

function expectWithin(name: string, shown: string | null, span: Span | undefined): void {
  if (!span) {
    expect(shown, `outzone_at of ${name}`).toBeNull();
    return;
  }
  const at: Moment = Date.parse(shown ?? '');
  expect(shown, `outzone_at of ${name}`).toBe(timestamp(at));
  const near = at >= span.from - TOLERANCE_MS && at <= span.until + TOLERANCE_MS;
  expect(near, `outzone_at of ${name}: ${shown}, not ${timestamp(span.from)}`).toBe(true);
}

/** Omitted fields are compared elsewhere, or are the registry's own choice. */
function comparable(shown: Data): unknown {
  const { created_at, updated_at, outzone_at, transfer_code, nameservers, contacts, statuses, ...rest } =
    shown;
  return {
    ...rest,
    contacts: contacts.map((contact: Data) => JSON.stringify(contact)).toSorted(),
    hosts: nameservers.map(({ hostname }: Data) => hostname).toSorted(),
    statuses: Object.keys(statuses).toSorted(),
  };
}

function expectedDomain(domain: Domain, who: RegistrarCode): unknown {
  const linked = (type: string, contacts: readonly Contact[]) =>
    contacts.map(({ code, data: { name } }) =>
      JSON.stringify({ code, type, ...(who === domain.sponsor && { name }) }),
    );
  return {
    name: domain.name,
    registrant: { name: domain.registrant.data.name, code: domain.registrant.code },
    expire_time: timestamp(startOf(domain.expiry)),
    delete_date: domain.deleteDate?.toString() ?? null,
    force_delete_date: null,
    contacts: [
      ...linked('AdminDomainContact', domain.admins),
      ...linked('TechDomainContact', domain.techs),
    ].toSorted(),
    hosts: domain.hosts.toSorted(),
    dnssec_keys: [],
    statuses: shownStatuses(domain),
    registrar: WEBSITES[domain.sponsor],
    dispute: false,
    ...(who === domain.sponsor && { reference: null }),
  };
}

/** One domain as any registrar reads it. */
export async function compareRead(
  model: RegistryModel,
  world: World,
  who: RegistrarCode,
  name: string,
): Promise<void> {
  const { status, body } = await world.read(who, `/domains/${encodeURIComponent(name)}`);
  const domain = model.domains.get(name);
  if (!domain) {
    const allowed = absence(model, who, name);
    expect(isOneOf([status, body.code], allowed), `${name} is ${status} to ${who}`).toBe(true);
    return;
  }
  const shown = body.data.domain;
  expect('transfer_code' in shown, `the transfer code of ${name} shown to ${who}`).toBe(
    who === domain.sponsor,
  );
  expect(comparable(shown)).toEqual(expectedDomain(domain, who));
}
