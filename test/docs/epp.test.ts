import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HANDLERS } from '../../src/doors/epp/commands/handlers.ts';
import { catalogue as framing } from '../../src/doors/epp/frame-refusals.ts';
import type { EppAddress } from '../../src/doors/sandbox/sandbox-addresses.ts';
import { catalogue as common } from '../../src/operations/common-refusals.ts';
import { catalogue as rules } from '../../src/registry/registry-refusals.ts';
import { EppClient } from '../support/epp.ts';
import type { LogInOptions } from '../support/epp-frames.ts';
import { startFreshRegistry, type TestRegistry } from '../support/registry.ts';
import { comparableFrame, indentedFrame } from './epp-page.ts';
import { REPEATED_COMMANDS, repeat } from './epp-repetitions.ts';
import { type Block, blocksOf, ROOT, readPage } from './markdown.ts';

/**
 * Frames and commands of these pages are sent in their order to a fresh sandbox: `xml request` on the connection of
 * alpha, `xml request beta` on that of beta, `sh` through bash unless it is marked `no-run`. The `xml answer` after a
 * frame is what it is answered. Run with --update, the test writes answers that have changed into the page.
 */
const FILES = ['epp', 'epp-contacts', 'epp-domains', 'epp-messages', 'epp-refusals'].map(
  (name) => `docs/integrate/${name}.md`,
);
const PAGES = FILES.map(readPage);
const ALL = PAGES.join('\n');
const [, LOST_ANSWERS = ''] = ALL.split(/^## (?=Lost answers$|Limits$)/m);
/** The number of frames, so that none is dropped unnoticed. */
const FRAMES = 37;

let registry: TestRegistry;
let epp: EppAddress;
const connections = new Map<string, EppClient>();
beforeAll(async () => {
  registry = await startFreshRegistry({ eppPort: 0 });
  ({ epp } = (await (await fetch(`${registry.url}/sandbox`)).json()) as { epp: EppAddress });
});
afterAll(async () => {
  await Promise.all([...connections.values()].map((client) => client.close()));
  await registry.stop();
});

describe('the pages about EPP', () => {
  // The steps build on each other, so they are one test.
  test('success: every frame is answered as the pages show', async () => {
    let frames = 0;
    for (const [place, page] of PAGES.entries()) {
      const { written, sent } = await replay(page);
      await expect(written).toMatchFileSnapshot(path.join(ROOT, FILES[place] ?? ''));
      frames += sent;
    }
    expect(frames).toBe(FRAMES);
    const greeting = blocksOf(ALL).find(({ marks }) => marks.includes('answer'));
    const first = connections.get('beta')?.greeting.frame ?? '';
    expect(comparableFrame(indentedFrame(first))).toBe(comparableFrame(greeting?.text ?? ''));
  });

  test('success: it has every command, and every result code that a command can be answered with', () => {
    const commands = Object.entries(HANDLERS).flatMap(([object, verbs]) =>
      Object.keys(verbs).map((verb) => `<${object}:${verb} `),
    );
    expect(commands.length).toBeGreaterThan(10);
    expect(commands.filter((command) => !ALL.includes(command))).toEqual([]);
    const codes = new Set(Object.values({ ...common, ...rules, ...framing }).map(({ code }) => code));
    const documented = new Set(Array.from(ALL.matchAll(/^\| (\d{4}) \|/gm), ([, code]) => Number(code)));
    expect([...codes].filter((code) => !documented.has(code))).toEqual([]);
  });
});

describe('repeated commands in docs/integrate/epp-refusals.md', () => {
  const rows = Array.from(
    LOST_ANSWERS.matchAll(/^\| `(\w+ ?\w*)`[^|]*\|[^|]*\| ([^|]*) \|$/gm),
    ([, command = '', codes = '']) => [command, (codes.match(/\d{4}/g) ?? []).map(Number)] as const,
  );

  test('success: it documents every command that changes something', () => {
    expect(rows.map(([command]) => command)).toEqual(REPEATED_COMMANDS);
  });

  test.each(rows)('success: a repetition of %s', async (command, codes) => {
    expect(await repeat(command, logIn)).toEqual([1000, expect.toBeOneOf(codes)]);
  });
});

/** Sends the frames of a page; returns it with the answers that came, and how many frames it has. */
async function replay(page: string): Promise<{ written: string; sent: number }> {
  const blocks = blocksOf(page).filter(({ language }) => language === 'xml' || language === 'sh');
  let written = page;
  let sent = 0;
  for (const [index, block] of blocks.entries()) {
    if (block.language === 'sh' && !block.marks.includes('no-run')) await paste(block.text);
    if (!block.marks.includes('request')) continue;
    const shown = blocks[index + 1];
    expect(shown?.marks, `after line ${block.line}`).toEqual(['answer']);
    const answer = indentedFrame(await send(block));
    if (shown && comparableFrame(answer) !== comparableFrame(shown.text))
      written = written.replace(fenced(shown.text), () => fenced(answer));
    sent += 1;
  }
  return { written, sent };
}

/** Connections of these tests are others than those of the page. */
async function logIn(user: string, password = `${user}-sandbox-password`, options?: LogInOptions) {
  const name = options ? `${user} with a new password` : `${user} again`;
  const open = options ? undefined : connections.get(name);
  const client = open ?? (await connect(name));
  return { client, code: open ? 1000 : (await client.logIn(user, password, options)).code };
}

async function connect(name: string): Promise<EppClient> {
  const { certificate: cert, key } = epp.client_certificates[name] ?? {};
  const identity = cert !== undefined && key !== undefined && { cert, key };
  const client = await EppClient.connect({ port: epp.port, ca: epp.ca_certificate, ...identity });
  await connections.get(name)?.close();
  connections.set(name, client);
  return client;
}

const fenced = (text: string): string => `\`\`\`xml answer\n${text}\n\`\`\``;

async function send({ text, marks }: Block): Promise<string> {
  const user = marks[1] ?? 'alpha';
  const open = connections.get(user);
  const client = open && !open.isClosed ? open : await connect(user);
  // A legal document is shortened on the page.
  const { frame, code } = await client.send(text.replace('…', 'A'.repeat(4_800)));
  if (code === 1500 || code === 2501) await client.closed();
  return frame;
}

async function paste(command: string): Promise<void> {
  const text = command.replaceAll('http://127.0.0.1:8080', registry.url);
  await promisify(execFile)('bash', ['--norc', '-eo', 'pipefail', '-c', text], { cwd: ROOT });
}
