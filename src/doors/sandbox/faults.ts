/** The outside services that the sandbox plays, each of which can be made to fail. */
export const targets = ['provider', 'accounting', 'einvoice', 'service', 'mail'] as const;
export const modes = ['down', 'slow', 'error', 'nonsense', 'half', 'lost', 'none'] as const;

export type FaultTarget = (typeof targets)[number];
export type FaultMode = (typeof modes)[number];
export type Fault = Exclude<FaultMode, 'none'>;

const COMMON: readonly FaultMode[] = ['down', 'slow', 'error', 'none'];
/** Those that take documents can also misunderstand, take only some, or take all and be cut off before they answer. */
const DOCUMENT_TAKERS: readonly FaultTarget[] = ['accounting', 'einvoice'];

export const modesOf = (target: FaultTarget): readonly FaultMode[] =>
  DOCUMENT_TAKERS.includes(target) ? modes : COMMON;

/** What the next calls to an outside service run into. */
export class Faults {
  readonly #ahead = new Map<FaultTarget, { readonly fault: Fault; left: number }>();

  /** Replaces what was ahead of that target. */
  set(target: FaultTarget, mode: FaultMode, times: number): void {
    if (mode === 'none') this.#ahead.delete(target);
    else this.#ahead.set(target, { fault: mode, left: times });
  }

  /** The fault of this very call; it is used up by it. */
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
