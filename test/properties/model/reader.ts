import { type Agent, request } from 'node:http';
import type { Envelope } from '../../support/client.ts';

export type Read = { readonly status: number; readonly body: Envelope };

/** Reads without validation, for speed: the state is read after every step, and its form is proved by other tests. */
export class Reader {
  readonly #url: string;
  readonly #authorization: string;
  readonly #agent: Agent;

  constructor(url: string, credentials: string, agent: Agent) {
    this.#url = `${url}/registry/v1`;
    this.#authorization = `Basic ${Buffer.from(credentials).toString('base64')}`;
    this.#agent = agent;
  }

  get(target: string): Promise<Read> {
    return new Promise((resolve, reject) => {
      const headers = { authorization: this.#authorization };
      const asked = request(`${this.#url}${target}`, { agent: this.#agent, headers }, (reply) => {
        const pieces: Buffer[] = [];
        reply.on('data', (piece: Buffer) => pieces.push(piece));
        reply.on('error', reject);
        reply.on('end', () => {
          const body = JSON.parse(Buffer.concat(pieces).toString()) as Envelope;
          resolve({ status: reply.statusCode ?? 0, body });
        });
      });
      asked.on('error', reject);
      asked.end();
    });
  }
}
