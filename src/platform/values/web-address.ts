/** The URL of a web page, in its normal form; undefined if the text is none: other schemes may run a script. */
export function webAddress(text: string): string | undefined {
  const url = URL.parse(text);
  return url?.protocol === 'https:' || url?.protocol === 'http:' ? url.href : undefined;
}
