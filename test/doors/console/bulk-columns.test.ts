import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  decideColumns,
  type LineContent,
  type ListColumns,
  periodIn,
} from '../../../src/doors/console/bulk/list-columns.ts';
import { mendList, wrongLines } from '../../../src/doors/console/bulk/mend-lines.ts';
import { readNameList } from '../../../src/doors/console/bulk/name-list.ts';
import { readCsv, UnclosedQuote } from '../../../src/doors/http/csv.ts';
import { ee } from '../../../src/policy/ee.ts';
import { StepCounter } from '../../support/steps.ts';

let counter: StepCounter;
beforeAll(async () => {
  counter = await StepCounter.start();
});
afterAll(() => counter.stop());

const isName = (cell: string) => /^[a-z-]+\.ee$/.test(cell.trim());
const linesOf = (text: string) => [...readCsv(text)].filter((cells) => cells.join('').trim() !== '');
const decide = (text: string, lineHas?: LineContent, chosen?: Pick<ListColumns, 'name' | 'content'>) =>
  decideColumns(linesOf(text), lineHas, isName, chosen);
/** The columns, counted from 1 as people do. */
const places = (text: string, lineHas?: LineContent) => {
  const { name, content } = decide(text, lineHas) ?? {};
  return [name, content].map((column) => column !== undefined && column + 1);
};

describe('by headings', () => {
  test.each([
    ...['domain', 'Domain', 'DOMAIN NAME', 'Domain_Name', ' domain-name ', 'name', 'Domeen', 'nimi'],
    'Domeenid',
  ])('success: the name below %s', (heading) => {
    expect(places(`Customer,${heading},x\nMari,a.ee,1`)).toEqual([2, false]);
  });

  test.each([
    ...[
      'code',
      'Transfer code',
      'transfer_code',
      'Auth Code',
      'authinfo',
      'auth_info',
      'AUTHINFO',
      'EPP code',
    ],
    ...['kood', 'Ülekandekood', 'ÜLEKANDEKOOD', 'U\u0308lekandekood'],
  ])('success: the code below %s', (heading) => {
    expect(places(`${heading};Klient;Domeen\nabc;Mari;a.ee`, 'code')).toEqual([3, 1]);
  });

  test.each([
    ['Period', undefined],
    ['Periood', undefined],
    ['Years', 'y'],
    ['months', 'm'],
  ] as const)('success: the period below %s', (heading, unit) => {
    expect(decide(`x\tDomain\t${heading}\n1\ta.ee\t2`, 'period')).toEqual({
      name: 1,
      content: 2,
      unit,
      width: 3,
      isExact: true,
      headings: ['x', 'Domain', heading],
    });
  });

  test('success: the column of the domains, not that of a name of customers', () => {
    expect(places('Name,Domain\nMari,a.ee')).toEqual([2, false]);
    expect(places('Domain,Name\nmain,a.ee')).toEqual([2, false]);
    expect(places('Name,Domain,Code,Auth code\nMari,a.ee,K1,abc', 'code')).toEqual([2, 4]);
  });

  test('success: a heading of the code alone, where a column has domains', () => {
    expect(decide('Objekt,Kood\na.ee,abc', 'code')).toMatchObject({ name: 0, content: 1, isExact: true });
    expect(decide('Klient,Objekt,Kood\nMari,a.ee,abc', 'code')?.headings).toHaveLength(3);
  });

  test('success: without lines below it', () => {
    expect(places('x,domain,code', 'code')).toEqual([2, 3]);
  });

  test('failure: a heading behind the fiftieth column, or longer than one is', () => {
    expect(places(`${'x,'.repeat(50)}domain\n${'x,'.repeat(50)}a.ee`)).toEqual([1, false]);
    expect(places(`x,${' '.repeat(40)}domain\nx,y`)).toEqual([1, false]);
  });
});

describe('without headings', () => {
  test.each<[string, string, LineContent | undefined, unknown]>([
    ['the first column with names', 'Mari,a.ee,b\nJaan,b.ee,c', undefined, [2, false]],
    ['most of its first lines', 'Mari,a.ee,b\nJaan,bad,c\nUku,c.ee,d', undefined, [2, false]],
    ['a code at the right of it', 'Mari,a.ee,1,2026-01-01,secret-1', 'code', [2, 5]],
    ['a code at the left of it', 'secret-1,a.ee,1', 'code', [2, 1]],
    ['no code', 'K1,a.ee,1', 'code', [2, false]],
    ['a period', 'Mari,1,a.ee,2y\nJaan,2,b.ee,', 'period', [3, 4]],
    ['no period', 'Mari,a.ee,2', 'period', [2, false]],
    ['name and code', 'a.ee,x', 'code', [1, 2]],
    ['name and period', 'a.ee,2y', 'period', [1, 2]],
    ['no names at all', 'a,b', undefined, [1, false]],
  ])('success: %s', (_what, text, lineHas, expected) => {
    expect(places(text, lineHas)).toEqual(expected);
  });

  test.each<[string, string, LineContent | undefined]>([
    ['one name on each line', 'domain\na.ee\nb.ee', undefined],
    ['several names on a line', 'a.ee, b.ee\nc.ee', 'period'],
    ['a name and its code with a space', 'a.ee secret', 'code'],
    ['nothing', '', undefined],
  ])('success: no table: %s', (_what, text, lineHas) => {
    expect(decide(text, lineHas)).toBeUndefined();
  });

  test('success: those that somebody has chosen, also where there are no such columns', () => {
    expect(decide('domain,code,x\na.ee,b,c', 'code', { name: 2, content: 0 })).toMatchObject({
      name: 2,
      content: 0,
      headings: ['domain', 'code', 'x'],
      isExact: true,
    });
    expect(decide('', undefined, { name: 49, content: undefined })).toMatchObject({ name: 49, width: 0 });
  });
});

test.each([
  ['2y', undefined, '2y'],
  [' 2Y ', undefined, '2y'],
  ['2', 'y', '2y'],
  ['02', 'y', '2y'],
  ['2 years', undefined, '2y'],
  ['1 aasta', undefined, '1y'],
  ['3 kuud', undefined, '3m'],
  ['24', 'm', '2y'],
  ['6', 'm', '6m'],
  ['0', 'm', '0m'],
  ['2', undefined, '2'],
  ['two', 'y', 'two'],
  ['2 days', 'y', '2 days'],
  ['1000', 'y', '1000'],
  ['', 'y', ''],
] as const)('success: the period %s by %s is %s', (cell, unit, expected) => {
  expect(periodIn(cell, unit)).toBe(expected);
});

describe('lists', () => {
  const read = async (text: string, ...others: [LineContent?, Parameters<typeof readNameList>[3]?]) => {
    const { listed } = await readNameList(text, ee, ...([others[0], others[1]] as const));
    return listed.map(({ name, code }) => (code === '' ? name : `${name} ${code}`));
  };

  test('success: only the columns are read', async () => {
    const table = 'Nr;Klient;Domeen;Kood\n1;"Mari; b.ee";A.ee.;x 1\n2;;;\n\n3;Uku;no name;y\n';
    expect(await read(table, 'code')).toEqual(['a.ee x 1', 'no name y']);
    expect(await read(table)).toEqual(['a.ee', 'no name']);
    expect(await read(table, 'code', { name: 2, content: undefined })).toEqual(['a.ee', 'no name']);
    expect(await read(table, 'code', { name: 3, content: 2 })).toEqual(['x 1 A.ee.', 'y no name']);
  });

  test('success: a line without columns is read as one of a list', async () => {
    expect(await read('x,domain,code\n1,a.ee,abc\nb.ee def\nend', 'code')).toEqual([
      'a.ee abc',
      'b.ee def',
      'end',
    ]);
  });

  test('success: what a preview has written is read as it stands', async () => {
    expect(await read('domain,code\nmy name\na.ee,b.ee', 'code', 'as listed')).toEqual([
      'domain code',
      'my name',
      'a.ee b.ee',
    ]);
  });

  test('failure: a quotation mark that is not closed, among the first lines and behind them', async () => {
    for (const lines of [1, 1_000])
      await expect(read(`${'x,a.ee\n'.repeat(lines)}"`)).rejects.toBeInstanceOf(UnclosedQuote);
  });

  test('failure: a table of many columns, and lines without any', async () => {
    const wide = `${'a,'.repeat(999)}domain\n`;
    expect(await read(`${wide}${'a.ee,'.repeat(999)}b.ee\n`)).toEqual(['a', 'a.ee', 'b.ee']);
    expect((await readNameList(','.repeat(500_000), ee, 'code')).isTooLong).toBe(true);
    expect(await read(',,\n'.repeat(20_000), 'code')).toEqual([]);
  });

  test('success: eight times the lines of a table take about eight times the steps', async () => {
    const effortOf = (lines: number) => {
      const text = `x,domain,code\n${Array.from({ length: lines }, (_, place) => `1,n${place}.ee,c`).join('\n')}`;
      return counter.effortOf(() => readNameList(text, ee, 'code'));
    };
    await effortOf(1_250);
    const [few, many] = [await effortOf(1_250), await effortOf(10_000)];
    expect(many.steps).toBeLessThan(10 * few.steps);
  });
});

describe('mended lines', () => {
  const mend = (
    text: string,
    lines: Readonly<Record<number, string>>,
    lineHas?: LineContent,
    columns?: Pick<ListColumns, 'name' | 'content'>,
  ) => mendList(text, new Map(Object.entries(lines).map(([row, to]) => [Number(row), to])), lineHas, columns);

  test.each([
    ['replaced', 'a\nb\nc', { 1: 'b.ee' }, 'a\nb.ee\nc'],
    ['emptied, so that the others keep their numbers', 'a\nb\nc', { 1: ' ' }, 'a\n\nc'],
    ['of another separator', 'a;1\nb;2', { 1: 'b.ee;3' }, 'a,1\nb.ee,3'],
    ['that becomes the first of two', 'a\nb', { 0: 'x\ny' }, 'x\nb'],
    ['with a quotation mark', 'a\nb', { 0: '"x' }, '"""x"\nb'],
    ['that is not there', 'a\nb\n', { 9: 'x' }, 'a\nb\n'],
    ['beside a cell of two lines', '"a\nb",1\nc,2', { 1: 'd' }, '"a\nb",1\nd'],
  ])('success: one %s', async (_what, text, lines, expected) => {
    expect(await mend(text, lines)).toBe(expected);
  });

  test('success: one of a table keeps its other columns', async () => {
    const columns = { name: 2, content: 0 };
    const table = 'code,x,domain\nc,1,bad\nd,2,b.ee';
    expect(await mend(table, { 1: 'a.ee,new' }, 'code', columns)).toBe('code,x,domain\nnew,1,a.ee\nd,2,b.ee');
    expect(await mend(table, { 1: 'a.ee new' }, 'code', columns)).toContain('new,1,a.ee');
    const same = 'code,x,domain\n,1,my name';
    expect(await mend(same, { 1: 'my name' }, 'code', columns)).toBe(same);
    const names = { name: 2, content: undefined };
    expect(await mend(table, { 1: 'a.ee' }, undefined, names)).toContain('c,1,a.ee');
  });

  test('failure: a list that cannot be read stays as it is', async () => {
    expect(await mend('a\n"b', { 0: 'x' })).toBe('a\n"b');
    const long = 'a\n'.repeat(20_002);
    expect(await mend(long, { 0: 'x' })).toBe(long);
  });

  test('success: lines are counted as people do, and fifty can be mended at once', async () => {
    const text = `"two\nlines",x\n\nno_name\n${'bad_name other_name\n'.repeat(60)}${'x'.repeat(1_001)}`;
    const { listed } = await readNameList(text, ee, undefined);
    const wrong = new Map(listed.map(({ name }) => [name, { name: 'notName', values: {} }]));
    const { lines, further } = wrongLines(listed, wrong, undefined);
    expect(lines.slice(0, 2).map(({ row, line, written }) => [row, line, written])).toEqual([
      [2, 4, 'no_name'],
      [3, 5, 'bad_name other_name'],
    ]);
    expect([lines.length, further]).toEqual([50, 11]);
  });
});
