import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { XmlElement } from '../../../src/doors/epp/xml/element.ts';
import { NotWellFormed, parseXml } from '../../../src/doors/epp/xml/parse.ts';
import { type Markup, xml } from '../../../src/doors/epp/xml/write.ts';
import { Deadline, DeadlineExceeded } from '../../../src/platform/concurrency/deadline.ts';
import { withDeadline } from '../../../src/platform/work-scope.ts';
import { anyCharacter } from '../../support/any-character.ts';

const MIB = 1024 * 1024;
const parse = (text: string): Promise<XmlElement> => parseXml(Buffer.from(text));
const element = (name: string, rest: Partial<XmlElement> = {}): XmlElement => ({
  namespace: '',
  name,
  attributes: {},
  children: [],
  text: '',
  ...rest,
});
const utf16 = (text: string, order: 'le' | 'be'): Buffer => {
  const bytes = Buffer.from(text, 'utf16le');
  return order === 'le' ? bytes : bytes.swap16();
};

test('success: namespaces are resolved with any prefix; attributes of other namespaces are left out', async () => {
  const root = await parse(`<?xml version="1.0" encoding="UTF-8" standalone="no"?>
    <!-- a comment --><e:epp xmlns:e="urn:epp" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
    xsi:schemaLocation="urn:epp epp.xsd"><hello xmlns="urn:other" a="1" xml:lang="et"/><e:plain/></e:epp>`);
  expect(root).toMatchObject({ namespace: 'urn:epp', name: 'epp', attributes: {}, text: '' });
  expect(root.children).toEqual([
    element('hello', { namespace: 'urn:other', attributes: { a: '1', lang: 'et' } }),
    element('plain', { namespace: 'urn:epp' }),
  ]);
});

test('success: text is kept as sent, with CDATA, references and text around child elements', async () => {
  expect(await parse('<a> x<![CDATA[<&]]>&lt;&#x41;<!-- not this --><b>y</b>\r\nz </a>')).toEqual(
    element('a', { text: ' x<&<A\nz ', children: [element('b', { text: 'y' })] }),
  );
});

test.each([
  ['UTF-8 with a byte order mark', Buffer.from('\u{FEFF}<a>õ😀</a>')],
  [
    'UTF-16LE with a byte order mark',
    utf16('\u{FEFF}<?xml version="1.0" encoding="UTF-16"?><a>õ😀</a>', 'le'),
  ],
  ['UTF-16BE with a byte order mark', utf16('\u{FEFF}<a>õ😀</a>', 'be')],
  ['UTF-16LE without one', utf16('<?xml version="1.0" encoding="utf-16le"?><a>õ😀</a>', 'le')],
  ['UTF-16BE without one', utf16('<?xml version="1.0" encoding="UTF-16"?><a>õ😀</a>', 'be')],
])('success: %s is read', async (_, bytes) => {
  expect((await parseXml(bytes)).text).toBe('õ😀');
});

test('success: characters that are split between chunks are decoded, in both encodings', async () => {
  const text = '€😀õx'.repeat(30_000);
  expect((await parse(`<a>${text}</a>`)).text).toBe(text);
  expect((await parse(`<ab>${text}</ab>`)).text).toBe(text);
  expect((await parseXml(utf16(`<a>${text}</a>`, 'be'))).text).toBe(text);
});

const bomb = `<!DOCTYPE a [<!ENTITY b "bb"><!ENTITY c "&b;&b;&b;&b;">]><a>&c;</a>`;
const nested = (depth: number): string => '<a>'.repeat(depth) + '</a>'.repeat(depth);
const withAttributes = (count: number): string =>
  `<a ${Array.from({ length: count }, (_, index) => `a${index}=""`).join(' ')}/>`;

test.each([
  ['nothing', ''],
  ['white space only', ' \n '],
  ['text only', 'hello'],
  ['an unclosed element', '<a><b></b>'],
  ['a wrong closing tag', '<a><b></a></b>'],
  ['a second root', '<a/><a/>'],
  ['text after the root', '<a/>x'],
  ['CDATA after the root', '<a/><![CDATA[x]]>'],
  ['a document type declaration', '<!DOCTYPE a><a/>'],
  ['one with an external entity', '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>'],
  ['an entity bomb', bomb],
  ['a processing instruction', '<a><?php x?></a>'],
  ['a style sheet', '<?xml-stylesheet href="a"?><a/>'],
  ['an undeclared entity', '<a>&nbsp;</a>'],
  ['an entity with the name of a property', '<a>&constructor;</a>'],
  ['an undeclared prefix', '<b:a/>'],
  ['a prefix with the name of a property', '<constructor:a/>'],
  ['an undeclared prefix of an attribute', '<a b:c="1"/>'],
  ['a duplicate attribute', '<a b="1" b="2"/>'],
  ['one by two prefixes', '<a xmlns:b="urn:x" xmlns:c="urn:x" b:d="1" c:d="2"/>'],
  ['an unquoted attribute', '<a b=1/>'],
  ['a < in an attribute', '<a b="<"/>'],
  ['a control character', '<a>\u0001</a>'],
  ['a reference to one', '<a>&#1;</a>'],
  ['one in XML 1.1', '<?xml version="1.1"?><a>&#1;</a>'],
  ['a reference to a lone surrogate', '<a>&#xD83D;&#xDE00;</a>'],
  ['a reference out of range', '<a>&#x110000;</a>'],
  [']]> in text', '<a>]]></a>'],
  ['-- in a comment', '<a><!-- -- --></a>'],
  ['an unterminated comment', `<a><!--${'x'.repeat(MIB)}`],
  ['a declaration that is not first', ' <?xml version="1.0"?><a/>'],
  ['another encoding', '<?xml version="1.0" encoding="ISO-8859-1"?><a/>'],
  ['UTF-16 that is declared and not used', '<?xml version="1.0" encoding="UTF-16"?><a/>'],
  ['a depth of 33', nested(33)],
  ['a depth of 100,000', nested(100_000)],
  ['33 attributes', withAttributes(33)],
  ['100,000 attributes', withAttributes(100_000)],
  ['20,032 attributes', `<a>${withAttributes(32).repeat(626)}</a>`],
  ['a tag above 4 KiB', `<${'a'.repeat(4_097)}/>`],
  ['one with spaces', `<a${' '.repeat(4_097)}b=""/>`],
  ['20,001 elements', `<a>${'<b/>'.repeat(20_000)}</a>`],
  ['a document type declaration of 1 MiB', `<!DOCTYPE a [${'<!ENTITY b "c">'.repeat(70_000)}]><a/>`],
  ['2 MiB of references', `<a>${'&lt;'.repeat(MIB / 2)}</a>`],
  ['2 KiB of a comment in pieces', `<a><!--${'- '.repeat(1_024)}--></a>`],
  ['2 KiB of comments', `<a>${'<!--a-->'.repeat(300)}</a>`],
  ['a comment that seems to end at once', `<a><!-->${'- '.repeat(1_024)}--></a>`],
  ['2 KiB of an instruction in pieces', `<?xml ${'?'.repeat(2_048)}?><a/>`],
  ['an attribute above 4 KiB', `<a b="${'x'.repeat(4_097)}"/>`],
  ['one that contains the other quotation mark', `<a b='"${'x'.repeat(4_097)}'/>`],
  ['attributes of 2 MiB of white space', `<a>${`<b c="${'\t'.repeat(4_000)}"/>`.repeat(MIB / 2_000)}</a>`],
])('failure: %s is refused', async (_, text) => {
  await expect(parse(text)).rejects.toBeInstanceOf(NotWellFormed);
});

test.each([
  ['a byte that is not UTF-8', Buffer.from([...Buffer.from('<a>'), 0xff, ...Buffer.from('</a>')])],
  ['an overlong form', Buffer.from([...Buffer.from('<a>'), 0xc0, 0xbc, ...Buffer.from('</a>')])],
  ['a surrogate in UTF-8', Buffer.from([...Buffer.from('<a>'), 0xed, 0xa0, 0x80, ...Buffer.from('</a>')])],
  ['a lone surrogate in UTF-16', utf16('\u{FEFF}<a>\u{D83D}</a>', 'le')],
  ['a truncated unit of UTF-16', utf16('\u{FEFF}<a></a>', 'le').subarray(0, -1)],
  ['UTF-16 that is declared as UTF-8', utf16('\u{FEFF}<?xml version="1.0" encoding="UTF-8"?><a/>', 'be')],
  ['UTF-32', Buffer.from('fffe00003c000000610000002f0000003e000000', 'hex')],
  ['a late byte that is not UTF-8', Buffer.concat([Buffer.from(`<a>${'x'.repeat(MIB)}`), Buffer.of(0x80)])],
])('failure: %s is refused', async (_, bytes) => {
  await expect(parseXml(bytes)).rejects.toBeInstanceOf(NotWellFormed);
});

test('success: the bounds themselves are accepted', async () => {
  await expect(parse(nested(32))).resolves.toMatchObject({ name: 'a' });
  expect(Object.keys((await parse(withAttributes(32))).attributes)).toHaveLength(32);
  expect((await parse(`<a>${withAttributes(32).repeat(625)}</a>`)).children).toHaveLength(625);
  expect((await parse(`<${'a'.repeat(4_090)}/>`)).name).toHaveLength(4_090);
  expect((await parse(`<a>${'<b/>'.repeat(19_999)}</a>`)).children).toHaveLength(19_999);
  expect((await parse(`<a><!--${'x'.repeat(1_000)}-->b</a>`)).text).toBe('b');
  expect((await parse(`<a b="${'x'.repeat(4_095)}"/>`)).attributes.b).toHaveLength(4_095);
});

test('success: a document of 8 MiB, in lines or not, is parsed while other work goes on', async () => {
  let turns = 0;
  const count = (): void => {
    turns += 1;
    counting = setImmediate(count);
  };
  let counting = setImmediate(count);
  const whole = 'QUJD'.repeat(2 * MIB);
  const lines = `${'QUJD'.repeat(16)}\r\n`.repeat(MIB / 8);
  expect((await parse(`<a>${whole}</a>`)).text.length).toBe(whole.length);
  expect((await parse(`<a>${lines}</a>`)).text.length).toBe(lines.length - MIB / 8);
  clearImmediate(counting);
  expect(turns).toBeGreaterThan((16 * MIB) / 65_536);
});

test('success: of many documents one is parsed in each turn', async () => {
  const [first, second] = [MIB, MIB].map((bytes) => parse(`<a>${'x'.repeat(bytes)}</a>`));
  const slices = (2 * MIB) / 32_768;
  let [turns, isDone] = [0, false];
  const done = Promise.all([first, second]).finally(() => {
    isDone = true;
  });
  for (; !isDone; turns += 1) await turn();
  expect((await done).map((root) => root?.text.length)).toEqual([MIB, MIB]);
  expect(turns).toBeGreaterThan(slices);
});

test('failure: the document of a client that has left is not parsed to its end', async () => {
  const deadline = Deadline.in(60_000);
  const parsing = withDeadline(deadline, () => parse(`<a>${'x'.repeat(MIB)}`));
  await turn();
  deadline.abandon();
  await expect(parsing).rejects.toBeInstanceOf(DeadlineExceeded);
});

test('property: what looks like markup in text, attributes and CDATA is neither counted as a comment nor hides one', async () => {
  const piece = fc.constantFrom(
    'x',
    '>',
    '--',
    ']]&gt;',
    "'",
    '&lt;!--',
    '<b c=">"/>',
    '<b c="&lt;!--"/>',
    "<b c='\"--'/>",
    '<![CDATA[<!-- ]] <? "]]>',
    '<!-- " \' ]]> <b> -->',
  );
  const comment = `<!--${'y'.repeat(1_100)}-->`;
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 12 }), async (pieces) => {
      const text = pieces.join('');
      await expect(parse(`<a>${text}</a>`)).resolves.toMatchObject({ name: 'a' });
      await expect(parse(`<a>${text}${comment}</a>`)).rejects.toThrow(/comments/);
    }),
  );
});

const anyText = fc.string({
  unit: fc.oneof(
    fc.constantFrom(...'<>&"\'\t\n\r]\u0000\u{D800}'),
    fc.string({ unit: anyCharacter, minLength: 1, maxLength: 1 }),
  ),
});
/** What XML cannot represent. */
const representable = (text: string): string =>
  [...text].map((each) => (isRepresentable(each.codePointAt(0) ?? 0) ? each : '\u{FFFD}')).join('');
const isRepresentable = (code: number): boolean =>
  [0x9, 0xa, 0xd].includes(code) ||
  (code >= 0x20 && code < 0xd800) ||
  (code >= 0xe000 && code < 0xfffe) ||
  code > 0xffff;

test('success: written values are read back unchanged, in elements and attributes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(anyText, anyText), { maxLength: 5 }), async (pairs) => {
      const written = xml`<a>${pairs.map(([key, value]) => xml`<b c="${key}" d="x${value}">${value}</b>`)}</a>`;
      const read = await parse(String(written));
      expect(read.children).toEqual(
        pairs.map(([key, value]) =>
          element('b', {
            attributes: { c: representable(key), d: `x${representable(value)}` },
            text: representable(value),
          }),
        ),
      );
    }),
    { seed: 21, numRuns: 300 },
  );
});

test('success: numbers are written, markup is inserted, and absent values are left out', () => {
  const some: Markup = xml`<b>${'<'}</b>`;
  const none = undefined as string | undefined;
  expect(String(xml`<a c="${1}">${some}${none}${null}${false}${[some, none, [2n]]}</a>`)).toBe(
    '<a c="1"><b>&lt;</b><b>&lt;</b>2</a>',
  );
});
