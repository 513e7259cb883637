import { type AskParts, askAbout } from './ask.ts';

/** Beyond so many questions at once whoever calls is written down, and asked about by the worker. */
const MOST_AT_ONCE = 16;

/** Asks the provider as soon as somebody has called, without letting him wait. */
export class Asker {
  readonly #parts: AskParts;
  readonly #underWay = new Map<string, Promise<unknown>>();

  constructor(parts: AskParts) {
    this.#parts = parts;
  }

  /** What comes while a question about the same payment is under way is due when that has ended. */
  readonly askSoon = (reference: string): void => {
    if (this.#underWay.has(reference) || this.#underWay.size >= MOST_AT_ONCE) return;
    const asked = askAbout(this.#parts, reference)
      .catch((error: unknown) =>
        this.#parts.log.error({ err: error, payment: reference }, 'a question failed'),
      )
      .finally(() => this.#underWay.delete(reference));
    this.#underWay.set(reference, asked);
  };

  /** Resolves once nothing is under way. */
  async settled(): Promise<void> {
    await Promise.all(this.#underWay.values());
  }
}
