import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Block, blocksOf, readPage } from '../../docs/markdown.ts';
import { freePort } from '../../support/free-port.ts';
import { startRegistry, type TestRegistry } from '../../support/registry.ts';
import {
  type Compiled,
  compileInside,
  type InstalledPackages,
  installServed,
  nodeOf,
  run,
  SDK,
} from '../packed.ts';
import { clientOf } from './clients.ts';

const WRONG_USES = readFileSync(path.join(SDK, 'types/wrong-uses.ts'), 'utf8');
/** Printed after each program of the quickstart. */
const END = '-- end of the program --';

let sdk: InstalledPackages;
let registry: TestRegistry;
beforeAll(async () => {
  registry = await startRegistry();
  sdk = await installServed(registry.url);
});
afterAll(async () => {
  await registry?.stop();
  await sdk?.remove();
});

describe('the package that the registry serves', () => {
  test('success: it has only JavaScript with types', () => {
    const [files = []] = sdk.files;
    const others = files.filter((file) => !/^dist\/.*\.(d\.ts|js)$/.test(file));
    expect(others.sort()).toEqual(['LICENSE', 'README.md', 'package.json']);
    expect(files).toEqual(
      expect.arrayContaining(['dist/index.js', 'dist/index.d.ts', 'dist/generated/types.d.ts']),
    );
  });

  test('success: it has no dependencies', async () => {
    const installed = await readdir(path.join(sdk.folder, 'node_modules'));
    expect(installed.filter((name) => !name.startsWith('.'))).toEqual(['cadastre-sdk']);
  });
});

/** A program with every entry, and a mistake that only types can find. */
const ALL_ENTRIES = `import { Registry } from 'cadastre-sdk';
import { Registry as OverFetch } from 'cadastre-sdk/fetch';
import { Sandbox, signWebhook } from 'cadastre-sdk/testing';
import { verifyWebhook } from 'cadastre-sdk/webhooks';

const options = { baseUrl: 'https://registry.example', username: 'alpha', password: 'x' };
const clients: object[] = [new Registry(options), new OverFetch(options), new Sandbox()];
const secret = 'whsec_AAAA';
signWebhook({ secret, type: 'balance.low', data: { sequence: 1, message_id: 1 } })
  .then((signed) => verifyWebhook({ secrets: secret, ...signed }))
  .then(({ type }) => console.log(clients.length, type));
`;
const MISTAKE = `import { Sandbox } from 'cadastre-sdk/testing';
export const wrong: number = new Sandbox();
`;

describe('the oldest way to find it', () => {
  test('success: TypeScript with node10 finds the types of every entry, and CommonJS the modules', async () => {
    const folder = path.join(sdk.folder, 'old');
    await mkdir(folder);
    await writeFile(path.join(folder, 'package.json'), '{ "type": "commonjs" }');
    await writeFile(path.join(folder, 'old.ts'), ALL_ENTRIES);
    await writeFile(path.join(folder, 'mistake.ts'), MISTAKE);
    const compiler = path.join(SDK, '../../node_modules/typescript/bin/tsc');
    const types = ['--typeRoots', path.join(SDK, '../../node_modules/@types'), '--types', 'node'];
    const words = ['--module', 'commonjs', '--moduleResolution', 'node10', '--ignoreDeprecations', '6.0'];
    const rules = ['--strict', '--skipLibCheck', '--target', 'es2022'];
    const compiled = run(process.execPath, [compiler, 'old.ts', 'mistake.ts', ...rules, ...types, ...words], {
      cwd: folder,
    });
    await expect(compiled).rejects.toMatchObject({
      stdout: expect.stringMatching(/^mistake\.ts\(2,14\): error TS2322.*\n$/),
    });
    expect((await run(process.execPath, ['old.js'], { cwd: folder })).stdout).toBe('3 balance.low\n');
  });
});

describe('programs that use it', () => {
  let compiled: Compiled;
  beforeAll(async () => {
    await cp(path.join(SDK, 'examples'), path.join(sdk.folder, 'examples'), { recursive: true });
    await mkdir(path.join(sdk.folder, 'types'));
    await writeFile(
      path.join(sdk.folder, 'types/wrong-uses.ts'),
      WRONG_USES.replaceAll('@ts-expect-error', ''),
    );
    await writeBlocks();
    compiled = await compileInside(sdk.folder, 'examples', 'types', 'quickstart');
  });

  // With its @ts-expect-error lines npm run typecheck checks the file; without them each of its mistakes is an error.
  test('failure: a wrong field, a missing period and an unhandled refusal do not compile; the rest does', () => {
    const lines = WRONG_USES.split('\n');
    const mistakes = lines.flatMap((line, index) =>
      line.trim() === '// @ts-expect-error' ? [index + 2] : [],
    );
    expect(mistakes.length).toBeGreaterThan(12);
    expect(compiled.complaints).toEqual(mistakes.map((line) => `wrong-uses.ts:${line}`));
  });

  test('success: the examples run with this Node', () => runExamples(process.execPath));

  test.runIf(process.env.TORTURE).for(['20', '22'])(
    'success: the examples run with Node %s',
    { timeout: 300_000 },
    async (version, { skip }) => {
      const node = await nodeOf(version);
      if ('reason' in node) return skip(node.reason);
      expect((await run(node.program, ['--version'])).stdout).toMatch(`v${version}.`);
      await runExamples(node.program);
    },
  );

  test('success: the programs of docs/integrate/quickstart.md print the documented output', async () => {
    await fetch(`${registry.url}/sandbox/reset`, { method: 'POST' });
    const programs = blocks().filter(({ answer }) => answer !== undefined);
    expect(programs.length).toBe(8);
    // In one process, since starting Node takes longer than any of them.
    const all = programs.map(({ file }) => `await import('./${file}');\nconsole.log('${END}');\n`).join('');
    const folder = path.join(sdk.folder, 'quickstart');
    const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', all], { cwd: folder });
    const printed = stdout.split(`${END}\n`).map((text) => text.trimEnd());
    expect(printed).toEqual([...programs.map(({ answer }) => answer), '']);
  });

  async function runExamples(node: string): Promise<void> {
    await fetch(`${registry.url}/sandbox/reset`, { method: 'POST' });
    const folder = path.join(compiled.folder, 'examples');
    const example = async (user: string, name: string, ...words: string[]): Promise<string[]> => {
      const env = {
        CADASTRE_URL: registry.url,
        CADASTRE_USERNAME: user,
        CADASTRE_PASSWORD: `${user}-sandbox-password`,
      };
      const { stdout } = await run(node, [path.join(folder, `${name}.js`), ...words], {
        cwd: folder,
        env,
      });
      return stdout.trimEnd().split('\n');
    };
    expect(await example('alpha', 'register', 'order-1', 'shop.ee')).toEqual([
      'shop.ee would cost 9.00 and leave 99991.00',
      'shop.ee is registered',
    ]);
    expect(await example('alpha', 'register', 'order-1', 'shop.ee')).toEqual([
      'shop.ee is registered, as before',
    ]);
    expect(await example('alpha', 'renew-expiring', '2999-01-01')).toEqual(['renewed shop.ee']);
    const { data } = await clientOf(registry.url).domains.read('shop.ee');
    const [taken, missed] = await example(
      'beta',
      'transfer',
      `shop.ee=${data.domain.transfer_code}`,
      'none.ee=x',
    );
    expect([taken, missed]).toEqual(['shop.ee is ours', expect.stringMatching(/^none\.ee stays: /)]);
    expect((await example('alpha', 'messages')).join()).toMatch(/^stop billing: shop\.ee(,|$)/);
    const [balance, link] = await example('alpha', 'top-up', '100.00', 'invoice.pdf');
    expect([balance, link]).toEqual([
      'the balance is 99982.00 EUR',
      expect.stringMatching(/^pay 124\.00 at http/),
    ]);
    expect((await readFile(path.join(folder, 'invoice.pdf'))).subarray(0, 5).toString()).toBe('%PDF-');
    await receiveWebhook(node, path.join(folder, 'webhook-receiver.js'));
  }
});

/** Starts the receiver, sends it an event twice and one with another signature. */
async function receiveWebhook(node: string, program: string): Promise<void> {
  const port = await freePort();
  const secret = Buffer.alloc(32, 3);
  const env = {
    PORT: String(port),
    WEBHOOK_SECRET: `whsec_${secret.toString('base64')}`,
  };
  const receiver = spawn(node, [program], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let printed = '';
  receiver.stdout.on('data', (chunk) => (printed += chunk));
  try {
    await expect.poll(() => printed).toContain('listening');
    const body = '{"type":"domain.renewed","timestamp":"2030-01-15T10:00:00Z","data":{"domain":"shop.ee"}}';
    const send = async (key: Buffer) => {
      const timestamp = String(Math.floor(Date.now() / 1_000));
      const signature = createHmac('sha256', key).update(`msg_1.${timestamp}.${body}`).digest('base64');
      const headers = {
        'webhook-id': 'msg_1',
        'webhook-timestamp': timestamp,
        'webhook-signature': `v1,${signature}`,
      };
      return (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body })).status;
    };
    expect([await send(secret), await send(secret), await send(Buffer.alloc(32, 4))]).toEqual([
      204, 204, 400,
    ]);
    await expect.poll(() => printed).toContain('domain.renewed');
    expect(printed).toBe('listening\ndomain.renewed {"domain":"shop.ee"}\n');
  } finally {
    receiver.kill();
    await once(receiver, 'exit');
  }
}

type Program = { readonly file: string; readonly text: string; readonly answer: string | undefined };

/** The programs of the quickstart, with what they print; connect.ts is for the others. */
function blocks(): Program[] {
  const all = blocksOf(readPage('docs/integrate/quickstart.md'));
  return all.flatMap((block: Block, index) => {
    const { language, marks, text } = block;
    const [file] = marks;
    if (language !== 'ts' || file === undefined) return [];
    const next = all[index + 1];
    return [{ file, text, answer: next?.language === 'text' ? next.text : undefined }];
  });
}

async function writeBlocks(): Promise<void> {
  const folder = path.join(sdk.folder, 'quickstart');
  await mkdir(folder);
  for (const { file, text } of blocks())
    await writeFile(path.join(folder, file), text.replaceAll('http://127.0.0.1:8080', registry.url));
}
