import { newContactExample } from '../registrar-api/examples.ts';
import { PREFIX } from '../registrar-api/prefix.ts';
import { curl } from './curl.ts';

export type FirstRequest = { readonly why: string; readonly command: string };

/** A way through the API that works on a fresh sandbox, in this order; walked twice, it creates nothing twice. */
export function firstRequests(origin: string, user: string): readonly FirstRequest[] {
  const contacts = `${origin}${PREFIX}/contacts`;
  const code = newContactExample.contact.id;
  const create = { user, method: 'POST', url: contacts, body: newContactExample };
  return [
    {
      why: `Ask whether the contact code “${code}” is free.`,
      command: curl({ user, url: `${contacts}/check/${code}` }),
    },
    {
      why: 'Rehearse creating it: every check runs, the answer says what it would cost, and nothing changes.',
      command: curl({ ...create, headers: { 'Dry-Run': 'true' } }),
    },
    {
      why: 'Create it. Sent again with the same key, the request gets the first answer again and creates nothing twice.',
      command: curl({ ...create, headers: { 'Idempotency-Key': 'first-contact' } }),
    },
    { why: 'Read it back.', command: curl({ user, url: `${contacts}/${code}` }) },
  ];
}
