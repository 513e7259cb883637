import { randomBytes } from 'node:crypto';
import type { Client } from './client.ts';

/** A contact that no rule minds; parts of it can be replaced. */
export function newContact(changes: Record<string, unknown> = {}): { contact: Record<string, unknown> } {
  return {
    contact: {
      name: 'Mari Maasikas',
      email: 'mari@example.ee',
      phone: '+372.5551234',
      ident: { ident: '60001019906', ident_type: 'priv', ident_country_code: 'EE' },
      ...changes,
    },
  };
}

export const freshCode = (): string => `test-${randomBytes(6).toString('hex')}`;

/** Creates a contact and returns its code. */
export async function createContact(client: Client, changes: Record<string, unknown> = {}): Promise<string> {
  const reply = await client.post('/contacts', newContact({ id: freshCode(), ...changes }));
  if (reply.status !== 200) throw new Error(`the contact was not created: ${reply.text}`);
  return reply.body.data.contact.code;
}
