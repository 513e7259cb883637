import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { csvLine, readCsv, UnclosedQuote } from '../../../src/doors/http/csv.ts';

/** As a spreadsheet reads a file whose separator is this one, whatever it was written with. */
function cellsOf(text: string, separator: string): string[] {
  const cells: string[] = [];
  let [cell, isQuoted, isBegun] = ['', false, false];
  const end = () => {
    cells.push(cell);
    [cell, isQuoted, isBegun] = ['', false, false];
  };
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (isQuoted && character === '"' && text.charAt(at + 1) === '"') {
      cell += character;
      at += 1;
    } else if (isQuoted && character === '"') isQuoted = false;
    else if (isQuoted) cell += character;
    else if (!isBegun && character === '"') [isQuoted, isBegun] = [true, true];
    else if (character === separator || character === '\n' || character === '\r') end();
    else [cell, isBegun] = [cell + character, true];
  }
  end();
  return cells;
}

const NUMBER = /^-\d+\.\d\d$/;
const isFormula = (cell: string): boolean => /^[\s"]*[=+\-@＝＋－＠]/u.test(cell) && !NUMBER.test(cell);

const text = fc.string({
  unit: fc.oneof(
    fc.constantFrom(...'=+-@;,\t\r\n"\' x1'),
    fc.constantFrom('＝', '＋', '－', '＠'),
    fc.string({ unit: 'grapheme' }),
  ),
});
const amount = fc.constantFrom('-5.00', '12.30', '-0.05');

test.each([',', ';', '\t'])(
  'property: no cell is a formula in a spreadsheet that separates by %j',
  (separator) => {
    fc.assert(
      fc.property(text, fc.array(fc.oneof(text, amount), { maxLength: 5 }), text, (first, cells, next) => {
        const lines = csvLine([first, ...cells]) + csvLine([next]);
        expect(cellsOf(lines, separator).filter(isFormula)).toEqual([]);
      }),
      { numRuns: 1_000 },
    );
  },
);

test('property: what was written is read back, with line ends as they are in any file', () => {
  fc.assert(
    fc.property(fc.array(text, { minLength: 2, maxLength: 5 }), (cells) => {
      const [read] = readCsv(csvLine(cells));
      expect(read).toEqual(cells.map((cell) => cell.replaceAll(/\r\n?/g, '\n')));
    }),
    { numRuns: 1_000 },
  );
});

test.each<[text: string, rows: string[][]]>([
  ['a"b""c,d', [['a"b""c', 'd']]],
  [
    '"a""""b",""""""\n"" ,x',
    [
      ['a""b', '""'],
      [' ', 'x'],
    ],
  ],
  ['a,b;c\td"e', [['a', 'b;c\td"e']]],
  ['  "a;b";;\t"c"', [['a;b', '', 'c']]],
])('success: quotation marks and other separators within cells: %j', (text, rows) => {
  expect([...readCsv(text)]).toEqual(rows);
});

test('success: a row with more than 1,001 cells is read up to there, and no other', () => {
  const [long, next] = readCsv(`${'a,'.repeat(5_000)}b\nc`);
  expect([long?.length, next]).toEqual([1_002, undefined]);
});

test.each([
  ['alone', '"', 1],
  ['in the first line', '"a.ee\nb.ee\nc.ee', 1],
  ['behind closed ones, with line ends in a cell', '"a\nb",c\r\nd,"e\nf\ng', 3],
  ['with a doubled one', 'a\n"b""\nc', 2],
])('failure: a quotation mark that is not closed, %s', (_where, text, line) => {
  expect(() => [...readCsv(text)]).toThrow(new UnclosedQuote(line));
});

test('success: rows before a quotation mark that is not closed are read', () => {
  expect(readCsv('a,b\n"c').next().value).toEqual(['a', 'b']);
});

describe('a cell', () => {
  test.each([
    ['a name', 'Acme OÜ', 'Acme OÜ'],
    ['an amount below zero', '-5.00', '-5.00'],
    ['a formula', '=1+1', "'=1+1"],
    ['one behind a semicolon', 'Acme;=1', '"Acme;\'=1"'],
    ['one behind a tab', 'Acme\t@x', '"Acme\t\'@x"'],
    ['one behind a line break and a space', 'Acme\n +1', '"Acme\n \'+1"'],
    ['one behind a semicolon and a quotation mark', 'Acme;"=1', '"Acme;""\'=1"'],
    ['white space at the beginning', '\tAcme', '"\'\tAcme"'],
    ['one that has an apostrophe already', "'=1", "''=1"],
    ['a hyphen and an address within a text', 'Acme-Nord, a@b.ee', '"Acme-Nord, a@b.ee"'],
  ])('success: %s', (_, cell, written) => {
    expect(csvLine(['a', cell])).toBe(`a,${written}\r\n`);
  });
});
