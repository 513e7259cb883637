/** Comma-separated values (RFC 4180), but for line ends within a field: none of ours has one. */

/** The fields of one line; undefined when its quotes do not pair. */
export function readCsvLine(line: string): string[] | undefined {
  const written = `,${line}`;
  const matches = [...written.matchAll(/,("(?:[^"]|"")*"|[^",]*)(?=,|$)/g)];
  if (matches.map(([whole]) => whole).join('') !== written) return undefined;
  return matches.map(([, field = '']) =>
    field.startsWith('"') ? field.slice(1, -1).replaceAll('""', '"') : field,
  );
}

export const csvLine = (fields: readonly string[]): string => fields.map(quoted).join(',');

const quoted = (field: string): string => (/[",]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field);
