import { eppOperations } from './epp/operations.ts';
import { encode } from './line.ts';
import type { Operation } from './operation.ts';
import {
  acknowledgement,
  anyOf,
  changedContact,
  fresh,
  inTurn,
  newContact,
  newDomain,
  read,
  write,
} from './requests.ts';
import type { Owned, Registrar, World } from './world.ts';

const contacts: readonly Operation[] = [
  {
    name: 'GET contact',
    kind: 'read',
    requests: ({ alpha }) => anyOf(alpha.contactCodes.map((code) => read(alpha, `/contacts/${code}`))),
  },
  {
    name: 'GET contact simple',
    kind: 'read',
    requests: ({ alpha }) =>
      anyOf(alpha.contactCodes.map((code) => read(alpha, `/contacts/${code}?simple=true`))),
  },
  {
    name: 'GET 200 contact codes',
    kind: 'read',
    requests: ({ alpha }) => anyOf([read(alpha, '/contacts?limit=200')]),
  },
  {
    name: 'POST contact',
    kind: 'write',
    requests: once(({ alpha }) => newContact(alpha)),
  },
  {
    name: 'PUT contact',
    kind: 'write',
    requests: once(({ alpha }) => changedContact(alpha)),
  },
];

const pageOf = ({ cookie }: World, path: string) => ({ method: 'GET', path: `/console${path}`, cookie });

const pages: readonly Operation[] = [
  {
    name: 'console start',
    kind: 'page',
    requests: (world) => anyOf([pageOf(world, '')]),
  },
  {
    name: 'console list of 50 domains',
    kind: 'page',
    requests: (world) => anyOf([pageOf(world, '/domains')]),
  },
  {
    name: 'console domain',
    kind: 'page',
    requests: (world) => anyOf(world.alpha.domains.map(({ name }) => pageOf(world, `/domains/${name}`))),
  },
];

const domains: readonly Operation[] = [
  {
    name: 'GET domain',
    kind: 'read',
    requests: ({ alpha }) => anyOf(alpha.domains.map(({ name }) => read(alpha, `/domains/${name}`))),
  },
  {
    name: 'RDAP domain',
    kind: 'read',
    requests: ({ alpha }) =>
      anyOf(alpha.domains.map(({ name }) => ({ method: 'GET', path: `/rdap/domain/${name}` }))),
  },
  {
    name: 'GET 200 detailed domains',
    kind: 'read',
    requests: ({ alpha }) => anyOf([read(alpha, '/domains?limit=200&details=true')]),
  },
  {
    name: 'GET 50 detailed domains',
    kind: 'read',
    requests: ({ alpha }) => anyOf([read(alpha, '/domains?limit=50&details=true')]),
  },
  {
    name: 'GET 200 domain names',
    kind: 'read',
    requests: ({ alpha }) => anyOf([read(alpha, '/domains?limit=200')]),
  },
  {
    name: 'check domain',
    kind: 'read',
    requests: ({ alpha }) => {
      const names = alpha.domains.flatMap(({ name }) => [name, `free-${name}`]);
      return anyOf(names.map((name) => read(alpha, `/domains/check/${name}`)));
    },
  },
  {
    name: 'POST domain (20 registrars)',
    kind: 'write',
    requests: ({ others }) => {
      const next = inTurn(others);
      return () => newDomain(next());
    },
  },
  {
    name: 'POST domain (one registrar)',
    kind: 'write',
    requests: once(({ alpha }) => newDomain(alpha)),
  },
  {
    name: 'renew domain',
    kind: 'write',
    requests: ({ others }) => {
      const next = renewable(others);
      return () => {
        const { registrar, name, expiry } = next();
        const renews = { period: 1, period_unit: 'y', exp_date: expiry };
        return write(registrar, 'POST', `/domains/${name}/renew`, { renews });
      };
    },
  },
  {
    name: 'transfer domain',
    kind: 'write',
    isFinite: true,
    requests: ({ others, leaving }) => {
      const [next, taker] = [inTurn(leaving), inTurn(others)];
      return () => {
        const { name, code } = next();
        return write(taker(), 'POST', `/domains/${name}/transfer`, { transfer: { transfer_code: code } });
      };
    },
  },
];

const others: readonly Operation[] = [
  {
    name: 'GET balance',
    kind: 'read',
    requests: ({ alpha }) => anyOf([read(alpha, '/accounts/balance')]),
  },
  {
    name: 'poll',
    kind: 'read',
    requests: ({ alpha }) => anyOf([read(alpha, '/registrar/notifications')]),
  },
  {
    name: 'acknowledge',
    kind: 'write',
    requests: once(({ others: [registrar] }) => acknowledgement(existing(registrar))),
  },
];

const PORTAL = '/api/v1/business_registry';
const portalToken = { authorization: 'Bearer portal-sandbox-token' };
const WORDS = ['Kuldne', 'Hõbe', 'Meri', 'Päike', 'Lõuna', 'Põhja', 'Tamme', 'Kase', 'Saare', 'Metsa'];
const CALLED_ABOUT = 500;

/** What the business portal asks, and the payment provider tells. */
const services: readonly Operation[] = [
  {
    name: 'suggest names',
    kind: 'read',
    requests: () =>
      anyOf(
        WORDS.flatMap((one) =>
          WORDS.map((other) => ({
            method: 'GET',
            ...portalToken,
            path: `${PORTAL}/domain_names/${encodeURIComponent(`${one} ${other} OÜ`)}`,
          })),
        ),
      ),
  },
  {
    name: 'reserve a name',
    kind: 'write',
    requests: () => () =>
      encode({
        method: 'POST',
        path: `${PORTAL}/reserve_domains`,
        ...portalToken,
        body: JSON.stringify({ domain_names: [`${fresh()}-kept.ee`] }),
      }),
  },
  {
    name: 'payment callback',
    kind: 'write',
    requests: () => {
      const numbers = Array.from({ length: CALLED_ABOUT }, (_, index) => index);
      return anyOf(
        numbers.map((number) => ({
          method: 'GET',
          path: `/api/v1/callback_handler/callback?payment_reference=called-${number}&event_name=status_updated`,
        })),
      );
    },
  },
];

const READS_IN_TEN = 9;

/** What a registrar's day is made of: nine reads to one write, all of one user. */
function mixture({ alpha }: World): () => Buffer {
  const sample = <T>(items: readonly T[]) => items.slice(0, 2_000);
  const ofDomains = anyOf(sample(alpha.domains).map(({ name }) => read(alpha, `/domains/${name}`)));
  const reads = inTurn([
    ofDomains,
    ofDomains,
    ofDomains,
    ofDomains,
    anyOf(sample(alpha.contactCodes).map((code) => read(alpha, `/contacts/${code}`))),
    anyOf(sample(alpha.domains).map(({ name }) => read(alpha, `/domains/check/free-${name}`))),
    anyOf([read(alpha, '/accounts/balance')]),
    anyOf([read(alpha, '/registrar/notifications')]),
    anyOf([read(alpha, '/domains?limit=20')]),
  ]);
  const writes = inTurn([changedContact, newContact, newDomain, acknowledgement]);
  let asked = 0;
  return () => (asked++ % (READS_IN_TEN + 1) < READS_IN_TEN ? reads()() : writes()(alpha));
}

const mixed: readonly Operation[] = [
  ...[1, 16, 64].map((sockets) => ({
    name: `mixed, ${sockets} ${sockets === 1 ? 'connection' : 'connections'}`,
    kind: 'write' as const,
    sockets,
    requests: mixture,
  })),
  { name: 'mixed over TLS, 16 connections', kind: 'write', secure: true, requests: mixture },
  {
    name: 'GET balance over TLS',
    kind: 'read',
    secure: true,
    requests: ({ alpha }) => anyOf([read(alpha, '/accounts/balance')]),
  },
  {
    name: 'POST contact over TLS',
    kind: 'write',
    secure: true,
    requests: once(({ alpha }) => newContact(alpha)),
  },
];

export const operations: readonly Operation[] = [
  ...contacts,
  ...domains,
  ...pages,
  ...others,
  ...services,
  ...mixed,
  ...eppOperations,
];

/** Every request is made when it is sent: what was written cannot be written again. */
function once(make: (world: World) => Buffer): Operation['requests'] {
  return (world) => () => make(world);
}

function existing(registrar: Registrar | undefined): Registrar {
  if (!registrar) throw new Error('there are not enough registrars');
  return registrar;
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
