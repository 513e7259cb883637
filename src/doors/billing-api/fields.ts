import { type Refusal, refuseAll } from '../../operations/refusal.ts';
import { parseMoment } from '../../platform/dates.ts';
import type { Cents } from '../../platform/money.ts';
import { countries } from '../../policy/countries.ts';
import { refusal } from './refusals.ts';

type Source = Readonly<Record<string, unknown>>;

const LONGEST_TEXT = 2_000;
export const LONGEST_NAME = 255;
/** Years in which an invoice can have been paid; calendars and databases end before what can be written. */
const YEARS = { first: 1900, last: 2999 } as const;
const AMOUNT = /^(\d{1,10})(?:\.(\d{1,2}))?$/;
const NUMBER = /^[1-9]\d{0,14}$/;

/** Reads the members of a body one by one and refuses with everything that is wrong with them. Others are ignored. */
export class Fields {
  readonly #source: Source;
  readonly #path: string;
  readonly #errors: Refusal[];

  /** Of an object inside of the body the path tells where it stands, and its errors are those of the body. */
  constructor(body: unknown, path = '', errors: Refusal[] = []) {
    this.#path = path;
    this.#errors = errors;
    if (body !== undefined && !isObject(body)) this.#note(path || 'body', 'must be an object');
    this.#source = isObject(body) ? body : {};
  }

  complain(name: string, text: string): void {
    this.#note(this.#pathOf(name), text);
  }

  #note(place: string, text: string): void {
    this.#errors.push(refusal('invalidField', { field: place, problem: text }));
  }

  #pathOf(name: string): string {
    return this.#path === '' ? name : `${this.#path}.${name}`;
  }

  has(name: string): boolean {
    return this.#source[name] !== undefined && this.#source[name] !== null;
  }

  /** The members of an object; of none where it is not there. */
  object(name: string): Fields {
    return new Fields(this.#source[name] ?? undefined, this.#pathOf(name), this.#errors);
  }

  /** The objects of an array that must be there. */
  objects(name: string, most: number): Fields[] {
    const value = this.#source[name];
    if (value === undefined || value === null) this.complain(name, 'is missing');
    else if (!Array.isArray(value)) this.complain(name, 'must be an array');
    else if (value.length === 0) this.complain(name, 'must be filled');
    else if (value.length > most) this.complain(name, `must have at most ${most} entries`);
    else
      return value.map(
        (entry: unknown, index) =>
          new Fields(entry ?? 'nothing', `${this.#pathOf(name)}[${index}]`, this.#errors),
      );
    return [];
  }

  /** True or false, also as a text; what it is where nothing is said. */
  flag(name: string, otherwise: boolean): boolean {
    const value = this.#source[name];
    if (value === undefined || value === null || value === '') return otherwise;
    if (value === true || value === 'true') return true;
    if (value !== false && value !== 'false') this.complain(name, 'must be true or false');
    return false;
  }

  /** What was read, unless something was wrong. */
  done<T>(value: T): T {
    refuseAll(this.#errors);
    return value;
  }

  /** A text that must be there. */
  text(name: string): string {
    const value = this.#source[name];
    if (value === undefined || value === null) this.complain(name, 'is missing');
    else if (typeof value !== 'string') this.complain(name, 'must be a string');
    else if (value.trim() === '') this.complain(name, 'must be filled');
    else if (value.length > LONGEST_TEXT) this.complain(name, `must have at most ${LONGEST_TEXT} characters`);
    else return value.trim();
    return '';
  }

  optionalText(name: string): string | null {
    const value = this.#source[name];
    if (value === undefined || value === null || value === '') return null;
    return this.text(name) || null;
  }

  /** A text that somebody is found by, and therefore short. */
  optionalName(name: string): string | null {
    return this.shortText(name, LONGEST_NAME);
  }

  /** A text of so many characters at the most. */
  shortText(name: string, most: number): string | null {
    const text = this.optionalText(name);
    if (text === null || text.length <= most) return text;
    this.complain(name, `must have at most ${most} characters`);
    return null;
  }

  /** A number may be written as either. */
  textOrNumber(name: string): string | null {
    const value = this.#source[name];
    return typeof value === 'number' ? String(value) : this.optionalText(name);
  }

  country(name: string): string | null {
    const text = this.optionalText(name)?.toUpperCase() ?? null;
    if (text === null || countries.has(text)) return text;
    this.complain(name, 'must be a country code such as EE');
    return null;
  }

  /** An amount above zero, as a text; as a number too where it need not be one. */
  amount(name: string, { orNumber = false } = {}): Cents {
    const value = this.#source[name];
    if (value === undefined || value === null) this.complain(name, 'is missing');
    else if (typeof value !== 'string' && !(orNumber && typeof value === 'number'))
      this.complain(name, 'must be a string');
    else if (value === '') this.complain(name, 'must be filled');
    else {
      const cents = readAmount(value);
      if (cents !== undefined && cents > 0n) return cents;
      this.complain(name, cents === undefined ? 'must be an amount such as 20.00' : 'must be above zero');
    }
    return 0n;
  }

  invoiceNumber(name: string, { orNumber = false } = {}): number {
    const value = this.#source[name];
    if (value === undefined || value === null) this.complain(name, 'is missing');
    else if (typeof value !== 'string' && !(orNumber && typeof value === 'number'))
      this.complain(name, 'must be a string');
    else if (value === '') this.complain(name, 'must be filled');
    else if (!NUMBER.test(String(value))) this.complain(name, 'must be an invoice number');
    else return Number(value);
    return 0;
  }

  oneOf<const T extends string>(name: string, allowed: readonly T[]): T {
    const value = this.#source[name];
    const found = allowed.find((item) => item === value);
    if (found) return found;
    this.complain(
      name,
      value === undefined || value === null ? 'is missing' : `must be one of ${allowed.join(', ')}`,
    );
    return allowed[0] as T;
  }

  texts(name: string): string[] {
    const value = this.#source[name];
    if (value === undefined || value === null) return [];
    if (Array.isArray(value) && value.every((item) => typeof item === 'string' && item.length <= 255))
      return value;
    this.complain(name, 'must be an array of strings');
    return [];
  }

  /** Whoever names an initiator must name himself. */
  initiator(name: string, own: string, { required = false } = {}): void {
    const value = required ? this.text(name) : this.optionalText(name);
    if (value && value !== own) this.complain(name, 'is not the initiator of your token');
  }
}

/** The number of an invoice inside of a body; the services call it by either name. */
export const invoiceNumberOf = (invoice: Fields): number =>
  invoice.invoiceNumber(invoice.has('number') ? 'number' : 'invoice_number', { orNumber: true });

export const isObject = (value: unknown): value is Source =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Cents of a decimal with at most two digits behind the point. */
export function readAmount(value: unknown): Cents | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const [, whole, part = ''] = AMOUNT.exec(String(value)) ?? [];
  return whole === undefined ? undefined : BigInt(whole) * 100n + BigInt(part.padEnd(2, '0'));
}

export function readInvoiceNumber(value: unknown): number | undefined {
  return (typeof value === 'string' || typeof value === 'number') && NUMBER.test(String(value))
    ? Number(value)
    : undefined;
}

export function readTime(value: unknown): Date | undefined {
  const time = typeof value === 'string' ? parseMoment(value) : undefined;
  const year = time?.getUTCFullYear() ?? 0;
  return year >= YEARS.first && year <= YEARS.last ? time : undefined;
}
