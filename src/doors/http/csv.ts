/** What spreadsheets take for the beginning of a formula; an amount below zero is none. */
const FORMULA = /^(?:[=+@\t\r]|-(?!\d+\.\d\d$))/;
const QUOTED = /[",\r\n]/;

/** A line of a CSV file (RFC 4180). A cell that a spreadsheet would compute begins with an apostrophe: contacts' names are anybody's. */
export const csvLine = (cells: readonly string[]): string => `${cells.map(cell).join(',')}\r\n`;

function cell(text: string): string {
  const harmless = FORMULA.test(text) ? `'${text}` : text;
  return QUOTED.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

const SEPARATORS = new Set([',', ';', '\t']);
const GUARD = /^'(?=[=+\-@\t\r])/;

/**
 * The rows of a CSV file. Its separator is the first of comma, semicolon and tab outside of quotes: spreadsheets write
 * any of them, by their language. The apostrophe that csvLine puts in front of formulas is taken off again.
 */
export function* readCsv(text: string): Generator<string[]> {
  let separator: string | undefined;
  let row: string[] = [];
  let cell = '';
  let isQuoted = false;
  // Of the cell so far; asking the cell itself would copy it at every quotation mark.
  let isBlank = true;
  const endCell = () => {
    row.push(cell.replace(GUARD, ''));
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
