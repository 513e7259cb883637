import { expect, test } from 'vitest';
import { CommandReader } from '../../../src/doors/epp/command-reader.ts';
import { refusedResponse } from '../../../src/doors/epp/response.ts';
import type { XmlElement } from '../../../src/doors/epp/xml/element.ts';

const element = (name: string, text: string, children: readonly XmlElement[] = []): XmlElement => ({
  namespace: 'urn:x',
  name,
  attributes: {},
  children,
  text,
});

function answerTo(refused: XmlElement): string {
  const reader = new CommandReader();
  reader.refuse('unexpectedElement', refused);
  const [refusal] = reader.refusals;
  if (!refusal) throw new Error('nothing was refused');
  return refusedResponse('urn:epp', [refusal], { client: undefined, server: 'id' }, { reader });
}

test('success: a refused element comes back with its content, however much white space was around it', () => {
  const answer = answerTo(element('a', ' '.repeat(2_000), [element('b', `\n${' '.repeat(2_000)}c`)]));
  expect(answer).toContain('<value><a xmlns="urn:x"><b>c</b></a></value>');
});

test('success: of a large element only the beginning is looked at, and its name comes back', () => {
  let looked = 0;
  const child: XmlElement = {
    ...element('b', ''),
    get text() {
      looked += 1;
      return 'x'.repeat(100);
    },
  };
  const answer = answerTo(element('a', '', Array<XmlElement>(10_000).fill(child)));
  expect(answer).toContain('<value><a xmlns="urn:x"/></value>');
  expect(looked).toBeLessThan(200);
});
