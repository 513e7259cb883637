import { writeFileSync } from 'node:fs';
import { CommandError } from './output.ts';

/** Writes a new file; refuses to overwrite. */
export function writeNew(file: string, content: Buffer | string): void {
  try {
    writeFileSync(file, content, { flag: 'wx' });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new CommandError(
      code === 'EEXIST' ? `${file} is there already.` : `${file} cannot be written (${code}).`,
    );
  }
}

/** Comma-separated values (RFC 4180), without line breaks inside fields, which ours never have. */

/** The fields of one line; undefined when a quote is not closed. */
export function readCsvLine(line: string): string[] | undefined {
  const field = /("(?:[^"]|"")*"|[^",]*)(,|$)/y;
  const fields: string[] = [];
  for (;;) {
    const [, text = '', end] = field.exec(line) ?? [];
    if (end === undefined) return undefined;
    fields.push(text.startsWith('"') ? text.slice(1, -1).replaceAll('""', '"') : text);
    if (end === '') return fields;
  }
}

export const csvLine = (fields: readonly string[]): string => fields.map(quoted).join(',');

const quoted = (field: string): string => (/[",]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field);
