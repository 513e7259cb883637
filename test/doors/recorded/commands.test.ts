import os from 'node:os';
import { test } from 'vitest';
import { cadastre, databaseUrl } from '../../support/cadastre.ts';
import { moveClock } from '../../support/life.ts';
import { startFreshRegistry } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';
import { CHANGES, READS, REFUSED } from './commands.ts';
import { COMMAND_OBJECTS } from './objects.ts';
import { Recorder } from './recorder.ts';
import { Recording } from './recording.ts';

/** For a machine that is busy with other tests. */
const LIMIT_MS = 240_000;

/** What commands printed when this was recorded: standard output, standard error and the exit code. */
test(
  'success: commands print what is recorded',
  async ({ expect, onTestFinished }) => {
    const registry = await startFreshRegistry();
    onTestFinished(() => registry.stop());
    await moveClock(registry, { set: '2030-01-15T10:00:00.000Z' });
    await new Recorder(registry.url, '/openapi/registrar.json').sendAll(COMMAND_OBJECTS);
    const recording = new Recording();
    recording.learn(`operator:${os.userInfo().username}`, 'operator:<operator>');
    // The seed is older than the clock that was set.
    const { day } = await registry.sql.one(sql<{ day: string }>`
    select to_char(min(at) at time zone 'UTC', 'YYYY-MM-DD') as day from history`);
    recording.learn(day, '<day of the seed>');
    // Invitations follow the clock of the machine; the later day is that of a run through midnight.
    for (const days of [2, 3])
      recording.learn(new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10), '<in two days>');
    const env = { DATABASE_URL: databaseUrl(registry.databaseName), NO_COLOR: '1' };
    const run = async (line: string, ...more: string[]): Promise<void> => {
      const args = [...line.split(' ').filter((word) => word !== ''), ...more];
      const { code, stdout, stderr } = await cadastre(args, { env, stdin: 'a-very-long-password\n' });
      recording.add([
        `### cadastre ${args.join(' ')}`,
        ...(stdout === '' ? [] : [stdout.trimEnd()]),
        ...(stderr === '' ? [] : [stderr.trimEnd().replace(/^/gm, '! ')]),
        `(${code})`,
      ]);
    };
    for (const line of READS) for (const more of [[], ['--json']]) await run(line, ...more);
    for (const line of REFUSED) await run(line);
    for (const line of CHANGES) {
      await run(line, '--dry-run');
      await run(line, '--json');
      await run(line);
    }
    for (const line of [
      'history one.ee',
      'history mari',
      'registrar show GAMMA',
      'user list',
      'price list --zone ee',
    ])
      await run(line, '--json');
    await expect(recording.text).toMatchFileSnapshot('commands.txt');
  },
  LIMIT_MS,
);
