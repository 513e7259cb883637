const AMPERSAND = '&';
const PERCENT = 0x25;
const utf8 = new TextDecoder();

/**
 * The fields of a form (`application/x-www-form-urlencoded`), in their order. Our own, because `URLSearchParams` takes
 * quadratic time for fields without a value.
 */
export class FormFields {
  readonly #values = new Map<string, string[]>();

  /** Undefined if there are more fields, which are counted before anything is decoded. */
  static parse(text: string, maxFields: number): FormFields | undefined {
    if (hasMoreFields(text, maxFields)) return undefined;
    const form = new FormFields();
    for (const field of text.split(AMPERSAND)) {
      if (field === '') continue;
      const end = field.indexOf('=');
      const name = end === -1 ? field : field.slice(0, end);
      form.#append(decode(name), end === -1 ? '' : decode(field.slice(end + 1)));
    }
    return form;
  }

  get size(): number {
    let size = 0;
    for (const values of this.#values.values()) size += values.length;
    return size;
  }

  /** The first value. */
  get(name: string): string | undefined {
    return this.#values.get(name)?.[0];
  }

  getAll(name: string): readonly string[] {
    return this.#values.get(name) ?? [];
  }

  entries(): (readonly [name: string, values: readonly string[]])[] {
    return [...this.#values];
  }

  /** Whether a field has more characters, other than those that are named. */
  hasLonger(length: number, others: readonly string[] = []): boolean {
    for (const [name, values] of this.#values)
      if (!others.includes(name) && values.some((value) => value.length > length)) return true;
    return false;
  }

  #append(name: string, value: string): void {
    const values = this.#values.get(name);
    if (values) values.push(value);
    else this.#values.set(name, [value]);
  }
}

/** Counts separators, without splitting the text. */
export function hasMoreFields(text: string, maxFields: number): boolean {
  let count = 1;
  for (let at = text.indexOf(AMPERSAND); at !== -1; at = text.indexOf(AMPERSAND, at + 1)) {
    count += 1;
    if (count > maxFields) return true;
  }
  return false;
}

function decode(text: string): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    return decodeLeniently(spaced);
  }
}

/** As browsers do: a percent sign that begins no byte stays, and bytes that are no UTF-8 are replaced. */
function decodeLeniently(text: string): string {
  const bytes = Buffer.from(text);
  let length = 0;
  for (let at = 0; at < bytes.length; length += 1) {
    const escaped = bytes[at] === PERCENT ? escapedByte(bytes, at) : undefined;
    bytes[length] = escaped ?? bytes[at] ?? 0;
    at += escaped === undefined ? 1 : 3;
  }
  return utf8.decode(bytes.subarray(0, length));
}

function escapedByte(bytes: Buffer, at: number): number | undefined {
  const digits = bytes.toString('latin1', at + 1, at + 3);
  return /^[0-9a-f]{2}$/i.test(digits) ? Number.parseInt(digits, 16) : undefined;
}
