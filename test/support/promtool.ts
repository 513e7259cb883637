import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { debianPackages } from './debian-packages.ts';
import { onTestFinished } from './this-test.ts';

/** promtool of Prometheus 2.42, as Debian 12 has it: it needs no library but that of C. */
export function findPromtool(): { readonly program: string } | { readonly reason: string } {
  const found = debianPackages('bookworm', 'prometheus', []);
  if ('reason' in found) return found;
  const program = path.join(found.root, 'usr/bin/promtool');
  return existsSync(program) ? { program } : { reason: 'the package prometheus has no promtool' };
}

export type PromtoolOutcome = { readonly code: number; readonly output: string };

/** Runs it with what it reads on standard input, and returns what it says. */
export function promtool(program: string, args: readonly string[], stdin = ''): Promise<PromtoolOutcome> {
  return new Promise((resolve) => {
    const child = execFile(program, args, { timeout: 60_000 }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code ?? 1) : 0, output: stdout + stderr }),
    );
    child.stdin?.end(stdin);
  });
}

/** Files in a folder that is gone after the test. */
export function filesForThisTest(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'cadastre-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
  return folder;
}
