import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  childAt,
  readXml,
  schemaViolations,
  textAt,
  writeXml,
  xml,
} from '../../../src/platform/values/xml.ts';

const anything = fc.string({ unit: fc.nat({ max: 0x10ffff }).map((point) => String.fromCodePoint(point)) });

describe('XML', () => {
  test('success: any text round-trips, except for characters that XML cannot represent', async () => {
    await fc.assert(
      fc.asyncProperty(anything, async (text) => {
        const read = await readXml(await writeXml(xml('a', { b: text }, [xml('c', {}, `x${text}`)])));
        const kept = Array.from(text, (letter) => (isHeld(letter) ? letter : '\ufffd')).join('');
        expect([read?.attributes.b, textAt(read, 'c')]).toEqual([kept, `x${kept}`]);
      }),
      { numRuns: 300 },
    );
  });
  const isHeld = (letter: string) => {
    const point = letter.codePointAt(0) ?? 0;
    return (
      [9, 10, 13].includes(point) ||
      (point >= 0x20 && point < 0xd800) ||
      (point > 0xdfff && point < 0xfffe) ||
      point > 0xffff
    );
  };

  test('success: namespaces are declared once, and names are read without their prefix', async () => {
    const text = await writeXml(
      xml('s:A', { 'xmlns:s': 'urn:s', 'xmlns:t': 'urn:t' }, [xml('t:B', { c: '1' }), undefined, xml('D')]),
    );
    expect(text.replace(/\s*\n\s*/g, '')).toBe(
      '<?xml version="1.0" encoding="utf-8"?><s:A xmlns:s="urn:s" xmlns:t="urn:t"><t:B c="1"/><D/></s:A>',
    );
    expect(childAt(await readXml(text), 'B')?.attributes).toEqual({ c: '1' });
  });

  test('success: in whatever encoding it is declared', async () => {
    const bytes = Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?><a>õ</a>', 'latin1');
    expect((await readXml(bytes))?.text).toBe('õ');
    expect((await readXml('<a><![CDATA[<õ>]]></a>'))?.text).toBe('<õ>');
  });

  test.each([
    ['nothing', ''],
    ['words', 'later'],
    ['a truncated document', '<a><b></a>'],
    ['two', '<a/><b/>'],
    ['bytes that are no text', Buffer.from([0x3c, 0x61, 0x3e, 0xff, 0xfe])],
    ['entities that grow', `<!DOCTYPE a [<!ENTITY x "${'y'.repeat(99)}">]><a>&x;</a>`],
    ['a file of this machine', '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>'],
    ['an address', '<!DOCTYPE a SYSTEM "http://127.0.0.1:1/a.dtd"><a/>'],
  ])('failure: %s is no document', async (_what, bytes) => {
    expect(await readXml(bytes)).toBeUndefined();
  });

  test('failure: violations of a schema are reported', async () => {
    const schema = new URL('../../../schemas/e-invoice-1.2.xsd', import.meta.url);
    expect(await schemaViolations('<E_Invoice/>', schema)).toMatch(/Missing child element/);
  });
});
