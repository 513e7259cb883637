import { type Parsed, type Refusal, Refused, textOf } from '../../src/operations/refusal.ts';
import { ee } from '../../src/policy/ee.ts';
import type { Policy } from '../../src/policy/policy.ts';
import type { Principal } from '../../src/registry/actor.ts';
import { type ContactInfo, type Domain, linkOf, type SignedKey } from '../../src/registry/domains/domain.ts';
import type { FoundDomain } from '../../src/registry/domains/readings/load-domain.ts';
import type { Nameserver } from '../../src/registry/domains/rules/parse-nameservers.ts';
import { type DomainUpdate, updateDomain } from '../../src/registry/domains/update-domain.ts';
import type { Context } from '../../src/registry/operation.ts';
import type { RequestToken } from '../../src/registry/requests/request-store.ts';

/** What decisions start from, as values: no database is behind them. */

/** Noon in Tallinn, in winter time. */
export const NOW = new Date('2027-03-01T10:00:00Z');
export const OUR_REGISTRAR = 1;
export const OTHER_REGISTRAR = 2;

const principal: Principal = {
  username: 'alpha',
  registrarId: OUR_REGISTRAR,
  registrarCode: 'ALPHA',
  registrarName: 'Alpha Registrar',
  roles: ['super'],
};

/** Our registrar asks, by the policy of Estonia. */
export const contextOf = (changes: Partial<Context> = {}): Context => ({
  principal,
  now: NOW,
  requestId: 'a-request',
  dryRun: false,
  policy: ee,
  publicUrl: 'https://registry.example',
  ...changes,
});
export const byOther = (): Context =>
  contextOf({ principal: { ...principal, registrarId: OTHER_REGISTRAR, registrarName: 'Beta Registrar' } });
export const withPolicy = (domains: Partial<Policy['domains']>): Context =>
  contextOf({ policy: { ...ee, domains: { ...ee.domains, ...domains } } });

const contact = (id: number, code: string, ident: ContactInfo['ident']): ContactInfo => ({
  id,
  code,
  name: code,
  email: `${code}@example.ee`,
  ident,
});
export const MARI = contact(11, 'mari', { ident: '60001019906', type: 'priv', countryCode: 'EE' });
/** The same person as Mari under another code. */
export const MARI_AGAIN = contact(12, 'mari-again', MARI.ident);
export const JAAN = contact(13, 'jaan', { ident: '37605030299', type: 'priv', countryCode: 'EE' });
export const FIRM = contact(14, 'firm', { ident: '12345678', type: 'org', countryCode: 'EE' });
export const CHILD = contact(15, 'child', { ident: '2020-01-01', type: 'birthday', countryCode: 'US' });
/** As many different persons as asked for. */
export const persons = (count: number): ContactInfo[] =>
  Array.from({ length: count }, (_, index) => contact(100 + index, `person-${index}`, MARI.ident));

export const linked = linkOf;
export const nameserver = (hostname: string, ipv4: readonly string[] = []): Nameserver => ({
  hostname,
  ipv4,
  ipv6: [],
});

export const signedKey = (publicKey: string): SignedKey => ({
  flags: 257,
  protocol: 3,
  alg: 13,
  publicKey,
  keyTag: 1,
  digestType: 2,
  digest: 'AB',
});

export const CODE = 'the-transfer-code';

/** A domain of our registrar that no rule minds. */
export const domainOf = (changes: Partial<Domain> = {}): Domain => ({
  id: 1,
  version: 1,
  name: 'example.ee',
  zone: 'ee',
  registrarId: OUR_REGISTRAR,
  registrant: MARI,
  createdAt: new Date('2026-06-10T08:00:00Z'),
  expireTime: new Date('2027-06-10T21:00:00Z'),
  outzoneAt: null,
  deleteDate: null,
  purgeAt: null,
  remindedAt: null,
  forceDelete: null,
  statuses: {},
  holdCauses: [],
  disputed: false,
  transferCode: CODE,
  reference: null,
  contacts: [],
  nameservers: [],
  dnsKeys: [],
  ...changes,
});
export const foundDomain = (changes: Partial<Domain> = {}): FoundDomain => ({
  domain: domainOf(changes),
  gone: false,
});

type UpdateBy = {
  /** The contacts of the sponsor that the update names. */
  readonly own?: readonly ContactInfo[];
  readonly context?: Context;
  readonly dispute?: { readonly code: string };
};

/** What is decided on an update of a domain. */
export const updateOf = (
  domain: Partial<Domain>,
  update: Omit<DomainUpdate, 'name'>,
  { own = [], context = contextOf(), dispute }: UpdateBy = {},
) =>
  updateDomain.decide(
    {
      ...foundDomain(domain),
      own,
      generatedCode: 'generated-code',
      token: 'a-token' as RequestToken,
      dispute: dispute && { ...dispute, wrongCodes: { count: 0, secondsLeft: null } },
    },
    { name: domain.name ?? 'example.ee', ...update },
    context,
  );

/** The name of a refusal and the place of the command that it is about. */
export type Found = readonly [name: string, place: string | null];
export const nameAndPlace = ({ name, at }: Refusal): Found => [name, at?.join('.') ?? null];

/** What a decision refuses; nothing where it is taken. Any other error is one of the test. */
export function refusalsOf(decide: () => unknown): Found[] {
  try {
    decide();
    return [];
  } catch (error) {
    if (error instanceof Refused) return error.refusals.map(nameAndPlace);
    throw error;
  }
}

/** What a parser refuses; nothing where the text is taken. */
export const wrongIn = (parsed: Parsed<unknown>): Found[] =>
  'refusals' in parsed ? parsed.refusals.map(nameAndPlace) : [];

/** What a parser made of a text that it must take. */
export function taken<T>(parsed: Parsed<T>): T {
  if ('value' in parsed) return parsed.value;
  throw new Error(`refused: ${parsed.refusals.map(textOf).join('; ')}`);
}
