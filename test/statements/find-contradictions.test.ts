import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type Fragment, type Statement, sql, text } from '../../src/platform/sql/statement.ts';
import { type Description, describerOn } from './describe-columns.ts';
import { findContradictions } from './find-contradictions.ts';
import { type Form, formOf } from './forms.ts';
import * as judged from './statements-to-judge.ts';
import { type Code, readCode } from './typed-statements.ts';

const FILE = path.join(import.meta.dirname, 'statements-to-judge.ts');
const OPTIONS: ts.CompilerOptions = {
  strict: true,
  noEmit: true,
  allowImportingTsExtensions: true,
  target: ts.ScriptTarget.ES2024,
  module: ts.ModuleKind.NodeNext,
  types: ['node'],
};

let client: pg.Client;
let describeColumns: (text: string) => Promise<Description>;
let code: Code;
beforeAll(async () => {
  const { username: user, ...server } = inject('server');
  client = new pg.Client({ ...server, user });
  await client.connect();
  describeColumns = await describerOn(client);
  code = readCode(import.meta.dirname, [FILE], OPTIONS);
});
afterAll(() => client.end());

/** What is found of the statement of this name, where tests have met these forms. */
async function foundOf(name: keyof typeof judged, ...forms: readonly Form[]): Promise<string[]> {
  const lines = readFileSync(FILE, 'utf8').split('\n');
  const first = lines.findIndex((line) => line.startsWith(`export const ${name} `));
  const length = 1 + lines.slice(first + 1).findIndex((line) => /^(export |$)/.test(line));
  const found = await findContradictions(code, forms, describeColumns);
  return found.flatMap((line) => {
    const [, at, rest = ''] = /^statements-to-judge\.ts:(\d+): (.*)$/.exec(line) ?? [];
    return Number(at) > first && Number(at) <= first + length ? [rest] : [];
  });
}

const CHANNEL = 'cadastre.statement.compiled';

/** The forms that are noted while a statement is compiled for the first time. */
function notedFor(make: () => Statement): Form[] {
  const forms: Form[] = [];
  const note = (message: unknown): void => void forms.push(formOf(message as Statement));
  subscribe(CHANNEL, note);
  expect(make().text).toContain('select');
  unsubscribe(CHANNEL, note);
  return forms;
}

describe('a statement without parts', () => {
  test.each(['right', 'withValues', 'left', 'lists', 'wider'] as const)(
    'success: %s has the columns that its type says, whether a test has met it or not',
    async (name) => {
      expect(await foundOf(name)).toEqual([]);
    },
  );

  test.each([
    ['misnamed', ['no type has the column "name"', 'there is no column "zone"']],
    ['unknownColumn', ['column "title" does not exist']],
    ['numberAsText', ['"serial" is int8, which is read as number; the type says string']],
    ['textAsNumber', ['"price" is numeric, which is read as string; the type says number']],
    ['textsAsNumbers', ['"names" is _text, which is read as string[]; the type says number[]']],
    ['dateInJson', ['"shown" is json, which is read as json; the type says object with a Date']],
    ['nullAsDate', ['"since" is zones.frozen_since, which can be null; the type says that it cannot']],
    ['nullAsText', ['"zone" is zones.zone, which can be null; the type says that it cannot']],
    ['unread', ['no type has the column "serial"']],
    ['named', ['there are 2 columns "zone"']],
  ] as const)('failure: %s', async (name, expected) => {
    expect(await foundOf(name)).toEqual(expected);
  });
});

describe('a composed statement', () => {
  const metWith = (column: Fragment): Form => formOf(judged.composed(column));
  const right = metWith(text('serial'));

  test('success: it is proved in the forms that tests have met', async () => {
    expect(await foundOf('composed', right)).toEqual([]);
  });

  test('success: a form that PostgreSQL refuses, as one on a table of a test, proves nothing either way', async () => {
    expect(await foundOf('composed', right, metWith(text('weight as serial')))).toEqual([]);
  });

  test('failure: in one of its forms a column has another name', async () => {
    const expected = ['no type has the column "number"', 'there is no column "serial"'];
    expect(await foundOf('composed', right, metWith(text('serial as number')))).toEqual(expected);
  });

  test('failure: PostgreSQL refuses every form', async () => {
    const expected = ['column "weight" does not exist'];
    expect(await foundOf('composed', metWith(text('weight as serial')))).toEqual(expected);
  });

  test('failure: no test has met it', async () => {
    expect(await foundOf('unmet', right)).toEqual(['no test has met it']);
  });

  test('failure: a part of it was changed since a test has met it', async () => {
    expect(await foundOf('composed', metWith(sql`z.serial`))).toEqual(['no test has met it']);
  });
});

describe('a generic statement', () => {
  test('success: it has the columns of its typed part', async () => {
    const met = formOf(judged.page(judged.shown(text('z.zone'))));
    expect([...(await foundOf('page', met)), ...(await foundOf('shown', met))]).toEqual([]);
  });

  test('failure: the typed part has other columns', async () => {
    const met = formOf(judged.page(judged.wronglyShown(text('z.zone'))));
    const expected = ['no type has the column "name"', 'there is no column "label"'];
    expect(await foundOf('wronglyShown', met)).toEqual(expected);
  });

  test('failure: a constant part has a number that its type calls a text', async () => {
    const forms = notedFor(() => judged.lookup(judged.found(text('d.name'))));
    const expected = ['"serial" is int8, which is read as number; the type says string'];
    expect(await foundOf('found', ...forms)).toEqual(expected);
  });
});

describe('what tests note', () => {
  test('success: templates of the code with their pieces, and constant texts as such', () => {
    const { text: written, parts } = formOf(judged.composed(text('serial')));
    expect(written).toBe('select serial from zones as z');
    expect(parts).toEqual([['select ', ' from zones as z'], 'serial']);
  });
});
