import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { registryForThisTest } from '../../support/registry.ts';
import { installPacked, nodeOf, run } from '../packed.ts';

describe.runIf(process.env.TORTURE)('the packed command', () => {
  test('success: it is installed beside the client and runs with Node 20, 22 and this one', {
    timeout: 300_000,
  }, async ({ annotate }) => {
    const installed = await installPacked('sdk', 'registrar-cli');
    onTestFinished(() => installed.remove());
    expect(installed.files[1]).toEqual(expect.arrayContaining(['dist/main.js', 'README.md', 'LICENSE']));
    expect(installed.files[1]?.filter((file) => file.endsWith('.ts'))).toEqual([]);
    const { url } = await registryForThisTest();
    const env = {
      PATH: process.env.PATH,
      CADASTRE_URL: url,
      CADASTRE_USERNAME: 'alpha',
      CADASTRE_PASSWORD: 'alpha-sandbox-password',
    };
    const program = path.join(installed.folder, 'node_modules/.bin/cadastre-registrar');
    const { stdout } = await run(program, ['balance', '--json'], { env });
    expect(JSON.parse(stdout)).toEqual({ balance: '100000.00', currency: 'EUR' });
    for (const version of ['20', '22']) {
      const node = await nodeOf(version);
      if ('reason' in node) await annotate(node.reason);
      else expect((await run(node.program, [program, 'balance'], { env })).stdout).toBe('100000.00 EUR\t\n');
    }
    await expect(run(program, ['domain', 'show', 'none.ee'], { env })).rejects.toMatchObject({ code: 1 });
  });
});
