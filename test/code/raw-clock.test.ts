import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';

const ROOT = path.join(import.meta.dirname, '../..');
const CLOCK = 'src/platform/clock/';

/**
 * Who reads the clock of the machine without comparing it with the database's. Everything else is given its time, or a
 * clock that was checked. A job reads it only for what others compare with their own time.
 */
const MAY_READ_RAW: Readonly<Record<string, string>> = {
  'src/app/run-job-now.ts': 'in the sandbox only',
  'src/app/sandbox.ts': 'the machine of the sandbox has the database as well',
  'src/billing/bank/import-folder.ts': 'compared with the time of a file',
  'src/billing/deliveries/service-sender.ts': 'signatures are compared with the time of others',
  'src/billing/provider/everypay.ts': 'compared with the time of the provider',
  'src/commands/backup-command.ts': 'reads only',
  'src/commands/person-command.ts': 'sessions of people, after the clock was checked',
  'src/commands/recovery-command.ts': 'in the sandbox only',
  'src/commands/terminal/note-check.ts': 'when a check that reads only began and ended',
  'src/commands/terminal/with-database.ts': 'reading commands; those that change something check it',
  'src/commands/zone-controls.ts': 'after the clock was checked',
  'src/commands/zone-rebuild-command.ts': 'after the clock was checked',
  'src/doors/console/start.ts': 'sessions of the console, which a request guard has checked',
  'src/doors/dns/recorded-events.ts': 'when a secondary asked, which nothing is decided by',
  'src/doors/dns/transfer-client.ts': 'signatures of DNS messages are compared with the time of others',
  'src/doors/epp/epp-session.ts': 'the date of a greeting',
  'src/doors/http/tls.ts': 'validity of certificates',
  'src/doors/pages/start.ts': 'the time on the home page',
  'src/doors/sandbox/provider/orders.ts': 'the provider of the sandbox',
  'src/doors/sandbox/caught-webhooks.ts': 'compared with the time of a signature',
  'src/registry/access/authenticator.ts': 'validity of certificates',
  'src/registry/activity/call-counts.ts': 'statistics by the hour',
  'src/registry/sessions/session-leases.ts': 'leases have the time of the database',
  'src/registry/webhooks/webhook-sender.ts': 'signatures are compared with the time of receivers',
};

/** `new Date()`, `Date.now()` and the clock of the machine, by line. */
function rawReadings(name: string, text: string): string[] {
  if (!/\bnew Date\b|\bDate\b\.?\w*\(|\bwallClock\b/.test(text)) return [];
  const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const isRaw =
      (ts.isNewExpression(node) && node.expression.getText() === 'Date' && !node.arguments?.length) ||
      (ts.isCallExpression(node) && ['Date.now', 'Date'].includes(node.expression.getText())) ||
      (ts.isImportSpecifier(node) && (node.propertyName ?? node.name).text === 'wallClock');
    if (isRaw)
      found.push(`${name}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1} ${node.getText()}`);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

describe('the clock of the machine', () => {
  test('success: it is read where the list allows it, by the clock module alone, and the list has no other', () => {
    const files = globSync('src/**/*.ts', { cwd: ROOT }).filter((name) => !name.startsWith(CLOCK));
    const readings = files.flatMap((name) => rawReadings(name, readFileSync(path.join(ROOT, name), 'utf8')));
    const isImport = (reading: string) => reading.endsWith(' wallClock');
    expect(readings.filter((reading) => !isImport(reading))).toEqual([]);
    const importing = readings.filter(isImport).map((reading) => reading.split(':')[0]);
    expect(importing.sort()).toEqual(Object.keys(MAY_READ_RAW).sort());
  });

  test.each(['new Date()', 'new Date', 'Date.now()', "import { wallClock } from './clock.ts'"])(
    'failure: %s is found',
    (text) => {
      expect(rawReadings('a.ts', text)).toHaveLength(1);
    },
  );

  test.each(['new Date(0)', 'clock.now()', "import type { Clock } from './clock.ts'"])(
    'success: %s is not',
    (text) => {
      expect(rawReadings('a.ts', text)).toEqual([]);
    },
  );
});
