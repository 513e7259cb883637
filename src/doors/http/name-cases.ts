/** A name of several words, as names of types are written: `Retry-After` is `RetryAfter`. */
export const pascalCase = (text: string): string =>
  text
    .replaceAll("'", '')
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

export function camelCase(text: string): string {
  const name = pascalCase(text);
  return name.charAt(0).toLowerCase() + name.slice(1);
}
