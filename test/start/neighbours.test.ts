import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { cadastre } from '../support/cadastre.ts';
import { placeOfData } from '../support/global-setup.ts';
import { makeHome } from '../support/prepared-home.ts';
import {
  getContact,
  homeForThisTest,
  postContact,
  postmasterOf,
  removeHome,
  sandboxOn,
} from './processes.ts';

/** One for both, since creating a database takes longest. */
const home = makeHome(placeOfData());
afterAll(() => removeHome(home));

describe('several sandboxes', () => {
  test('success: two sandboxes with data directories of their own are independent; failure: a third on a directory in use', async () => {
    const other = homeForThisTest();
    const [one, two] = await Promise.all([sandboxOn(home), sandboxOn(other)]);
    expect(one.url).not.toBe(two.url);
    expect((await postContact(one.url, 'only-in-one')).status).toBe(200);
    expect((await getContact(one.url, 'only-in-one')).status).toBe(200);
    expect((await getContact(two.url, 'only-in-one')).status).toBe(404);

    const third = await cadastre(['sandbox'], { env: { CADASTRE_HOME: home, PORT: '0', METRICS_PORT: '0' } });
    expect(third).toEqual({
      code: 1,
      stdout: '',
      stderr: `The data directory ${home} is in use by process ${one.pid}.\n`,
    });
    expect((await fetch(`${one.url}/health`)).status).toBe(200);
    const registrars = await cadastre(['registrar', 'list', '--json'], { env: { CADASTRE_HOME: home } });
    expect(JSON.parse(registrars.stdout)).toContainEqual(
      expect.objectContaining({ code: 'ALPHA', contacts: 1 }),
    );
  });

  test('failure: a port in use, for the API or for metrics, ends the start and leaves no database running', async () => {
    const portHolder = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void portHolder.close());
    await new Promise((resolve) => portHolder.once('listening', resolve));
    const taken = String((portHolder.address() as AddressInfo).port);
    for (const ports of [
      { PORT: taken, METRICS_PORT: '0' },
      { PORT: '0', METRICS_PORT: taken },
    ]) {
      const [name] = Object.entries(ports).find(([, port]) => port === taken) ?? [];
      const outcome = await cadastre(['sandbox'], { env: { CADASTRE_HOME: home, ...ports } });
      expect(outcome).toMatchObject({ code: 1, stdout: '' });
      expect(outcome.stderr).toMatch(
        new RegExp(`^The port is taken \\(.*${taken}\\)\\. Set ${name} to another one\\.\\n$`),
      );
      expect(postmasterOf(home)).toBeUndefined();
    }
  });
});
