/** What lines have besides the name. */
export type LineContent = 'code' | 'period';

/** In which columns of a list, counted from 0, what is needed stands. */
export type ListColumns = {
  readonly name: number;
  /** Of the codes or the periods. */
  readonly content: number | undefined;
  /** Of a bare number, by the heading of its column. */
  readonly unit: 'y' | 'm' | undefined;
  /** The first line, where it has headings. */
  readonly headings: readonly string[] | undefined;
  /** As many as can be chosen from. */
  readonly width: number;
  /** Only these are read. Else the name stands first, and what follows it is told by each line. */
  readonly isExact: boolean;
};

/** Those that somebody has chosen. */
export type ChosenColumns = Pick<ListColumns, 'name' | 'content'>;

/** That can be chosen from; the further ones of a wider list are not looked at. */
export const MAX_COLUMNS = 50;
const MAX_HEADING = 40;

/** The surest first: a column "name" beside one called "domain" is that of a customer. */
const NAME_HEADINGS = [
  ...['domain name', 'domainname', 'domain', 'domains', 'domeeninimi', 'domeen', 'domeenid'],
  ...['name', 'nimi'],
];
const CONTENT_HEADINGS: Readonly<Record<LineContent, readonly string[]>> = {
  code: [
    ...['transfer code', 'transfercode', 'ülekandekood', 'auth code', 'authcode', 'auth info', 'authinfo'],
    ...['authorization code', 'authorisation code', 'epp code', 'eppcode', 'code', 'kood'],
  ],
  period: ['period', 'periood', 'years', 'year', 'aastad', 'aastat', 'months', 'month', 'kuud'],
};
const UNITS: Readonly<Record<string, 'y' | 'm' | undefined>> = {
  y: 'y',
  year: 'y',
  years: 'y',
  aasta: 'y',
  aastat: 'y',
  aastad: 'y',
  m: 'm',
  month: 'm',
  months: 'm',
  kuu: 'm',
  kuud: 'm',
};
/** What is meant as a period, also if none is so long; no domain is called so. */
export const PERIOD = /^\d{1,3}[a-z]$/;

const headingIn = (cell = ''): string =>
  cell
    .slice(0, MAX_HEADING)
    .normalize('NFC')
    .toLowerCase()
    .split(/[\s_-]/)
    .filter((word) => word !== '')
    .join(' ');

/** Whether a list begins with the heading of a column of names. */
export const isNameHeading = (cell: string | undefined): boolean => NAME_HEADINGS.includes(headingIn(cell));

/** The columns whose heading is one of these, the surest first. */
const columnsCalled = (headings: readonly string[], known: readonly string[]): number[] =>
  known.flatMap((name) => headings.flatMap((heading, column) => (heading === name ? [column] : [])));

/**
 * The columns of a table by its first lines, of which none is empty; undefined for a list that is no table: one name on
 * a line, or several.
 */
export function decideColumns(
  lines: readonly (readonly string[])[],
  lineHas: LineContent | undefined,
  isName: (cell: string) => boolean,
  chosen?: ChosenColumns,
): ListColumns | undefined {
  const rows = lines.map((line) => line.slice(0, MAX_COLUMNS));
  const [first = []] = rows;
  const width = rows.reduce((most, { length }) => Math.max(most, length), 0);
  if (!chosen && (width < 2 || (lineHas !== 'code' && rows.some((row) => isAllNames(row, isName)))))
    return undefined;
  const words = first.map(headingIn);
  const mayBeHeadings = isNameHeading(first[0]) || !first.some(isName);
  const called = (known: readonly string[]) => (mayBeHeadings ? columnsCalled(words, known) : []);
  const named = called(NAME_HEADINGS);
  const contents = lineHas ? called(CONTENT_HEADINGS[lineHas]) : [];
  const data = named.length + contents.length > 0 ? rows.slice(1) : rows;
  const namesIn = (column: number) => data.filter((row) => isName(row[column] ?? '')).length;
  const columns = Array.from({ length: width }, (_, column) => column);
  const byNames = columns.find((column) => namesIn(column) > 0 && 2 * namesIn(column) >= data.length);
  const hasHeadings = named.length > 0 || (contents.length > 0 && byNames !== undefined);
  const name = chosen?.name ?? named.find((column) => namesIn(column) > 0) ?? byNames ?? named[0] ?? 0;
  const byHeading = contents.find((column) => column !== name);
  const content = chosen
    ? chosen.content
    : (byHeading ?? (lineHas && contentBeside(name, lineHas, hasHeadings ? rows.slice(1) : rows, width)));
  return {
    name,
    content,
    unit: content === undefined ? undefined : UNITS[words[content] ?? ''],
    headings: hasHeadings ? first.map((cell) => cell.trim().slice(0, MAX_HEADING)) : undefined,
    width,
    isExact: chosen !== undefined || name > 0 || byHeading !== undefined,
  };
}

function isAllNames(row: readonly string[], isName: (cell: string) => boolean): boolean {
  const written = row.filter((cell) => cell.trim() !== '');
  return written.length > 1 && written.every(isName);
}

/** Without a heading of its own: the second column, or what looks like it where the name stands elsewhere. */
function contentBeside(
  name: number,
  lineHas: LineContent,
  rows: readonly (readonly string[])[],
  width: number,
): number | undefined {
  const isAll = (column: number, pattern: RegExp) =>
    rows.length > 0 && rows.every((row) => pattern.test(row[column]?.trim() ?? ''));
  const others = Array.from({ length: width }, (_, place) => place).filter((column) => column !== name);
  if (lineHas === 'period')
    return others.find((column) => (name > 0 || column === 1) && hasPeriods(column, rows));
  if (name === 0) return 1;
  return [...others.filter((column) => column > name), ...others].find((column) => isAll(column, CODE));
}

const hasPeriods = (column: number, rows: readonly (readonly string[])[]): boolean => {
  const written = rows.map((row) => row[column]?.trim() ?? '').filter((cell) => cell !== '');
  return written.length > 0 && written.every((cell) => PERIOD.test(cell));
};

/** Longer than the number of a customer, and no day. */
const CODE = /^(?!\d{4}-\d\d-\d\d)\S{6,255}$/;

/** As a period is written, where it can be told what was meant. */
export function periodIn(cell: string, unit: 'y' | 'm' | undefined): string {
  const text = cell.trim().toLowerCase();
  const [, digits, word = ''] = /^0{0,2}(\d{1,3}) ?([a-z]{0,6})$/.exec(text) ?? [];
  const meant = word === '' ? unit : UNITS[word];
  if (digits === undefined || meant === undefined) return text;
  const count = Number(digits);
  return meant === 'm' && count > 0 && count % 12 === 0 ? `${count / 12}y` : `${count}${meant}`;
}
