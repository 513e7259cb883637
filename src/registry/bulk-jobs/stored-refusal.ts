import type { Refusal } from '../../operations/refusal.ts';

/** Of a row: the name of the refusal in the catalogues, and its values; readers have the text. */
export type StoredRefusal = {
  readonly name: string;
  readonly values: Readonly<Record<string, string | number>>;
};

/** Without what is no text or number: texts have no other placeholders. */
export function storedRefusal({ name, values }: Pick<Refusal, 'name' | 'values'>): StoredRefusal {
  const kept = Object.entries(values).filter(
    (entry): entry is [string, string | number] =>
      typeof entry[1] === 'string' || typeof entry[1] === 'number',
  );
  return { name, values: Object.fromEntries(kept) };
}
