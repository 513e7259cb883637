import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../docs/markdown.ts';
import { CACHE } from './debian-packages.ts';
import { onTestFinished } from './this-test.ts';

const run = promisify(execFile);
const MAX_OUTPUT = 1e8;
/** The bases that docs/operate/containers.md makes where no registry of images can be reached. */
const BASES = { base: 'libstdc++6,ca-certificates', 'build-base': 'npm,ca-certificates' } as const;

/** Why no image can be built here, if so. */
export async function whyNoImage(): Promise<string | undefined> {
  for (const program of ['buildah', 'mmdebstrap'])
    if (
      await run(program, ['--version']).then(
        () => false,
        () => true,
      )
    )
      return `${program} is not installed`;
  return undefined;
}

/** An image store of its own, gone after the test; nothing but buildah and the archive of Debian is needed. */
export class ImageStore {
  readonly #home = mkdtempSync(path.join(os.tmpdir(), 'cadastre-images-'));
  readonly #options = [
    '--storage-driver',
    'vfs',
    '--root',
    path.join(this.#home, 'root'),
    '--runroot',
    path.join(this.#home, 'run'),
  ];

  constructor() {
    onTestFinished(() => rmSync(this.#home, { recursive: true, force: true }));
  }

  async buildah(...args: string[]): Promise<string> {
    const { stdout } = await run('buildah', [...this.#options, ...args], {
      cwd: ROOT,
      maxBuffer: MAX_OUTPUT,
    });
    return stdout.trim();
  }

  /** As documented, with Debian's packages in place of images. */
  async build(): Promise<string> {
    for (const [name, packages] of Object.entries(BASES)) await this.#import(name, packages);
    // A registry of packages behind an authority of this machine's own.
    const authority = process.env.NODE_EXTRA_CA_CERTS;
    await this.buildah(
      'build',
      '--isolation',
      'chroot',
      '-f',
      'deploy/container/Containerfile',
      '-t',
      'localhost/cadastre',
      '--build-arg',
      'BASE=localhost/base',
      '--build-arg',
      'BUILD_BASE=localhost/build-base',
      ...(authority ? ['--build-arg', 'NODE_EXTRA_CA_CERTS=/ca.pem', '-v', `${authority}:/ca.pem:ro`] : []),
      '.',
    );
    return 'localhost/cadastre';
  }

  async #import(name: string, packages: string): Promise<void> {
    const kept = path.join(CACHE, `trixie-${name}.tar`);
    if (!existsSync(kept)) {
      mkdirSync(CACHE, { recursive: true, mode: 0o755 });
      const unfinished = path.join(this.#home, `${name}.tar`);
      await run('mmdebstrap', [
        '--quiet',
        '--variant=minbase',
        `--include=${packages}`,
        'trixie',
        unfinished,
      ]);
      renameSync(unfinished, kept);
    }
    const file = path.join(this.#home, 'Containerfile');
    writeFileSync(file, `FROM scratch\nADD ${path.basename(kept)} /\n`);
    const ignored = path.join(this.#home, 'ignore');
    writeFileSync(ignored, `*\n!${path.basename(kept)}\n`);
    await this.buildah('build', '--ignorefile', ignored, '-f', file, '-t', `localhost/${name}`, CACHE);
  }

  /** A container of the image: its commands run to their end, or until the test ends. */
  async container(image: string) {
    const name = await this.buildah('from', '--isolation', 'chroot', image);
    const args = (env: Readonly<Record<string, string>>, command: readonly string[]) => [
      'run',
      '--isolation',
      'chroot',
      ...Object.entries(env).flatMap(([key, value]) => ['--env', `${key}=${value}`]),
      name,
      '--',
      ...command,
    ];
    return {
      run: (env: Readonly<Record<string, string>>, ...command: string[]) =>
        this.buildah(...args(env, command)),
      start: (env: Readonly<Record<string, string>>, ...command: string[]) => {
        const child = spawn('buildah', [...this.#options, ...args(env, command)], { stdio: 'ignore' });
        const ended = once(child, 'exit');
        onTestFinished(async () => {
          child.kill('SIGTERM');
          await ended;
        });
        return child;
      },
    };
  }
}
