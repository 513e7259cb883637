import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createContact, createDomain } from '../doors/epp/acceptance/cases.ts';
import { ConnectionClosed, type EppClient } from '../support/epp.ts';
import { type EppTestServer, startEppServerForTest } from '../support/epp-server.ts';
import { seed } from '../support/seed.ts';
import { mutatedFrames, OBJECTS, SECRETS } from './epp-frames.ts';

const FRAMES = process.env.TORTURE ? 20_000 : 240;
const LIMIT_MS = process.env.TORTURE ? 900_000 : 120_000;
const SESSIONS = 5;
/** The log of the run is kept: 5 MB of 20,000 frames. */
const MAX_GROWTH_BYTES = 15_000_000;
/** All of RFC 5730 but 2400, which would be a failure of ours, and 1100 of the ee dialect. */
const CODES = new Set([
  1000, 1001, 1100, 1300, 1301, 1500, 2000, 2001, 2002, 2003, 2004, 2005, 2100, 2101, 2102, 2103, 2104, 2105,
  2106, 2200, 2201, 2202, 2300, 2301, 2302, 2303, 2304, 2305, 2306, 2307, 2308, 2500, 2501, 2502,
]);
/** Of header and body, before login: the connection of a larger one is closed without an answer. */
const MAX_FRAME_BYTES = 8_192;
const ENDING = new Set([1500, 2500, 2501]);

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
const heap = (): number => {
  collectGarbage();
  return process.memoryUsage().heapUsed;
};

let server: EppTestServer;
const clients: EppClient[] = [];
beforeAll(async () => {
  process.stderr.write(`fuzzing with FUZZ_SEED=${seed}\n`);
  server = await startEppServerForTest();
  for (const [user, { domain, contact }] of [
    ['alpha', OBJECTS.own],
    ['beta', OBJECTS.foreign],
  ] as const) {
    await using client = await server.logIn(user);
    await createDomain(client, await createContact(client, contact), domain);
  }
});
afterAll(() => server.stop());

/** Sends a frame in a session, which is opened again where the answer has ended it. */
async function attempt(session: number, frame: Buffer, isLoggedIn: boolean): Promise<void> {
  const known = clients[session];
  const client = known && isLoggedIn ? known : await (isLoggedIn ? server.logIn('alpha') : server.connect());
  if (isLoggedIn) clients[session] = client;
  if (!isLoggedIn && frame.length + 4 > MAX_FRAME_BYTES) {
    await expect(client.send(frame)).rejects.toThrow(ConnectionClosed);
    return;
  }
  const answer = await client.send(frame);
  const unknown = answer.codes.filter((code) => !CODES.has(code));
  if (unknown.length > 0) throw new Error(`It was answered with ${unknown}:\n${answer.frame}`);
  if (ENDING.has(answer.code)) await client.closed();
  if (ENDING.has(answer.code)) delete clients[session];
  if (!isLoggedIn) await client.close();
}

describe(`fuzzing of EPP, FUZZ_SEED=${seed}`, { timeout: LIMIT_MS }, () => {
  test('success: every frame is answered by the schemas, with a code of the protocol, and memory does not grow', async () => {
    const batch = fc.array(mutatedFrames, { minLength: SESSIONS, maxLength: SESSIONS });
    const fire = (frames: number) =>
      fc.assert(
        fc.asyncProperty(batch, (several) =>
          // The last session of a batch has not logged in.
          Promise.all(several.map((frame, index) => attempt(index, frame, index < SESSIONS - 1))).then(
            () => undefined,
          ),
        ),
        { numRuns: frames / SESSIONS, endOnFailure: true },
      );
    await fire(FRAMES / 4);
    const before = heap();
    await fire((FRAMES * 3) / 4);
    expect(heap() - before).toBeLessThan(MAX_GROWTH_BYTES);
  });

  test('success: nothing failed unexpectedly, and the log has no secret', () => {
    const lines = server.logged().split('\n');
    const failures = lines.filter((line) => line.includes('unexpected error'));
    expect([...new Set(failures.map((line) => String(JSON.parse(line).err?.stack).slice(0, 300)))]).toEqual(
      [],
    );
    const codes = lines.filter((line) => line.includes('EPP command')).map((line) => JSON.parse(line).code);
    // Not all frames are refused by the parser: some reach the rules.
    expect(new Set(codes)).toEqual(new Set([...codes, 1000, 2001, 2002, 2003, 2201, 2303, 2306]));
    for (const secret of [...SECRETS, 'alpha-sandbox-password'])
      expect(lines.filter((line) => line.includes(secret)).slice(0, 1)).toEqual([]);
  });
});
