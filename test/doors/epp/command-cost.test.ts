import { expect, test } from 'vitest';
import { costOf } from '../../../src/doors/epp/command-cost.ts';
import { readRequest } from '../../../src/doors/epp/epp-request.ts';
import { parseXml } from '../../../src/doors/epp/xml/parse.ts';
import { type EppCommand, envelope, fee, poll } from '../../support/epp-frames.ts';
import { objectCommands } from '../../support/epp-objects.ts';

const { domain, contact } = objectCommands('ietf');
const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `a${index}.ee`);
const fees = (count: number): string => fee.check(Array.from({ length: count }, () => ({ name: 'create' })));

async function cost(command: EppCommand, extensions: readonly string[] = [], bytes = 1_000): Promise<number> {
  const request = readRequest(await parseXml(Buffer.from(envelope(command, extensions))));
  if (request.kind !== 'command') throw new Error('no command');
  return costOf(request, bytes);
}

test('success: a command counts once, and a check once for each 20 objects', async () => {
  expect(await cost(poll.request)).toBe(1);
  expect(await cost(domain.info('a.ee'))).toBe(1);
  expect(await cost(domain.check(...names(20)))).toBe(1);
  expect(await cost(domain.check(...names(21)))).toBe(2);
  expect(await cost(contact.check(...names(1_000)))).toBe(50);
});

test('success: with fees it counts by its names and its commands', async () => {
  expect(await cost(domain.check(...names(5)), [fees(4)])).toBe(1);
  expect(await cost(domain.check(...names(100)), [fees(4)])).toBe(20);
});

test('success: what is refused as too large counts as the largest check', async () => {
  expect(await cost(domain.check(...names(1_000)), [fees(20)])).toBe(250);
  expect(await cost({ body: '<check/>' })).toBe(1);
});

test('success: a frame counts once more for each 256 KiB', async () => {
  expect(await cost(domain.info('a.ee'), [], 262_143)).toBe(1);
  expect(await cost(domain.info('a.ee'), [], 262_144)).toBe(2);
  expect(await cost(domain.check(...names(21)), [], 12 * 1024 * 1024)).toBe(50);
});
