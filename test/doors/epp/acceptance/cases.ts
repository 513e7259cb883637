import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import type { EppClient } from '../../../support/epp.ts';
import type { EppAnswer } from '../../../support/epp-answer.ts';
import { eis } from '../../../support/epp-frames.ts';
import { type ContactFields, objectCommands } from '../../../support/epp-objects.ts';

/**
 * The cases of ICANN's Registry System Testing that apply here are tests under their ids. The values that a server must
 * accept or refuse are those of its data files.
 */
export const { domain, contact } = objectCommands('ietf');

/** Any success passes where a case wants one: some answers wait for the registrant. */
export const expectAccepted = (answer: EppAnswer): void =>
  expect(answer.code, answer.frame).toBeLessThan(2000);

/** Any refusal passes, but a failure of the server is none. */
export function expectRefused(answer: EppAnswer): void {
  expect(
    answer.codes.every((code) => code >= 2000 && code < 2400),
    answer.frame,
  ).toBe(true);
}

export const random = (length: number): string => randomBytes(length).toString('hex').slice(0, length);
export const newName = (): string => `rst-${random(14)}.ee`;
export const newId = (): string => `RST-${random(8).toUpperCase()}`;

export const ident = eis({ ident: { type: 'priv', cc: 'EE', code: '37605030299' } });
export const person = {
  name: 'Mari Maasikas',
  address: { street: ['Pikk 1', '2. korrus'], city: 'Tallinn', sp: 'Harjumaa', pc: '10123', cc: 'EE' },
  voice: '+372.5551234',
  email: 'mari@example.ee',
  code: 'contact-code',
} satisfies ContactFields;

export async function createContact(client: EppClient, id = newId()): Promise<string> {
  const answer = await client.command(contact.create(id, person), ident);
  expect(answer.code, answer.frame).toBe(1000);
  return id;
}

export const nameservers = ['ns1.rst.example', 'ns2.rst.example'];

export async function createDomain(client: EppClient, registrant: string, name = newName()): Promise<string> {
  const answer = await client.command(
    domain.create({ name, period: '1y', nameservers, registrant, code: CODE }),
  );
  expect(answer.code, answer.frame).toBe(1000);
  return name;
}

export const CODE = 'transfer-code-1';

/** Keys of algorithms 16 and 13, of the right length. */
export const ed448 = { alg: 16, publicKey: Buffer.alloc(57, 7).toString('base64') };
export const ecdsa = { alg: 13, publicKey: Buffer.alloc(64, 9).toString('base64') };
