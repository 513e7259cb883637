/** A place in a text of a catalogue that a value is filled in at: `{name}`. */
export const PLACEHOLDER = /\{(\w+)\}/g;

/** The names of the placeholders of a text. */
export type Placeholders<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholders<Rest>
  : never;

export const fillIn = (text: string, values: Readonly<Record<string, unknown>>): string =>
  text.replace(PLACEHOLDER, (_, name: string) => String(values[name]));

/** The values that were filled in, found by what stands between them; undefined if the text is not of this form. */
export function readFilled(text: string, filled: string): Readonly<Record<string, string>> | undefined {
  const parts = text.split(PLACEHOLDER);
  const [beginning = ''] = parts;
  if (!filled.startsWith(beginning)) return undefined;
  const values: Record<string, string> = {};
  let from = beginning.length;
  for (let place = 1; place < parts.length; place += 2) {
    const [name = '', next = ''] = parts.slice(place, place + 2);
    const isLast = place + 2 >= parts.length;
    // The last value may contain what follows it.
    const end = isLast ? filled.length - next.length : filled.indexOf(next, from);
    if (end < from || !filled.startsWith(next, end)) return undefined;
    values[name] = filled.slice(from, end);
    from = end + next.length;
  }
  return from === filled.length ? values : undefined;
}
