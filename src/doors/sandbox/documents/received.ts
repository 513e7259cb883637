/** A document that a simulated service has taken, and how often it was brought. */
export type ReceivedDocument = {
  /** Under which the service keeps it: whoever brings the same again is told so. */
  readonly key: string;
  readonly number: string;
  readonly buyer: string;
  readonly total: string;
  readonly document: string;
  readonly times: number;
};

const MOST_REMEMBERED = 10_000;

/** What a service that takes invoices as documents has on its shelves. */
export class ReceivedDocuments {
  readonly #documents = new Map<string, ReceivedDocument>();

  /** False when it has it already. */
  take(document: Omit<ReceivedDocument, 'times'>): boolean {
    const known = this.#documents.get(document.key);
    this.#documents.set(document.key, { ...document, times: (known?.times ?? 0) + 1 });
    const [oldest] = this.#documents.keys();
    if (this.#documents.size > MOST_REMEMBERED && oldest !== undefined) this.#documents.delete(oldest);
    return known === undefined;
  }

  /** The newest first. */
  list(): ReceivedDocument[] {
    return [...this.#documents.values()].reverse();
  }

  clear(): void {
    this.#documents.clear();
  }
}
