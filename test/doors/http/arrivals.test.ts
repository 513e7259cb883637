import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import v8 from 'node:v8';
import vm from 'node:vm';
import { expect, test } from 'vitest';
import { Arrivals } from '../../../src/doors/http/arrivals.ts';

v8.setFlagsFromString('--expose-gc');
const collectGarbage = vm.runInNewContext('gc') as () => void;

const STRANGER = { bucket: '192.0.2.1', user: undefined };
const socketOf = () => new EventEmitter() as Socket;

test('success: strangers and users are served, each in a later turn', async () => {
  const served: string[] = [];
  const arrivals = new Arrivals();
  arrivals.serveInTurn(socketOf(), STRANGER, () => served.push('stranger'));
  arrivals.serveInTurn(socketOf(), { bucket: '192.0.2.2', user: 'ALPHA' }, () => served.push('user'));
  expect(served).toEqual([]);
  await expect.poll(() => served.toSorted()).toEqual(['stranger', 'user']);
});

test('failure: what closes before its turn is not served, and not kept until then', async () => {
  const arrivals = new Arrivals();
  const served: string[] = [];
  const arrive = (): WeakRef<Socket> => {
    const socket = socketOf();
    arrivals.serveInTurn(socket, STRANGER, () => served.push(socket.remoteAddress ?? 'unknown'));
    return new WeakRef(socket);
  };
  const [waiting, closed] = [arrive(), arrive()];
  closed.deref()?.emit('close');
  // A weak reference holds its object until the end of the task; no turn has come by then.
  for (let task = 0; task < 3; task++) await new Promise<void>((resolve) => process.nextTick(resolve));
  collectGarbage();
  expect(served).toEqual([]);
  expect([waiting.deref() !== undefined, closed.deref()]).toEqual([true, undefined]);
  await expect.poll(() => served).toEqual(['unknown']);
});
