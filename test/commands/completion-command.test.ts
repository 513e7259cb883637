import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { program } from '../../src/app/program.ts';
import { completionNodesOf } from '../../src/commands/terminal/completion-scripts.ts';
import { cadastre } from '../support/cadastre.ts';

const shells = ['bash', 'zsh', 'fish'] as const;
const scripts: Partial<Record<(typeof shells)[number], string>> = {};
beforeAll(async () => {
  for (const shell of shells) {
    const { code, stdout, stderr } = await cadastre(['completion', shell]);
    expect([code, stderr]).toEqual([0, '']);
    scripts[shell] = stdout;
  }
});

/** What bash offers at the end of a line, as if Tab had been pressed there. */
async function offered(line: string): Promise<string[]> {
  const words = line.split(' ').map((word) => `'${word}'`);
  const press = `COMP_WORDS=(${words.join(' ')}) COMP_CWORD=${words.length - 1}; _cadastre; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr } = await promisify(execFile)('bash', [
    '--norc',
    '-uc',
    `${scripts.bash}\n${press}`,
  ]);
  expect(stderr).toBe('');
  return stdout.split('\n').filter((word) => word !== '');
}

describe('cadastre completion', () => {
  test.each(shells)('success: %s knows every command and every option there is', async (shell) => {
    const places = completionNodesOf(await program());
    expect(places.length).toBeGreaterThan(60);
    for (const { at, commands, options } of places) {
      expect(scripts[shell]).toContain(at);
      for (const { word } of [...commands, ...options])
        expect(scripts[shell]).toContain(shell === 'fish' ? word.replace(/^--/, '-l ') : word);
    }
  });

  test.each([
    ['cadastre re', ['restore', 'registrar', 'reserved', 'recovery']],
    ['cadastre billing re', ['resolve', 'refund', 'reconcile']],
    ['cadastre billing list --st', ['--status']],
    ['cadastre billing list --status over', ['overdue']],
    ['cadastre billing list --registrar ALPHA --initiator a', ['auction']],
    ['cadastre portal token cr', ['create']],
    ['cadastre domain set-status example.ee serverH', ['serverHold']],
    ['cadastre user roles gamma --re', ['--reason', '--reason-code']],
    ['cadastre completion f', ['fish']],
    ['cadastre nonsense re', ['restore', 'registrar', 'reserved', 'recovery']],
  ])('success: "%s" is completed by bash', async (line, words) => {
    expect(await offered(line)).toEqual(words);
  });

  test('success: where a value is free nothing is offered but what the shell itself has', async () => {
    expect(await offered('cadastre blocked add kuri.ee --reason b')).toEqual([]);
  });

  test('failure: an unknown shell is a usage error', async () => {
    const outcome = await cadastre(['completion', 'tcsh']);
    expect(outcome).toMatchObject({ code: 2, stdout: '' });
    expect(outcome.stderr).toMatch(/bash, zsh, fish/);
  });
});
