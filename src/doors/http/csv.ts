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
  text.replace(GUARDED_WHITE_SPACE, '').replace(GUARDED_FORMULA, '$1$2');

const SEPARATORS = new Set([',', ';', '\t']);

/**
 * The rows of a CSV file. Its separator is the first of comma, semicolon and tab outside of quotes: spreadsheets write
 * any of them, by their language. The apostrophes that csvLine puts in front of formulas are taken off again.
 */
export function* readCsv(text: string): Generator<string[]> {
  let separator: string | undefined;
  let row: string[] = [];
  let cell = '';
  let isQuoted = false;
  // Of the cell so far; asking the cell itself would copy it at every quotation mark.
  let isBlank = true;
  const endCell = () => {
    row.push(unguarded(cell));
    cell = '';
    isBlank = true;
  };
  const append = (character: string) => {
    cell += character;
    isBlank &&= character.trim() === '';
  };
  const characters = text.replace(/^\u{FEFF}/u, '').replaceAll(/\r\n?/g, '\n');
  for (let at = 0; at < characters.length; at += 1) {
    const character = characters[at] ?? '';
    if (isQuoted) {
      if (character !== '"') append(character);
      else if (characters[at + 1] === '"') {
        append(character);
        at += 1;
      } else isQuoted = false;
    } else if (character === '"' && isBlank) {
      cell = '';
      isQuoted = true;
    } else if (character === '\n') {
      endCell();
      yield row;
      row = [];
    } else if (SEPARATORS.has(character) && character === (separator ?? character)) {
      separator = character;
      endCell();
    } else append(character);
  }
  endCell();
  yield row;
}
