const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Node reads the bytes of a header as Latin-1, most clients write UTF-8: whatever is valid as that is meant as that. */
export function headerText(value: string | readonly string[] | undefined): string | undefined {
  if (typeof value !== 'string') return value?.join(', ');
  try {
    return utf8.decode(Buffer.from(value, 'latin1'));
  } catch {
    return value;
  }
}
