import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { schemaViolations } from '../../support/epp-schemas.ts';
import { response, startScriptedServer } from '../../support/scripted-epp-server.ts';
import { findNetEpp, type NetEpp, runStory } from '../../support/net-epp.ts';

const netEpp = findNetEpp();
const reason = 'reason' in netEpp ? netEpp.reason : undefined;
if (reason) process.stderr.write(`The tests with Net::EPP are skipped: ${reason}.\n`);

describe.skipIf(reason)('Net::EPP', () => {
  test('failure: a refused login is reported, and the frame of the login is valid', async () => {
    const frames: string[] = [];
    const server = await startScriptedServer((frame) => {
      frames.push(frame);
      return response(/<clTRID>(.*)<\/clTRID>/.exec(frame)?.[1] ?? '', 2200);
    });
    const folder = await mkdtemp(path.join(os.tmpdir(), 'cadastre-test-'));
    const caFile = path.join(folder, 'ca.pem');
    writeFileSync(caFile, server.ca);
    const registrars = [{ user: 'registrar', password: 'a password of 24 letters' }];
    const steps = await runStory(netEpp as NetEpp, {
      host: 'localhost',
      port: server.port,
      ca_file: caFile,
      registrars,
    });
    expect(steps).toEqual([
      {
        step: 'login of registrar',
        code: 2200,
        answer: 'Error logging in (response code 2200, message Done)',
      },
    ]);
    expect(frames).toHaveLength(1);
    expect(await schemaViolations(frames[0] ?? '')).toEqual([]);
    expect(frames[0]).toContain('a password of 24 letters');
    await server.stop();
    await rm(folder, { recursive: true });
  });
});
