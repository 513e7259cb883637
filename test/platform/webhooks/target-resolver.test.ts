import { describe, test } from 'vitest';
import { TargetResolver } from '../../../src/platform/webhooks/target-resolver.ts';
import { NameServer, type Records } from '../../support/name-server.ts';
import { expect } from '../../support/this-test.ts';

/** Longer than any test: what depends on it shows by the order of events. */
const LONG_MS = 600_000;
const SILENT: Records = { silent: ['A', 'AAAA'] };
const ofName = (...addresses: string[]): Records => ({ addresses });

async function started(names: Readonly<Record<string, Records>>, timeoutMs = LONG_MS) {
  const server = await NameServer.start(names);
  const resolver = new TargetResolver({ servers: [server.address], timeoutMs });
  const never = new AbortController().signal;
  const resolve = (host: string, owner = 1, signal = never) => resolver.resolve(host, { owner, signal });
  const addresses = async (host: string, owner = 1) =>
    (await resolve(host, owner)).map(({ address, family }) => `${address} ${family}`);
  return { server, resolve, addresses };
}
/** A query is repeated when no answer has come for a while. */
const asked = ({ asked: queries }: NameServer) => [...new Set(queries)].sort();

describe.concurrent('the resolution of a name that somebody else chose', () => {
  test('success: addresses of both families, of one, and where the servers keep silent about one', async () => {
    const { addresses } = await started({
      'both.example': ofName('2001:db8::1', '192.0.2.1', '192.0.2.2'),
      'old.example': ofName('192.0.2.1'),
      'new.example': ofName('2001:db8::1'),
    });
    expect(await addresses('both.example')).toEqual(['192.0.2.1 4', '192.0.2.2 4', '2001:db8::1 6']);
    expect(await addresses('old.example')).toEqual(['192.0.2.1 4']);
    expect(await addresses('new.example')).toEqual(['2001:db8::1 6']);
    const names = { 'half.example': { addresses: ['192.0.2.1'], silent: ['AAAA'] } } as const;
    const impatient = await started(names, 3_000);
    expect(await impatient.addresses('half.example')).toEqual(['192.0.2.1 4']);
  });

  test('success: localhost is this machine, and no server is asked', async () => {
    const { server, addresses } = await started({});
    for (const host of ['localhost', 'LOCALHOST.', 'hooks.localhost'])
      expect(await addresses(host)).toEqual(['127.0.0.1 4', '::1 6']);
    expect(server.asked).toEqual([]);
  });

  test('failure: a name that does not exist, has no address, or cannot be one', async () => {
    const { resolve } = await started({ 'empty.example': {} });
    await expect(resolve('unknown.example')).rejects.toMatchObject({ code: 'ENOTFOUND' });
    await expect(resolve('empty.example')).rejects.toMatchObject({ code: 'ENODATA' });
    await expect(resolve('a..example')).rejects.toMatchObject({ code: 'EBADNAME' });
  });

  test('failure: a name with thousands of addresses; sixty-four are accepted', async () => {
    const many = (count: number) =>
      ofName(...Array.from({ length: count }, (_, index) => `192.0.${index >> 8}.${index & 255}`));
    const { resolve } = await started({ 'huge.example': many(4_000), 'large.example': many(64) });
    await expect(resolve('huge.example')).rejects.toThrow('too many addresses');
    expect(await resolve('large.example')).toHaveLength(64);
  });

  test('failure: servers that never answer, after a while; the place is free then', async () => {
    const names = { 'silent.example': SILENT, 'good.example': ofName('192.0.2.1') };
    const { resolve, addresses } = await started(names, 2_000);
    const hanging = resolve('silent.example');
    const next = addresses('good.example');
    await expect(hanging).rejects.toMatchObject({ code: 'ECANCELLED' });
    expect(await next).toEqual(['192.0.2.1 4']);
  });

  test('success: one name of an owner at a time; other owners are not delayed', async () => {
    const names = { 'silent.example': SILENT, 'good.example': ofName('192.0.2.1') };
    const { server, resolve, addresses } = await started(names);
    const given = new AbortController();
    const hanging = expect(resolve('silent.example', 1, given.signal)).rejects.toThrow('given up');
    const waiting = addresses('good.example', 1);
    await expect.poll(() => server.asked.length).toBeGreaterThan(1);
    expect(await addresses('good.example', 2)).toEqual(['192.0.2.1 4']);
    // One query per family of the other owner, and none yet of this one.
    expect(server.asked.filter((query) => query.endsWith('good.example'))).toHaveLength(2);
    given.abort(new Error('given up'));
    await hanging;
    expect(await waiting).toEqual(['192.0.2.1 4']);
  });

  test('success: of one owner and name there is one resolution, which lasts as long as somebody waits for it', async () => {
    const { server, resolve } = await started({
      'silent.example': SILENT,
      'good.example': ofName('192.0.2.1'),
    });
    const [first, second] = [new AbortController(), new AbortController()];
    const given = [first, second].map(({ signal }) =>
      expect(resolve('silent.example', 1, signal)).rejects.toThrow('given up'),
    );
    const after = resolve('good.example');
    await expect.poll(() => server.asked.length).toBeGreaterThan(1);
    first.abort(new Error('given up'));
    await given[0];
    expect(asked(server)).toEqual(['A silent.example', 'AAAA silent.example']);
    second.abort(new Error('given up'));
    await given[1];
    expect(await after).toHaveLength(1);
  });

  test('failure: nobody gets an answer who has left, neither under way nor in the queue nor before', async () => {
    const { server, resolve } = await started({
      'silent.example': SILENT,
      'good.example': ofName('192.0.2.1'),
    });
    const [running, queued] = [new AbortController(), new AbortController()];
    const outcomes = [
      expect(resolve('silent.example', 1, running.signal)).rejects.toThrow('left'),
      expect(resolve('good.example', 1, queued.signal)).rejects.toThrow('left'),
    ];
    for (const left of [queued, running]) left.abort(new Error('left'));
    await Promise.all(outcomes);
    await expect(resolve('good.example', 1, queued.signal)).rejects.toThrow('left');
    expect(server.asked.filter((query) => query.endsWith('good.example'))).toEqual([]);
    expect(await resolve('good.example')).toHaveLength(1);
  });

  test('success: no more than sixty-four at once over all owners', async () => {
    const names = Object.fromEntries(
      Array.from({ length: 66 }, (_, index) => [`silent${index}.example`, SILENT]),
    );
    const { server, resolve } = await started({ ...names, 'good.example': ofName('192.0.2.1') });
    const leaving = new AbortController();
    const outcomes = Object.keys(names).map((host, owner) =>
      expect(resolve(host, owner, leaving.signal)).rejects.toThrow('left'),
    );
    await expect.poll(() => asked(server).length).toBe(128);
    const late = resolve('good.example', 1_000);
    expect(asked(server)).toHaveLength(128);
    leaving.abort(new Error('left'));
    await Promise.all(outcomes);
    expect(await late).toHaveLength(1);
    expect(asked(server)).toHaveLength(130);
  });
});
