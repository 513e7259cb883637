import { expect, test } from 'vitest';
import { ConnectionTurns } from '../../../src/platform/concurrency/connection-turns.ts';

/** Turns whose time passes only as work takes it, so that none is longer on a busy machine. */
function turnsOfWork() {
  let ms = 0;
  const turns = new ConnectionTurns(() => ms);
  // As long as a turn of any of them, and not so long that a pause follows.
  const takeLong = () => {
    ms += 5;
  };
  return { turns, takeLong };
}

test('success: sessions do not wait for handshakes of their users, nor those for strangers', () => {
  const { turns, takeLong } = turnsOfWork();
  turns.noteLogin('192.0.2.1', 'one');
  const done: string[] = [];
  const run = (address: string, isAuthenticated: boolean, what: string) =>
    turns.run({ address, isAuthenticated }, () => {
      done.push(what);
      takeLong();
    });
  run('192.0.2.9', false, 'stranger');
  run('192.0.2.9', false, 'next stranger');
  run('192.0.2.1', false, 'known');
  run('192.0.2.1', false, 'next known');
  run('192.0.2.1', true, 'session');
  expect(done).toEqual(['stranger', 'known', 'session']);
});

test('success: strangers without a certificate do not wait for those with one', () => {
  const { turns, takeLong } = turnsOfWork();
  const done: string[] = [];
  for (const address of ['192.0.2.1', '192.0.2.2'])
    turns.run({ address, isAuthenticated: false, mayCarryCertificate: true }, () => {
      done.push(`certificate of ${address}`);
      takeLong();
    });
  turns.run({ address: '192.0.2.3', isAuthenticated: false }, () => done.push('none'));
  expect(done).toEqual(['certificate of 192.0.2.1', 'none']);
});

test('success: a user with many addresses has one share of the time of handshakes', async () => {
  const { turns, takeLong } = turnsOfWork();
  for (const address of ['192.0.2.1', '192.0.2.2', '192.0.2.3']) turns.noteLogin(address, 'many');
  turns.noteLogin('192.0.2.4', 'one');
  const done: string[] = [];
  const all = ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4'].map(
    (address) =>
      new Promise<void>((resolve) => {
        turns.run({ address, isAuthenticated: false }, () => {
          done.push(address);
          takeLong();
          resolve();
        });
      }),
  );
  await Promise.all(all);
  expect(done).toEqual(['192.0.2.1', '192.0.2.2', '192.0.2.4', '192.0.2.3']);
});
