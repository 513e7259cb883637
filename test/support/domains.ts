import type { Client, Reply } from './client.ts';
import { createContact, freshCode } from './contacts.ts';

export const freshName = (zone = 'ee'): string => `${freshCode()}.${zone}`;

/** A registration that no rule minds; parts of it can be replaced. */
export function newDomain(
  registrant: string,
  changes: Record<string, unknown> = {},
): { domain: Record<string, unknown> } {
  return { domain: { name: freshName(), registrant, period: 1, period_unit: 'y', ...changes } };
}

export const hosts = (...names: string[]) => names.map((hostname) => ({ hostname }));

/** A client with a contact to register with. */
export class Registrant {
  readonly client: Client;
  readonly code: string;

  constructor(client: Client, code: string) {
    this.client = client;
    this.code = code;
  }

  static async of(client: Client, changes: Record<string, unknown> = {}): Promise<Registrant> {
    return new Registrant(client, await createContact(client, changes));
  }

  try(changes: Record<string, unknown> = {}, headers: Record<string, string> = {}): Promise<Reply> {
    return this.client.post('/domains', newDomain(this.code, changes), { headers });
  }

  /** Registers a domain and returns its name. */
  async register(changes: Record<string, unknown> = {}): Promise<string> {
    const reply = await this.try(changes);
    if (reply.status !== 200) throw new Error(`the domain was not registered: ${reply.text}`);
    return reply.body.data.domain.name;
  }
}

export const outcome = ({ status, body }: Reply): [number, number] => [status, body.code];
export const firstFailure = ({ status, body }: Reply) => [status, body.code, body.errors?.[0]?.field];
export const balanceOf = async (client: Client): Promise<string> =>
  (await client.get('/accounts/balance')).body.data.balance;

export const KEY = {
  flags: '257',
  protocol: '3',
  alg: '13',
  public_key: 'GojIhhXUN/u4v54ZQqGSnyhWJwaubCvTmeexv7bR6edbkrSqQpF64cYbcB7wNcP+e+MAnLr+Wi9xMWyQLc8NAA==',
};
export const OTHER_KEY = {
  flags: '256',
  protocol: '3',
  alg: '15',
  public_key: 'l02Woi0iS8Aa25FQkUd9RMzZHJpBoRQwAQEX1SxZJA4=',
};
