import type { Client, Reply } from './client.ts';
import { createContact, freshCode, newContact } from './contacts.ts';

/** Every call of the API, ready to be made: what it needs is created first. */
export type ReadyCall = {
  readonly id: string;
  readonly method: string;
  readonly target: string;
  readonly body?: object;
};

export async function everyCall(client: Client): Promise<ReadyCall[]> {
  const [read, changed, deleted] = await Promise.all([
    createContact(client),
    createContact(client),
    createContact(client),
  ]);
  return [
    { id: 'listContacts', method: 'GET', target: '/contacts' },
    { id: 'createContact', method: 'POST', target: '/contacts', body: newContact({ id: freshCode() }) },
    { id: 'checkContact', method: 'GET', target: `/contacts/check/${read}` },
    { id: 'readContact', method: 'GET', target: `/contacts/${read}` },
    {
      id: 'updateContact',
      method: 'PUT',
      target: `/contacts/${changed}`,
      body: { contact: { phone: '+372.1' } },
    },
    { id: 'deleteContact', method: 'DELETE', target: `/contacts/${deleted}` },
  ];
}

export function make(
  client: Client,
  { method, target, body }: ReadyCall,
  headers: Record<string, string> = {},
): Promise<Reply> {
  return client.call(method, target, { body, headers });
}
