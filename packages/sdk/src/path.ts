/**
 * One segment of a path. An empty one would address the list instead of an object of it, and proxies resolve
 * dots before the registry sees them.
 */
export function segment(value: string | number): string {
  const text = String(value);
  if (text === '' || text === '.' || text === '..')
    throw new TypeError(`${JSON.stringify(text)} cannot name an object`);
  return encodeURIComponent(text);
}

export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

export function queryText(query: Query): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) parameters.set(name, String(value));
  const text = parameters.toString();
  return text === '' ? '' : `?${text}`;
}
