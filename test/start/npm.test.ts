import { afterAll, describe, expect, test } from 'vitest';
import { seed } from '../../src/app/seed.ts';
import { freePort } from '../support/free-port.ts';
import { placeOfData } from '../support/global-setup.ts';
import { makeHome } from '../support/prepared-home.ts';
import {
  areGone,
  credentials,
  type NpmStart,
  npmStart,
  postmasterOf,
  removeHome,
  residentMegabytes,
} from './processes.ts';

const MAX_MEGABYTES = 150;

async function startOn(home: string): Promise<NpmStart & { port: number }> {
  const port = await freePort();
  const running = await npmStart({ PORT: String(port), CADASTRE_HOME: home });
  return { ...running, port };
}

/** All processes of an npm start: npm itself, its children, and the database. */
const everyProcess = (running: NpmStart, home: string) => [
  running.npm,
  ...running.descendants,
  postmasterOf(home),
];

/** One for both, since creating a database takes longest. */
const home = makeHome(placeOfData(), false);
afterAll(() => removeHome(home));

describe('npm start', () => {
  test('success: SIGTERM to npm ends npm, node and the database, and the next start has the data', async () => {
    const first = await startOn(home);
    expect(first.url).toBe(`http://127.0.0.1:${first.port}`);
    const answer = await fetch(`${first.url}/registry/v1/contacts`, { headers: credentials });
    expect(answer.status).toBe(200);
    for (const place of ['/', '/registry/v1', '/docs', '/health'])
      expect(first.output()).toContain(`${first.url}${place}`);
    for (const { username, password } of seed.users)
      expect(first.output()).toContain(`${username} / ${password}`);

    const processes = everyProcess(first, home);
    expect(processes.length).toBeGreaterThanOrEqual(3);
    process.kill(first.npm, 'SIGTERM');
    await first.ended;
    expect(areGone(processes)).toBe(true);
    expect(postmasterOf(home)).toBeUndefined();
    await expect(fetch(first.url)).rejects.toThrow();

    const second = await startOn(home);
    const resident = residentMegabytes(second.descendants[0] ?? 0);
    process.stdout.write(
      `npm start to ready: ${first.secondsToReady.toFixed(1)} s on an empty home, ` +
        `${second.secondsToReady.toFixed(1)} s on a used one; at rest ${resident?.toFixed(0)} MB\n`,
    );
    // Other systems do not report it.
    if (process.platform === 'linux') expect(resident).toBeLessThan(MAX_MEGABYTES);
  });

  test('success: Ctrl-C, a SIGINT to the whole process group, ends everything as well', async () => {
    const running = await startOn(home);
    const processes = everyProcess(running, home);
    process.kill(-running.npm, 'SIGINT');
    await running.ended;
    await expect.poll(() => areGone(processes), { timeout: 30_000 }).toBe(true);
    expect(postmasterOf(home)).toBeUndefined();
  });
});
