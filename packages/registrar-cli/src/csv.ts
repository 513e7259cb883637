import { UsageError } from './command.ts';

/** Rows by the names of their columns, from CSV by RFC 4180; a semicolon may separate columns, as spreadsheets write it. */
export function readCsv(text: string): Readonly<Record<string, string>>[] {
  const separator = text.slice(0, text.search(/\r?\n|$/)).includes(';') ? ';' : ',';
  const [header = [], ...rows] = records(text.replace(/^\uFEFF/, ''), separator);
  const names = header.map((name) => name.trim().toLowerCase());
  return rows
    .filter((row) => row.some((cell) => cell.trim() !== ''))
    .map((row) => Object.fromEntries(names.map((name, index) => [name, row[index]?.trim() ?? ''])));
}

function records(text: string, separator: string): string[][] {
  const found: string[][] = [];
  let [row, cell, isQuoted]: [string[], string, boolean] = [[], '', false];
  const endCell = () => {
    row.push(cell);
    cell = '';
  };
  const endRow = () => {
    endCell();
    found.push(row);
    row = [];
  };
  let quotedFrom = 0;
  for (let index = 0; index < text.length; index++) {
    const character = text.charAt(index);
    if (isQuoted && character === '"' && text.charAt(index + 1) === '"') {
      cell += '"';
      index++;
    } else if (character === '"' && (isQuoted || cell === '')) {
      isQuoted = !isQuoted;
      quotedFrom = index;
    } else if (isQuoted) cell += character;
    else if (character === separator) endCell();
    else if (character === '\n') endRow();
    else if (character !== '\r') cell += character;
  }
  if (isQuoted) throw new UsageError(`the quotation mark in line ${lineAt(text, quotedFrom)} is not closed`);
  if (cell !== '' || row.length > 0) endRow();
  return found;
}

const lineAt = (text: string, place: number): number => text.slice(0, place).split('\n').length;
