/** A place in a text of a catalogue that a value is filled in at: `{name}`. */
export const PLACEHOLDER = /\{(\w+)\}/g;

/** The names of the placeholders of a text. */
export type Placeholders<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholders<Rest>
  : never;

export const fillIn = (text: string, values: Readonly<Record<string, unknown>>): string =>
  text.replace(PLACEHOLDER, (_, name: string) => String(values[name]));
