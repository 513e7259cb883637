const MAX_EXCERPT_LENGTH = 160;

/** The text around the first of the words, or its beginning. */
export function excerptOf(text: string, words: readonly string[]): string {
  const places = words.map((word) => text.toLowerCase().indexOf(word)).filter((place) => place > 0);
  const start = Math.max(Math.min(...places, text.length) - MAX_EXCERPT_LENGTH / 2, 0);
  const from = places.length === 0 ? 0 : start;
  const cut = text.slice(from, from + MAX_EXCERPT_LENGTH);
  return `${from > 0 ? '…' : ''}${cut}${from + cut.length < text.length ? '…' : ''}`;
}
