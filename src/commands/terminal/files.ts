import { writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { commandEnvironment } from '../../platform/config/command-environment.ts';
import { CommandError } from './output.ts';

/** A file, or standard input for `-`. */
export async function readInput(file: string): Promise<string> {
  try {
    return await (file === '-' ? text(commandEnvironment().stdin) : readFile(file, 'utf8'));
  } catch (error) {
    throw new CommandError(`${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
}

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

/** The fields of one line; undefined when a quotation mark is not closed, or stands inside a field. */
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

/** Why a line has no fields that could be read. Marks inside quoted fields are doubled, so that closed ones are even. */
export const describeQuotation = (line: string): string =>
  (line.match(/"/g)?.length ?? 0) % 2 === 1
    ? 'a quotation mark is not closed'
    : 'a quotation mark stands inside a field: quote the whole field, and double the marks in it';

export const csvLine = (fields: readonly string[]): string => fields.map(quoted).join(',');

const quoted = (field: string): string => (/[",]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field);
