import { randomUUID } from 'node:crypto';
import type { Clock } from '../../platform/clock/clock.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import type { Policy } from '../../policy/policy.ts';
import { type LookUp, lookUpDomain } from '../../registry/lookup/look-up-domain.ts';
import type { LookupLimits } from '../../registry/lookup/lookup-limits.ts';
import { PUBLIC } from '../../registry/lookup/viewer.ts';
import { faultText, type WhoisFacts, type WhoisFault, whoisText } from './whois-text.ts';

/** With the line end. A name in UTF-8 has up to 253 characters, and may be surrounded by spaces. */
export const MAX_QUERY_BYTES = 1_024;

export type WhoisResult = LookUp['result'] | WhoisFault;
type Dependencies = {
  readonly reads: Sql;
  readonly clock: Clock;
  readonly policy: Policy;
  readonly limits: LookupLimits;
  readonly isDatabaseAvailable: () => boolean;
  readonly lookupUrl: () => string;
  readonly answered: (event: QueryEvent) => void;
  /** The client is told no more than that the registry cannot answer. */
  readonly failed: (error: unknown, reqId: string) => void;
};

export type QueryEvent = {
  readonly reqId: string;
  readonly address: string;
  readonly result: WhoisResult;
  readonly ms: number;
};

type Answer = { readonly result: WhoisResult; readonly text: string };

/** Answers the line of a client, which is always one of the public: WHOIS has no login. */
export class QueryAnswerer {
  readonly #dependencies: Dependencies;
  readonly #facts: Omit<WhoisFacts, 'lookupUrl'>;

  constructor(dependencies: Dependencies) {
    const { timeZone, zones } = dependencies.policy;
    this.#dependencies = dependencies;
    this.#facts = { timeZone, zone: zones[0]?.origin ?? '' };
  }

  async answer(query: Buffer, address: string): Promise<string> {
    const [reqId, started] = [randomUUID(), performance.now()];
    const { result, text } = await this.#find(query, address, reqId);
    this.#dependencies.answered({ reqId, address, result, ms: performance.now() - started });
    return text;
  }

  async #find(query: Buffer, address: string, reqId: string): Promise<Answer> {
    // First, so that what is wrong with a query is not told more often than what is found.
    const admission = this.#dependencies.limits.admit(address);
    if (!admission.isAdmitted) return fault('limited', admission.retryAfterSeconds);
    if (query.length > MAX_QUERY_BYTES) return fault('too-long');
    const text = decoded(query);
    if (text === undefined) return fault('encoding');
    if (!this.#dependencies.isDatabaseAvailable()) return fault('unavailable');
    try {
      const found = await this.#dependencies.limits.run(() => this.#lookUp(text));
      if (!found) return fault('busy');
      const facts = { ...this.#facts, lookupUrl: this.#dependencies.lookupUrl() };
      return { result: found.result, text: whoisText(found, facts) };
    } catch (error) {
      this.#dependencies.failed(error, reqId);
      return fault('unavailable');
    }
  }

  #lookUp(text: string): Promise<LookUp> {
    const { reads, clock, policy } = this.#dependencies;
    return lookUpDomain(reads, text.trim(), { viewer: PUBLIC, now: clock.now(), policy });
  }
}

const fault = (result: WhoisFault, seconds?: number): Answer => ({
  result,
  text: faultText(result, seconds),
});

const utf8 = new TextDecoder('utf-8', { fatal: true });

function decoded(query: Buffer): string | undefined {
  try {
    return utf8.decode(query);
  } catch {
    return undefined;
  }
}
