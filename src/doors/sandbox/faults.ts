import type { FastifyInstance } from 'fastify';
import { members, sendBadRequest } from './read-json.ts';

/** The external services that the sandbox simulates, each with configurable faults. */
const targets = ['provider', 'accounting', 'einvoice', 'service', 'mail', 'webhook'] as const;
const modes = ['down', 'slow', 'error', 'nonsense', 'half', 'lost', 'none'] as const;

export type FaultTarget = (typeof targets)[number];
export type FaultMode = (typeof modes)[number];
export type Fault = Exclude<FaultMode, 'none'>;

const COMMON: readonly FaultMode[] = ['down', 'slow', 'error', 'none'];
/** Document services can also misunderstand, accept only a part, or accept all and disconnect before they answer. */
const DOCUMENT_TAKERS: readonly FaultTarget[] = ['accounting', 'einvoice'];

const modesOf = (target: FaultTarget): readonly FaultMode[] =>
  DOCUMENT_TAKERS.includes(target) ? modes : COMMON;

/** The faults of the next calls to external services. */
export class Faults {
  readonly #ahead = new Map<FaultTarget, { readonly fault: Fault; left: number }>();

  /** Replaces the pending faults of that target. */
  set(target: FaultTarget, mode: FaultMode, times: number): void {
    if (mode === 'none') this.#ahead.delete(target);
    else this.#ahead.set(target, { fault: mode, left: times });
  }

  /** Consumes and returns the fault of this call. */
  next(target: FaultTarget): Fault | undefined {
    const ahead = this.#ahead.get(target);
    if (!ahead) return undefined;
    ahead.left -= 1;
    if (ahead.left === 0) this.#ahead.delete(target);
    return ahead.fault;
  }

  clear(): void {
    this.#ahead.clear();
  }
}

const MAX_TIMES = 1_000;
const EXPECTED =
  `Give {"target": ${targets.map((target) => `"${target}"`).join(' or ')}, "mode": ${modes.map((mode) => `"${mode}"`).join(' or ')}, ` +
  `"times": how many calls fail, from 1 to ${MAX_TIMES}}; "none" needs no times, and only "accounting" and "einvoice" know "nonsense", "half" and "lost".`;

/** Makes the next calls to an external service fail, to test the registry's handling. */
export function faultControl(app: FastifyInstance, faults: Faults): void {
  app.post('/sandbox/faults', async (request, reply) => {
    const { target: targetText, mode: modeText, times } = members(request);
    const target = targets.find((known) => known === targetText);
    const mode = target && modesOf(target).find((known) => known === modeText);
    if (!target || !mode || !isFit(mode, times)) return sendBadRequest(reply, EXPECTED);
    const count = mode === 'none' ? 0 : Number(times);
    faults.set(target, mode, count);
    return { target, mode, times: count } satisfies { target: FaultTarget; mode: FaultMode; times: number };
  });
}

function isFit(mode: FaultMode, times: unknown): boolean {
  if (mode === 'none' && times === undefined) return true;
  return typeof times === 'number' && Number.isInteger(times) && times >= 1 && times <= MAX_TIMES;
}
