import { encode, type Request } from './client.ts';

/** What was loaded before the measurement, for the requests to speak about. */
export type World = { readonly authorization: string; readonly contactCodes: readonly string[] };

/** One row of the benchmark: a name, and where its requests come from, one call per request. */
export type Operation = { readonly name: string; readonly requests: (world: World) => () => Buffer };

const API = '/registry/v1';

export const operations: readonly Operation[] = [
  {
    name: 'GET contact',
    requests: (world) => anyOf(world.contactCodes.map((code) => read(world, `/contacts/${code}`))),
  },
  {
    name: 'GET contact simple',
    requests: (world) =>
      anyOf(world.contactCodes.map((code) => read(world, `/contacts/${code}?simple=true`))),
  },
  {
    name: 'GET 200 contact codes',
    requests: (world) => anyOf([read(world, '/contacts?limit=200')]),
  },
  {
    name: 'POST contact',
    requests: (world) => () =>
      write(world, 'POST', '/contacts', { contact: { id: freshCode(), ...contact(), ident } }),
  },
  {
    name: 'PUT contact',
    requests: (world) => () =>
      write(world, 'PUT', `/contacts/${pick(world.contactCodes)}`, { contact: contact() }),
  },
];

const ident = { ident: '60001019906', ident_type: 'priv', ident_country_code: 'EE' };
let made = 0;
const freshCode = () => `fresh-${String(++made).padStart(9, '0')}`;
const contact = () => ({
  name: 'Mari Maasikas',
  email: 'mari@example.ee',
  phone: `+372.${5_000_000 + made}`,
});

/** Requests that change nothing are encoded beforehand and drawn from. */
const anyOf = (requests: readonly Request[]) => {
  const encoded = requests.map(encode);
  return () => pick(encoded);
};
const read = ({ authorization }: World, path: string): Request => ({
  method: 'GET',
  path: API + path,
  authorization,
});
const write = ({ authorization }: World, method: string, path: string, body: object) =>
  encode({ method, path: API + path, authorization, body: JSON.stringify(body) });

function pick<T>(items: readonly T[]): T {
  const item = items[Math.floor(Math.random() * items.length)];
  if (item === undefined) throw new Error('nothing to choose from');
  return item;
}
