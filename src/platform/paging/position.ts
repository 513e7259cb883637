/** Where a page ended: the sort key (a time in microseconds) and the id. */
export type Position = { readonly key: string; readonly id: number };

/** What a list is sorted by. */
export type KeyType = 'text' | 'time' | 'number';

/** As a client gets it and sends it back; valid only for the order that it was written for. */
export const writePosition = ({ key, id }: Position, order = ''): string =>
  Buffer.from(JSON.stringify([order, key, id])).toString('base64url');

const KEY: Readonly<Record<KeyType, RegExp>> = {
  text: /^[^\0]*$/,
  number: /^\d{1,15}$/,
  time: /^-?\d{1,16}$/,
};

/** Undefined for what we have not written for this order. */
export function readPosition(text: string, type: KeyType, order = ''): Position | undefined {
  const [of, key, id, ...rest] = parsedArray(Buffer.from(text, 'base64url').toString());
  if (of !== order || rest.length > 0 || typeof key !== 'string' || typeof id !== 'number') return undefined;
  const isOurs = key.isWellFormed() && KEY[type].test(key) && Number.isSafeInteger(id);
  return isOurs ? { key, id } : undefined;
}

function parsedArray(text: string): unknown[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}
