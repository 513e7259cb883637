/** No writing stacks more marks on one letter, and to normalise such a stack takes time that grows with its square. */
const STACKED_MARKS = /\p{M}{9}/u;

/** A text from outside in composed form (NFC); undefined where it is longer, or stacks more marks, than any text does. */
export function normaliseText(text: string, maxLength: number): string | undefined {
  return text.length > maxLength || STACKED_MARKS.test(text) ? undefined : text.normalize('NFC');
}
