import type { Clock } from '../../../platform/clock/clock.ts';
import type { Pool } from '../../../platform/sql/executor.ts';
import type { Faults } from '../faults.ts';
import { Callbacks } from './callbacks.ts';

type Parts = {
  /** A connection of its own: whoever is simulated shares nothing with us but the server. */
  readonly sql: Pool;
  readonly clock: Clock;
  readonly faults: Faults;
  readonly user: string;
  readonly secret: string;
  readonly account: string;
  readonly linkToken: string;
  /** Whom the payment page says the money goes to. */
  readonly payee: string;
  readonly currency: string;
  /** Where a payer's browser reaches the simulator. */
  readonly url: () => string;
  /** Where the merchant hears of payments. */
  readonly callbackUrl: () => string;
  readonly report: (error: unknown) => void;
};

/** The payment provider of the sandbox: what its API, its payment page and its script calls have in common. */
export type Simulator = Parts & {
  readonly callbacks: Callbacks;
  /** Repeats the callbacks that were not answered and are due by now. */
  sendDueCallbacks(now: Date): Promise<void>;
  /** When a callback is told again; undefined when none waits. */
  nextCallback(): Promise<Date | undefined>;
  /** Ends the callbacks under way. */
  stop(): Promise<void>;
};

export const SIMULATOR_PATH = '/sandbox/provider';

export function openSimulator(parts: Parts): Simulator {
  const callbacks = new Callbacks(parts);
  return {
    ...parts,
    callbacks,
    sendDueCallbacks: (now) => callbacks.tellDue(now),
    nextCallback: () => callbacks.next(),
    stop: () => callbacks.stop(),
  };
}

/** The page at which a one-off payment is paid. */
export const pageOf = ({ url }: Simulator, reference: string): string => `${url()}/pay/${reference}`;
