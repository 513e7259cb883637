import { encode, type Request } from './line.ts';
import type { Registrar } from './world.ts';

const API = '/registry/v1';
const ident = { ident: '60001019906', ident_type: 'priv', ident_country_code: 'EE' };
let made = 0;
/** A name that nobody has used before. */
export const fresh = () => `fresh-${String(++made).padStart(9, '0')}`;
const person = () => ({
  name: 'Mari Maasikas',
  email: 'mari@example.ee',
  phone: `+372.${5_000_000 + made}`,
});

export const read = ({ authorization }: Registrar, path: string): Request => ({
  method: 'GET',
  path: API + path,
  authorization,
});
export const write = ({ authorization }: Registrar, method: string, path: string, body?: object): Buffer =>
  encode({ method, path: API + path, authorization, ...(body && { body: JSON.stringify(body) }) });

export const newContact = (registrar: Registrar): Buffer =>
  write(registrar, 'POST', '/contacts', { contact: { id: fresh(), ...person(), ident } });

export function changedContact(registrar: Registrar): Buffer {
  made += 1;
  return write(registrar, 'PUT', `/contacts/${pick(registrar.contactCodes)}`, { contact: person() });
}

/** A registration like those that were loaded. */
export function newDomain(registrar: Registrar): Buffer {
  const domain = {
    name: `${fresh()}.ee`,
    registrant: pick(registrar.contactCodes),
    period: 1,
    period_unit: 'y',
    admin_contacts: [pick(registrar.contactCodes)],
    tech_contacts: [pick(registrar.contactCodes)],
    nameservers_attributes: [{ hostname: 'ns1.hoster.example' }, { hostname: 'ns2.hoster.example' }],
  };
  return write(registrar, 'POST', '/domains', { domain });
}

export const acknowledgement = (registrar: Registrar): Buffer =>
  write(registrar, 'PUT', `/registrar/notifications/${pick(registrar.messages)}`, {
    notification: { read: true },
  });

/** Requests that change nothing are encoded beforehand and drawn from. */
export function anyOf(requests: readonly Request[]): () => Buffer {
  const encoded = requests.map(encode);
  return () => pick(encoded);
}

export function inTurn<T>(items: readonly T[]): () => T {
  let place = 0;
  return () => {
    const item = items[place++ % items.length];
    if (item === undefined) throw new Error('nothing to choose from');
    return item;
  };
}

export function pick<T>(items: readonly T[]): T {
  const item = items[Math.floor(Math.random() * items.length)];
  if (item === undefined) throw new Error('nothing to choose from');
  return item;
}
