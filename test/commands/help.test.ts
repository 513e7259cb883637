import type { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { program } from '../../src/app/program.ts';
import { settings } from '../../src/platform/config/settings.ts';
import { cadastre } from '../support/cadastre.ts';

function everyCommand(command: Command, path: readonly string[] = []): [string, Command][] {
  return [
    [['cadastre', ...path].join(' '), command],
    ...command.commands.flatMap((sub) => everyCommand(sub, [...path, sub.name()])),
  ];
}

const whole = await program();

describe('help', () => {
  test.each(everyCommand(whole))('success: %s describes its purpose and its arguments', (name, command) => {
    const help = command.helpInformation();
    expect(help).toContain(`Usage: ${name}`);
    expect(command.description()).toMatch(/^\p{L}.{8,}/u);
    for (const option of command.options)
      expect([option.flags, option.description]).toEqual([option.flags, expect.stringMatching(/.{3,}/)]);
    for (const sub of command.commands) expect(help).toContain(sub.description().slice(0, 20));
  });

  test.each([
    [['--help'], /Exit codes: 0 done, 1 not done .*, 2 /],
    [['user', 'create', '--help'], /Example: cadastre user create /],
    [['help', 'serve'], /Migrate first \(cadastre migrate\)/],
  ])('success: cadastre %j on standard output, exit code 0', async (args, expected) => {
    const outcome = await cadastre(args);
    expect(outcome).toMatchObject({ code: 0, stderr: '' });
    expect(outcome.stdout).toMatch(/^Usage: cadastre/);
    expect(outcome.stdout).toMatch(expected);
  });

  test('success: --version is that of the package', async () => {
    expect(await cadastre(['--version'])).toEqual({
      code: 0,
      stdout: `${packageJson.version}\n`,
      stderr: '',
    });
  });

  test.each([
    [['burn']],
    [[]],
    [['maintenance', 'sideways']],
    [['serve', 'surplus']],
    [['billing', 'reconcile', 'surplus']],
    [['maintenance', 'on', 'surplus']],
    [['maintenance', 'off', 'surplus']],
    [['--nonsense']],
  ])('failure: cadastre %j is a usage error, which ends with 2', async (args) => {
    const outcome = await cadastre(args);
    expect(outcome).toMatchObject({ code: 2, stdout: '' });
    expect(outcome.stderr).toMatch(/--help|Usage: cadastre/);
  });
});

describe('cadastre settings', () => {
  const secret = 'postgres://app:very-secret-word@db.example/registry';
  const env = { DATABASE_URL: secret, DATABASE_OWNER_URL: secret, PORT: '9001' };

  test('success: every setting with its value, and secrets only as set', async () => {
    const outcome = await cadastre(['settings', '--json'], { env });
    expect(outcome.code).toBe(0);
    expect(outcome.stdout).not.toContain('very-secret-word');
    const rows: { setting: string; value: string | null; about: string }[] = JSON.parse(outcome.stdout);
    expect(rows.map((row) => row.setting)).toEqual(Object.values(settings).map((item) => item.env));
    const values = Object.fromEntries(rows.map((row) => [row.setting, row.value]));
    expect(values).toMatchObject({
      DATABASE_URL: '(set)',
      DATABASE_OWNER_URL: '(set)',
      BILLING_SECRET_AUCTION: null,
      PORT: '9001',
      RATE_LIMIT_PER_MINUTE: '1000',
      PUBLIC_URL: null,
    });
  });

  test('success: as a table, with the defaults of the sandbox', async () => {
    const outcome = await cadastre(['settings', '--sandbox'], { env });
    expect(outcome.stdout).toMatch(/^SETTING +VALUE +ABOUT\n/);
    expect(outcome.stdout).toMatch(/^RATE_LIMIT_PER_MINUTE +100000 /m);
    expect(outcome.stdout).not.toContain('very-secret-word');
  });
});
