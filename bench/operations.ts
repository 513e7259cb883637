import { encode, type Request } from './client.ts';
import type { Owned, Registrar, World } from './world.ts';

/**
 * One row of the benchmark: a name, and where its requests come from, one call per request. Floor and product are
 * asked from two sources of their own, so that what one has used up is not missing from the other.
 */
export type Operation = { readonly name: string; readonly requests: (world: World) => () => Buffer };

const API = '/registry/v1';

const contacts: readonly Operation[] = [
  {
    name: 'GET contact',
    requests: ({ alpha }) => anyOf(alpha.contactCodes.map((code) => read(alpha, `/contacts/${code}`))),
  },
  {
    name: 'GET contact simple',
    requests: ({ alpha }) =>
      anyOf(alpha.contactCodes.map((code) => read(alpha, `/contacts/${code}?simple=true`))),
  },
  {
    name: 'GET 200 contact codes',
    requests: ({ alpha }) => anyOf([read(alpha, '/contacts?limit=200')]),
  },
  {
    name: 'POST contact',
    requests:
      ({ alpha }) =>
      () =>
        write(alpha, 'POST', '/contacts', { contact: { id: fresh(), ...contact(), ident } }),
  },
  {
    name: 'PUT contact',
    requests:
      ({ alpha }) =>
      () =>
        write(alpha, 'PUT', `/contacts/${pick(alpha.contactCodes)}`, { contact: contact() }),
  },
];

const domains: readonly Operation[] = [
  {
    name: 'GET domain',
    requests: ({ alpha }) => anyOf(alpha.domains.map(({ name }) => read(alpha, `/domains/${name}`))),
  },
  {
    name: 'GET 200 detailed domains',
    requests: ({ alpha }) => anyOf([read(alpha, '/domains?limit=200&details=true')]),
  },
  {
    name: 'GET 200 domain names',
    requests: ({ alpha }) => anyOf([read(alpha, '/domains?limit=200')]),
  },
  {
    name: 'check domain',
    requests: ({ alpha }) => {
      const names = alpha.domains.flatMap(({ name }) => [name, `free-${name}`]);
      return anyOf(names.map((name) => read(alpha, `/domains/check/${name}`)));
    },
  },
  {
    name: 'POST domain (20 registrars)',
    requests: ({ others }) => {
      const next = inTurn(others);
      return () => register(next());
    },
  },
  {
    name: 'POST domain (one registrar)',
    requests:
      ({ alpha }) =>
      () =>
        register(alpha),
  },
  {
    name: 'renew domain',
    requests: ({ others }) => {
      const next = renewable(others);
      return () => {
        const { registrar, name, expiry } = next();
        const renews = { period: 1, period_unit: 'y', exp_date: expiry };
        return write(registrar, 'POST', `/domains/${name}/renew`, { renews });
      };
    },
  },
];

const others: readonly Operation[] = [
  { name: 'GET balance', requests: ({ alpha }) => anyOf([read(alpha, '/accounts/balance')]) },
  { name: 'poll', requests: ({ alpha }) => anyOf([read(alpha, '/registrar/notifications')]) },
];

const PORTAL = '/api/v1/business_registry';
const portalToken = { authorization: 'Bearer portal-sandbox-token' };
const WORDS = ['Kuldne', 'Hõbe', 'Meri', 'Päike', 'Lõuna', 'Põhja', 'Tamme', 'Kase', 'Saare', 'Metsa'];

/** What the business portal asks. */
const portal: readonly Operation[] = [
  {
    name: 'suggest names',
    requests: () =>
      anyOf(
        WORDS.flatMap((one) =>
          WORDS.map((other) => ({
            ...{ method: 'GET', ...portalToken },
            path: `${PORTAL}/domain_names/${encodeURIComponent(`${one} ${other} OÜ`)}`,
          })),
        ),
      ),
  },
  {
    name: 'reserve a name',
    requests: () => () =>
      encode({
        ...{ method: 'POST', path: `${PORTAL}/reserve_domains`, ...portalToken },
        body: JSON.stringify({ domain_names: [`${fresh()}-kept.ee`] }),
      }),
  },
];

export const operations: readonly Operation[] = [...contacts, ...domains, ...others, ...portal];

const ident = { ident: '60001019906', ident_type: 'priv', ident_country_code: 'EE' };
let made = 0;
const fresh = () => `fresh-${String(++made).padStart(9, '0')}`;
const contact = () => ({
  name: 'Mari Maasikas',
  email: 'mari@example.ee',
  phone: `+372.${5_000_000 + made}`,
});

/** A registration like those that were loaded. */
function register(registrar: Registrar): Buffer {
  const domain = {
    ...{ name: `${fresh()}.ee`, registrant: pick(registrar.contactCodes), period: 1, period_unit: 'y' },
    admin_contacts: [pick(registrar.contactCodes)],
    tech_contacts: [pick(registrar.contactCodes)],
    nameservers_attributes: [{ hostname: 'ns1.hoster.example' }, { hostname: 'ns2.hoster.example' }],
  };
  return write(registrar, 'POST', '/domains', { domain });
}

/** The domains of all, one registrar after the other; a second time round each expires a year later. */
function renewable(registrars: readonly Registrar[]): () => Owned & { registrar: Registrar } {
  const most = Math.max(...registrars.map((registrar) => registrar.domains.length));
  const queue = Array.from({ length: most }, (_, place) =>
    registrars.flatMap((registrar) => {
      const owned = registrar.domains[place];
      return owned ? [{ registrar, ...owned }] : [];
    }),
  ).flat();
  let taken = 0;
  return () => {
    const [round, place] = [Math.floor(taken / queue.length), taken % queue.length];
    taken += 1;
    const item = queue[place];
    if (!item) throw new Error('nothing to renew');
    const year = Number(item.expiry.slice(0, 4)) + round;
    return { ...item, expiry: `${year}${item.expiry.slice(4)}` };
  };
}

/** Requests that change nothing are encoded beforehand and drawn from. */
const anyOf = (requests: readonly Request[]) => {
  const encoded = requests.map(encode);
  return () => pick(encoded);
};
const read = ({ authorization }: Registrar, path: string): Request => ({
  method: 'GET',
  path: API + path,
  authorization,
});
const write = ({ authorization }: Registrar, method: string, path: string, body: object) =>
  encode({ method, path: API + path, authorization, body: JSON.stringify(body) });

function inTurn<T>(items: readonly T[]): () => T {
  let place = 0;
  return () => {
    const item = items[place++ % items.length];
    if (item === undefined) throw new Error('nothing to choose from');
    return item;
  };
}

function pick<T>(items: readonly T[]): T {
  const item = items[Math.floor(Math.random() * items.length)];
  if (item === undefined) throw new Error('nothing to choose from');
  return item;
}
