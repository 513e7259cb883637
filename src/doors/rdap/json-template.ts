import { randomUUID } from 'node:crypto';

/** Stands for the text that differs; nobody who writes a value can know it. */
const HOLE = `hole ${randomUUID()}`;

/** JSON that is made once, with a text of every answer in several places. */
export type JsonTemplate = (text: string) => string;

export function jsonTemplate(make: (hole: string) => unknown): JsonTemplate {
  const parts = JSON.stringify(make(HOLE)).split(HOLE);
  return (text) => parts.join(JSON.stringify(text).slice(1, -1));
}

const MAX_KNOWN = 2_000;

/** Templates by what they are made of. What is shared by many answers, such as a registrar, is written once. */
export class KnownTemplates {
  readonly #known = new Map<string, JsonTemplate>();

  get(key: string, make: (hole: string) => unknown): JsonTemplate {
    const known = this.#known.get(key);
    if (known) return known;
    const made = jsonTemplate(make);
    if (this.#known.size >= MAX_KNOWN) this.#known.clear();
    this.#known.set(key, made);
    return made;
  }
}
