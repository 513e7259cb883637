import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { type Entry, writeTar } from '../../backup/tar.ts';
import { matchesEntityTag } from '../http/negotiation.ts';
import { SlicedAnswer } from '../http/sliced-answer.ts';

export const CLIENT_PACKAGE_PATH = '/sdk.tgz';
/** The client, built: a test compares it with its sources. */
const FOLDER = path.join(import.meta.dirname, '../../../packages/sdk');
/** The time that npm gives to all files of its packages. */
const PACKED_AT = new Date('1985-10-26T08:15:00Z');

type ClientPackage = { readonly bytes: Buffer; readonly etag: string };

/** The client of the registrar API as npm installs it: `npm install https://registry.example/sdk.tgz`. */
export function clientPackageRoute(app: FastifyInstance): void {
  let packed: Promise<ClientPackage> | undefined;
  app.get(CLIENT_PACKAGE_PATH, { exposeHeadRoute: true }, async ({ headers }, reply) => {
    packed ??= packClient().catch((error: unknown) => {
      packed = undefined;
      throw error;
    });
    const { bytes, etag } = await packed;
    reply.headers({ etag, 'cache-control': 'no-cache', 'x-content-type-options': 'nosniff' });
    if (matchesEntityTag(headers['if-none-match'], etag)) return reply.code(304).send();
    return reply
      .type('application/gzip')
      .header('content-length', bytes.length)
      .send(new SlicedAnswer(bytes));
  });
}

/**
 * Packs what `npm pack` would. It is not compressed: lock files record the hash of its bytes, and what deflate makes of the
 * same files depends on the processor.
 */
async function packClient(): Promise<ClientPackage> {
  const built = await readdir(path.join(FOLDER, 'dist'), { recursive: true, withFileTypes: true });
  const modules = built
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(FOLDER, path.join(entry.parentPath, entry.name)));
  const names = ['LICENSE', 'README.md', 'package.json', ...modules].sort();
  const bytes = gzipSync(await buffer(writeTar(entriesOf(names), PACKED_AT)), { level: 0 });
  return { bytes, etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"` };
}

async function* entriesOf(names: readonly string[]): AsyncGenerator<Entry> {
  for (const name of names)
    yield { name: `package/${name}`, content: await readFile(path.join(FOLDER, name)) };
}
