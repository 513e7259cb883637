import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { requireConfirmation } from '../../../src/commands/terminal/changing.ts';
import { tableOf } from '../../../src/commands/terminal/output.ts';
import { withProgress } from '../../../src/commands/terminal/progress.ts';
import { sql } from '../../../src/platform/sql/statement.ts';
import { Service } from '../../support/billing.ts';
import { cadastre, databaseUrl, type Outcome } from '../../support/cadastre.ts';
import { askFor } from '../../support/certificates.ts';
import { freshRegistryForThisTest, startRegistry, type TestRegistry } from '../../support/registry.ts';

/** Clears the screen in two ways, returns the carriage, and reverses the direction of the following text. */
const HOSTILE = 'Evil \u001b[2J\u009b2J\r\u202e OÜ';
const SHOWN = 'Evil \\u{1b}[2J\\u{9b}2J\\u{d}\\u{202e} OÜ';
const CONTROL_CHARACTERS = /[^\P{Cc}\n]|\p{Cf}/u;

let registry: TestRegistry;
let home: string;
beforeAll(async () => {
  registry = await startRegistry();
  home = mkdtempSync(path.join(os.tmpdir(), 'cadastre-test-'));
});
afterAll(async () => {
  await registry.stop();
  rmSync(home, { recursive: true });
});

const run = (args: readonly string[], stdin = '') =>
  cadastre(args, { env: { DATABASE_URL: databaseUrl(registry.databaseName), CADASTRE_HOME: home }, stdin });
const said = ({ stdout, stderr }: Outcome): string => stdout + stderr;

describe('untrusted texts at a terminal', () => {
  test('success: a name in a table and in JSON', async () => {
    const { number } = await new Service(registry.url).invoice();
    await registry.sql.run(sql`update invoices set buyer_name = ${HOSTILE} where number = ${number}`);
    const listed = await run(['billing', 'list']);
    expect([listed.code, listed.stderr]).toEqual([0, '']);
    expect(listed.stdout).toContain(SHOWN);
    expect(listed.stdout).not.toMatch(CONTROL_CHARACTERS);
    const json = await run(['billing', 'list', '--json']);
    expect(json.stdout).not.toMatch(CONTROL_CHARACTERS);
    expect(JSON.stringify(JSON.parse(json.stdout))).toContain(JSON.stringify(HOSTILE).slice(1, -1));
  });

  test('success: a name in history, as text and as JSON', async () => {
    await registry.sql.run(sql`update registrars set name = ${HOSTILE} where code = 'BETA'`);
    await run(['registrar', 'update', 'BETA', '--website', 'https://beta.example', '--reason', HOSTILE]);
    for (const args of [
      ['history', 'BETA'],
      ['history', 'BETA', '--json'],
      ['registrar', 'show', 'BETA'],
    ])
      expect(said(await run(args))).not.toMatch(CONTROL_CHARACTERS);
  });

  test('failure: the unknown name in a certificate request', async () => {
    await run(['ca', 'init', '--name', 'Test']);
    const { request } = await askFor('evil\u001b[2J\u202e\nAll is well.');
    const refused = await run(['cert', 'sign', '-'], request);
    expect([refused.code, refused.stdout]).toEqual([1, '']);
    expect(refused.stderr).toMatch(
      /^There is no user evil\\u\{1b\}\[2J\\u\{202e\}\\u\{a\}All is well\.; [^\n]*\n$/,
    );
  });

  test('failure: a mistyped argument', async () => {
    for (const args of [
      [HOSTILE],
      ['billing', HOSTILE],
      ['registrar', 'show', HOSTILE],
      ['history', HOSTILE],
    ]) {
      const outcome = await run(args);
      expect(outcome.code).not.toBe(0);
      expect(outcome.stderr).toContain('\\u{1b}[2J');
      expect(said(outcome)).not.toMatch(CONTROL_CHARACTERS);
    }
  });

  test('success: a question and the progress messages', async () => {
    const asked = { input: Object.assign(new PassThrough(), { isTTY: true }), output: new PassThrough() };
    asked.input.end('y\n');
    await requireConfirmation({}, `The token ${HOSTILE} ends.`, asked);
    expect(String(asked.output.read())).toContain(`The token ${SHOWN} ends. That cannot`);
    const drawn: string[] = [];
    const place = { isTTY: true, write: (text: string) => drawn.push(text) > 0 };
    await withProgress(HOSTILE, async () => {}, place);
    expect(drawn[0]).toContain(`${SHOWN} (0 s)`);
  });

  test('success: the width of a cell is its displayed width, and it has one line', () => {
    expect(tableOf([{ name: 'a\n\u001bb', sum: 1 }], undefined)).toBe(
      'NAME           SUM\na\\u{a}\\u{1b}b  1',
    );
  });

  test('success: the username of an unauthenticated client, in the log', async () => {
    const { url, logged } = await freshRegistryForThisTest();
    const credentials = Buffer.from('evil\u009b2J\u202e:x').toString('base64');
    await fetch(`${url}/registry/v1/contacts`, { headers: { authorization: `Basic ${credentials}` } });
    expect(logged()).toContain('evil\\u009b2J\\u202e');
    expect(logged()).not.toMatch(CONTROL_CHARACTERS);
  });
});
