import { expect, test } from 'vitest';
import { OpenDoors } from '../../src/app/open-doors.ts';
import type { OpenDoor } from '../../src/doors/door.ts';

/** Doors that note each of their steps. */
function noting() {
  const steps: string[] = [];
  const doorOf = (name: string, drained: Promise<void> = Promise.resolve()): OpenDoor => ({
    drain: async () => {
      steps.push(`drain ${name}`);
      await drained;
    },
    close: async () => void steps.push(`close ${name}`),
  });
  return { steps, doorOf };
}

test('success: all doors are drained at once, and closed in the reverse order when the last one is', async () => {
  const { steps, doorOf } = noting();
  const { promise, resolve } = Promise.withResolvers<void>();
  const open = new OpenDoors();
  open.add('http', doorOf('http', promise));
  open.add('epp', doorOf('epp'));
  open.add('pages', {});
  const closed = open.close();
  expect(steps).toEqual(['drain http', 'drain epp']);
  resolve();
  await closed;
  expect(steps.slice(2)).toEqual(['close epp', 'close http']);
});

test('failure: a door that cannot be drained or closed keeps no other open', async () => {
  const { steps, doorOf } = noting();
  const open = new OpenDoors();
  open.add('http', doorOf('http'));
  open.add('epp', { close: () => Promise.reject(new Error('not closed')) });
  open.add('dns', { ...doorOf('dns'), drain: () => Promise.reject(new Error('not drained')) });
  await expect(open.close()).rejects.toThrow();
  expect(steps).toEqual(['drain http', 'close dns', 'close http']);
});

test('success: changes, new certificates and a reset reach every door that minds them', async () => {
  const reached: string[] = [];
  const open = new OpenDoors();
  open.add('http', { refresh: async () => void reached.push('refresh'), port: 1 });
  open.add('pages', {});
  open.add('epp', { reload: async () => void reached.push('reload'), forget: () => reached.push('forget') });
  open.add('metrics', { url: 'http://127.0.0.1:1/metrics' });
  await open.refresh();
  await open.reload();
  open.forget();
  expect(reached).toEqual(['refresh', 'reload', 'forget']);
  expect([open.portOf('http'), open.portOf('dns')]).toEqual([1, undefined]);
  expect([open.urlOf('metrics'), open.urlOf('http')]).toEqual(['http://127.0.0.1:1/metrics', undefined]);
});
