import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Asked } from './certificates.ts';

const run = promisify(execFile);

/** Where there is none, what it would have made and checked is made and checked by the library alone. */
export const hasOpenssl = await run('openssl', ['version']).then(
  () => true,
  () => false,
);

export const opensslIn = (folder: string, ...args: string[]) => run('openssl', args, { cwd: folder });

/** A key and a request for it, as a registrar makes them; `key` is what openssl is told of the key. */
export async function askByOpenssl(commonName: string, ...key: string[]): Promise<Asked> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'cadastre-test-'));
  try {
    const files = ['-nodes', '-keyout', 'a.key', '-out', 'a.csr'];
    await opensslIn(folder, 'req', '-new', ...key, ...files, '-subj', `/CN=${commonName}`);
    const read = (name: string) => readFile(path.join(folder, name), 'utf8');
    return { key: await read('a.key'), request: await read('a.csr') };
  } finally {
    await rm(folder, { recursive: true });
  }
}
