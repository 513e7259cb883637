import { expect, test } from 'vitest';
import { mostElements } from '../../../src/doors/epp/frame-elements.ts';
import { NotWellFormed, parseXml } from '../../../src/doors/epp/xml/parse.ts';

const IETF = 'urn:ietf:params:xml:ns:epp-1.0';
const EE = 'https://epp.tld.ee/schema/epp-ee-1.0.xsd';
const junk = (count: number): string => '<a/>'.repeat(count);
const parse = (text: string) => parseXml(Buffer.from(text), mostElements);
const frame = (content: string, envelope = IETF): string => `<epp xmlns="${envelope}">${content}</epp>`;
const command = (content: string, envelope?: string): string =>
  frame(`<command>${content}</command>`, envelope);

/** Its number of elements in all is the one that is given. */
const frames: readonly (readonly [string, number, (count: number) => string])[] = [
  ['hello', 64, (count) => frame(`<hello>${junk(count - 2)}</hello>`)],
  ['something after hello', 64, (count) => frame(`<hello/>${junk(count - 2)}`)],
  ['an answer', 64, (count) => frame(`<response>${junk(count - 2)}</response>`)],
  ['an empty envelope', 64, (count) => frame(junk(count - 1))],
  ['poll', 64, (count) => command(`<poll op="req">${junk(count - 3)}</poll>`)],
  ['logout', 64, (count) => command(`<logout>${junk(count - 3)}</logout>`)],
  ['an extension of poll', 64, (count) => command(`<poll/><extension>${junk(count - 4)}</extension>`)],
  ['a command of commands', 64, (count) => command(junk(count - 2))],
  ['transaction ids', 64, (count) => command('<clTRID/>'.repeat(count - 2))],
  ['info', 64, (count) => command(`<info>${junk(count - 3)}</info>`)],
  ['a check behind info', 64, (count) => command(`<info/><check>${junk(count - 4)}</check>`)],
  ['login', 256, (count) => command(`<login>${junk(count - 3)}</login>`)],
  ['create', 2_000, (count) => command(`<create>${junk(count - 3)}</create>`)],
  ['update', 2_000, (count) => command(`<update>${junk(count - 3)}</update>`)],
  ['update in .ee', 2_000, (count) => command(`<update>${junk(count - 3)}</update>`, EE)],
  ['check', 20_000, (count) => command(`<clTRID/><check>${junk(count - 4)}</check>`)],
  ['a check in another envelope', 64, (count) => command(`<check>${junk(count - 3)}</check>`, 'urn:x')],
  ['a check of another namespace', 64, (count) => command(`<check xmlns="urn:x">${junk(count - 3)}</check>`)],
  ['another document', 64, (count) => `<a>${junk(count - 1)}</a>`],
];

test.each(frames)('success: %s may have %i elements', async (_, most, of) => {
  await expect(parse(of(most))).resolves.toBeDefined();
});

test.each(frames)('failure: %s has more than %i elements', async (_, most, of) => {
  await expect(parse(of(most + 1))).rejects.toBeInstanceOf(NotWellFormed);
});

test('failure: nothing is read behind the first element too many', async () => {
  await expect(parse(`${frame(`<hello>${junk(100)}`)}<<<`)).rejects.toThrow('it has too many elements');
});
