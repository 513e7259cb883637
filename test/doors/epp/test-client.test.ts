import { afterEach, describe, expect, test } from 'vitest';
import { ConnectionClosed, EppClient } from '../../support/epp.ts';
import { poll } from '../../support/epp-frames.ts';
import { schemaViolations } from '../../support/epp-schemas.ts';
import { response, startScriptedServer } from '../../support/scripted-epp-server.ts';

const idOf = (frame: string): string => /<clTRID>(.*)<\/clTRID>/.exec(frame)?.[1] ?? '';
const open: { stop: () => Promise<void> }[] = [];
async function connected(answer: (frame: string) => string | undefined): Promise<EppClient> {
  const server = await startScriptedServer(answer);
  const client = await EppClient.connect(server);
  open.push({ stop: () => client.close() }, server);
  return client;
}

afterEach(async () => {
  for (const { stop } of open.splice(0)) await stop();
});

describe('the EPP client of the tests', () => {
  test('success: it reads the greeting and the elements of an answer', async () => {
    const queue = '<msgQ count="2" id="7"><qDate>2026-01-02T03:04:05Z</qDate><msg>Moved</msg></msgQ>';
    const client = await connected((frame) => response(idOf(frame), 1301, queue));
    expect(client.greeting.texts('svcMenu/objURI')).toHaveLength(2);
    const answer = await client.command(poll.request);
    expect({ code: answer.code, clTRID: answer.clTRID, svTRID: answer.svTRID }).toEqual({
      code: 1301,
      clTRID: 'TEST-1',
      svTRID: 'SV-1',
    });
    expect([answer.attribute('msgQ', 'id'), answer.text('msgQ/msg')]).toEqual(['7', 'Moved']);
  });

  test('success: a password too long for the command is sent by loginSec, in a valid frame', async () => {
    const sent: string[] = [];
    const client = await connected((frame) => {
      sent.push(frame);
      return response(idOf(frame));
    });
    await client.logIn('registrar', 'a password of 24 letters', { newPassword: 'another & better one' });
    await client.logIn('registrar', 'short one');
    expect(sent[0]).toContain('<pw>[LOGIN-SECURITY]</pw><newPW>[LOGIN-SECURITY]</newPW>');
    expect(sent[0]).toContain('<loginSec:pw>a password of 24 letters</loginSec:pw>');
    expect(sent[1]).toContain('<pw>short one</pw>');
    expect(await Promise.all(sent.map(schemaViolations))).toEqual([[], []]);
  });

  test('success: answers to frames that were sent together come in order', async () => {
    const client = await connected((frame) => response(idOf(frame)));
    const frame = (id: string) =>
      `<epp xmlns="urn:ietf:params:xml:ns:epp-1.0"><command><logout/><clTRID>${id}</clTRID></command></epp>`;
    for (const id of ['first', 'second', 'third']) client.write(frame(id));
    const ids = [await client.answer(), await client.answer(), await client.answer()].map(
      ({ clTRID }) => clTRID,
    );
    expect(ids).toEqual(['first', 'second', 'third']);
  });

  test('failure: an answer that violates the schemas, or belongs to another command', async () => {
    const client = await connected((frame) =>
      frame.includes('logout') ? response(idOf(frame), 1234) : response('OTHER'),
    );
    await expect(client.logOut()).rejects.toThrow(/The answer is invalid:(.|\n)*1234/);
    await expect(client.command(poll.request)).rejects.toThrow('The answer to TEST-2 has the clTRID OTHER');
  });

  test('failure: the server closes instead of answering', async () => {
    const client = await connected(() => undefined);
    await expect(client.hello()).rejects.toThrow(ConnectionClosed);
    await client.closed();
  });
});
