import { curl } from '../html/code-block.ts';
import { newContactExample } from '../registrar-api/examples.ts';
import { PREFIX } from '../registrar-api/prefix.ts';

export type FirstRequest = { readonly explanation: string; readonly command: string };

/** A sequence of requests that works on a fresh sandbox in this order; running it twice creates nothing twice. */
export function firstRequests(origin: string, user: string): readonly FirstRequest[] {
  const contacts = `${origin}${PREFIX}/contacts`;
  const code = newContactExample.contact.id;
  const create = { user, method: 'POST', url: contacts, body: newContactExample };
  return [
    {
      explanation: `Ask whether the contact code “${code}” is free.`,
      command: curl({ user, url: `${contacts}/check/${code}` }),
    },
    {
      explanation:
        'Rehearse creating it: every check runs, the answer says what it would cost, and nothing changes.',
      command: curl({ ...create, headers: { 'Dry-Run': 'true' } }),
    },
    {
      explanation:
        'Create it. Sent again with the same key, the request gets the first answer again and creates nothing twice.',
      command: curl({ ...create, headers: { 'Idempotency-Key': 'first-contact' } }),
    },
    { explanation: 'Read it back.', command: curl({ user, url: `${contacts}/${code}` }) },
  ];
}
