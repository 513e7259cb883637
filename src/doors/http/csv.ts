/**
 * Where a spreadsheet may see the beginning of a formula: at the beginning of a cell, and behind everything at which some
 * spreadsheet begins a cell, since those of other languages separate by semicolons or tabs.
 */
const FORMULA = /(^|[,;\t\r\n])((?:[^\S\t\r\n]|")*)(?='*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/g;
const GUARDED_FORMULA = /(^|[,;\t\r\n])((?:[^\S\t\r\n]|")*)'(?='*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/g;
/** White space that some of them pass over. */
const WHITE_SPACE = /^(?='*[\t\r\n])/;
const GUARDED_WHITE_SPACE = /^'(?='*[\t\r\n])/;
const AMOUNT_BELOW_ZERO = /^-\d+\.\d\d$/;
const QUOTED = /[",;\t\r\n]/;

/**
 * A line of a CSV file (RFC 4180). What a spreadsheet would compute has an apostrophe in front: contacts' names are
 * anybody's. The first cell is never an amount.
 */
export const csvLine = (cells: readonly string[]): string => `${cells.map(cell).join(',')}\r\n`;

function cell(text: string): string {
  const harmless = AMOUNT_BELOW_ZERO.test(text) ? text : guarded(text);
  return QUOTED.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

const guarded = (text: string): string => text.replace(FORMULA, "$1$2'").replace(WHITE_SPACE, "'");
const unguarded = (text: string): string =>
  text.includes("'") ? text.replace(GUARDED_WHITE_SPACE, '').replace(GUARDED_FORMULA, '$1$2') : text;

const SEPARATORS = new Set([',', ';', '\t']);
/** What may end a piece of a cell, by the separator, and of one in which a quotation mark means itself. */
const ENDS = new Map([
  ['', { blank: /[",;\t\n]/g, other: /[,;\t\n]/g }],
  [',', { blank: /[",\n]/g, other: /[,\n]/g }],
  [';', { blank: /[";\n]/g, other: /[;\n]/g }],
  ['\t', { blank: /["\t\n]/g, other: /[\t\n]/g }],
]);
const DOUBLED_QUOTES = /(?:"")+/y;
/** Of one row; no list of ours has more. */
export const MAX_CELLS = 1_001;

/**
 * The rows of a CSV file. Its separator is the first of comma, semicolon and tab outside of quotes: spreadsheets write
 * any of them, by their language. The apostrophes that csvLine puts in front of formulas are taken off again. A row with
 * more than 1,001 cells is the last that is read, up to there. A quotation mark that is not closed would take all further
 * lines into its cell: it throws UnclosedQuote.
 */
export function* readCsv(text: string): Generator<string[]> {
  let separator: string | undefined;
  let row: string[] = [];
  let cell = '';
  let isQuoted = false;
  let quotedFrom = 0;
  // Of the cell so far; asking the cell itself would copy it at every quotation mark.
  let isBlank = true;
  const endCell = () => {
    row.push(unguarded(cell));
    cell = '';
    isBlank = true;
  };
  const append = (piece: string) => {
    cell += piece;
    isBlank &&= piece.trim() === '';
  };
  const characters = text.replace(/^\u{FEFF}/u, '').replaceAll(/\r\n?/g, '\n');
  for (let at = 0; at < characters.length; ) {
    const character = characters[at] ?? '';
    const start = at;
    at += 1;
    if (isQuoted) {
      if (character !== '"') {
        at = placeOrEnd(characters, characters.indexOf('"', at));
        append(characters.slice(start, at));
      } else if (characters[at] === '"') {
        DOUBLED_QUOTES.lastIndex = start;
        const { length } = DOUBLED_QUOTES.exec(characters)?.[0] ?? '';
        append('"'.repeat(length / 2));
        at = start + length;
      } else isQuoted = false;
    } else if (character === '"' && isBlank) {
      cell = '';
      isQuoted = true;
      quotedFrom = start;
    } else if (character === '\n') {
      endCell();
      yield row;
      row = [];
    } else if (SEPARATORS.has(character) && character === (separator ?? character)) {
      separator = character;
      endCell();
      if (row.length > MAX_CELLS) {
        yield row;
        return;
      }
    } else {
      const ends = ENDS.get(separator ?? '')?.[isBlank && character.trim() === '' ? 'blank' : 'other'];
      at = ends ? placeOrEnd(characters, placeOf(ends, characters, at)) : characters.length;
      append(characters.slice(start, at));
    }
  }
  if (isQuoted) throw new UnclosedQuote(lineAt(characters, quotedFrom));
  endCell();
  yield row;
}

/** A quotation mark opens a cell that no other one ends. */
export class UnclosedQuote extends Error {
  readonly line: number;

  constructor(line: number) {
    super(`The quotation mark in line ${line} is not closed`);
    this.line = line;
  }
}

const lineAt = (text: string, place: number): number => text.slice(0, place).split('\n').length;

/** Two files may be read in turns: the place is set before each search. */
function placeOf(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.exec(text)?.index ?? -1;
}

const placeOrEnd = (text: string, place: number): number => (place === -1 ? text.length : place);
