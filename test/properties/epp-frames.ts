import fc from 'fast-check';
import { type EppCommand, eis, envelope, fee, poll, restoreRequest, secDns } from '../support/epp-frames.ts';
import { type Dialect, objectCommands } from '../support/epp-objects.ts';
import { strangeText } from './strange-values.ts';

export const OBJECTS = {
  own: { domain: 'fuzz-alpha.ee', contact: 'FUZZ-ALPHA' },
  foreign: { domain: 'fuzz-beta.ee', contact: 'FUZZ-BETA' },
};
/** Secrets that must not be in the log. */
export const SECRETS = ['fuzz-transfer-code', 'fuzz-contact-code', '37605030299'];
const [CODE, CONTACT_CODE, IDENT] = SECRETS as [string, string, string];

const key = { publicKey: Buffer.alloc(64, 3).toString('base64') };
const person = {
  name: 'Mari',
  voice: '+372.5551234',
  email: 'mari@example.ee',
  code: CONTACT_CODE,
  address: { street: ['Pikk 1'], city: 'Tallinn', pc: '10123', cc: 'EE' },
};

/** Valid commands of a dialect, on objects that exist: what is changed in them reaches the rules. */
function commandsOf(dialect: Dialect, { domain: name, contact: id }: typeof OBJECTS.own): string[] {
  const { domain, contact, namespaces } = objectCommands(dialect);
  const nameservers = ['ns.example.org', { name: `ns.${name}`, addresses: ['198.41.0.4', '2001:500:2::c'] }];
  const links = { nameservers, contacts: [{ type: 'tech', id }], statuses: ['clientHold'] };
  const document = { type: 'pdf', base64: Buffer.alloc(4000, 1).toString('base64') };
  const frames: (readonly [EppCommand, ...string[]])[] = [
    [
      domain.check(name, 'fuzz-free.ee'),
      fee.check([{ name: 'create', period: '2y' }, { name: 'renew' }], 'EUR'),
    ],
    [domain.info(name, { hosts: 'all', code: CODE })],
    [
      domain.create({ name: 'fuzz-new.ee', period: '1y', nameservers, registrant: id, code: CODE }),
      secDns.create([key]),
      eis({ legalDocument: document, reservedCode: CODE }),
      fee.agreed('create', '8.00'),
    ],
    [
      domain.update(name, { add: links, rem: links, registrant: id, code: CODE }),
      secDns.update({ rem: [key], add: [key] }),
    ],
    [domain.update(name, {}), restoreRequest],
    [domain.delete(name)],
    [domain.renew(name, '2027-11-17', '1y'), fee.agreed('renew', '8.00', 'EUR')],
    [domain.transfer('request', name, { code: 'wrong', period: '1y' })],
    [domain.transfer('query', name, { code: CODE })],
    [contact.check(id, 'FUZZ-FREE')],
    [contact.info(id, CONTACT_CODE)],
    [contact.create('FUZZ-NEW', person), eis({ ident: { type: 'priv', cc: 'EE', code: IDENT } })],
    [contact.update(id, { add: ['clientUpdateProhibited'], rem: ['clientDeleteProhibited'], chg: person })],
    [contact.delete(id)],
    [{ ...poll.request, envelope: namespaces.envelope }],
    [poll.acknowledge('1')],
    [{ body: '<logout/>', envelope: namespaces.envelope }],
  ];
  return frames.map(([command, ...extensions]) => envelope(command, extensions, 'FUZZ-1'));
}

const valid = (['ietf', 'ee', 'ee-1.1'] as const).flatMap((dialect) =>
  Object.values(OBJECTS).flatMap((objects) => commandsOf(dialect, objects)),
);

/** A document type is refused as a whole; its content must cost nothing. */
const DOCTYPE =
  '<!DOCTYPE a [<!ENTITY b "cccccccccc"><!ENTITY d "&b;&b;&b;&b;&b;&b;&b;&b;"><!ENTITY e SYSTEM "file:///etc/passwd">]>';
const insertions = [
  '<',
  '>',
  '&',
  '&amp;',
  '&e;',
  ']]>',
  '<![CDATA[a]]>',
  '<!-- a -->',
  '<?a b?>',
  '\u0000',
  '\uFFFE',
  '<x/>',
  '<x xmlns="urn:y">z</x>',
  DOCTYPE,
  '<domain:name>a.ee</domain:name>',
  ' xmlns="urn:z"',
  ' foo="1"',
  '<a>'.repeat(40),
  ' '.repeat(5_000),
];

type Change = (frame: string) => string;
const at = (frame: string, share: number) => Math.floor(frame.length * share);
const share = fc.double({ min: 0, max: 1, noNaN: true });
const pick = <T>(list: readonly T[], by: number): T | undefined =>
  list[Math.min(list.length - 1, Math.floor(list.length * by))];

/** One of the matches of a pattern is replaced. */
const replaced = (pattern: RegExp, by: fc.Arbitrary<string>): fc.Arbitrary<Change> =>
  fc.tuple(share, by).map(([where, text]) => (frame) => {
    const match = pick([...frame.matchAll(pattern)], where);
    return match === undefined
      ? frame
      : frame.slice(0, match.index) + text + frame.slice(match.index + match[0].length);
  });
const texts = fc.oneof(
  strangeText,
  fc.constantFrom('', '0', '-1', '99999999999999999999', 'a'.repeat(70_000)),
);
const escaped = texts.map((text) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;'),
);

const changes: fc.Arbitrary<Change> = fc.oneof(
  replaced(/(?<=>)[^<>]+(?=<)/g, escaped),
  replaced(/(?<==")[^"]*(?=")/g, escaped),
  replaced(
    /(?<=<\/?)[\w:]+/g,
    fc.constantFrom('domain:name', 'contact:id', 'epp', 'check', 'x', '', 'xml:lang'),
  ),
  replaced(/<[\w:]+[^>]*>[^<]*<\/[\w:]+>/g, fc.constant('')),
  replaced(
    /xmlns(:\w+)?="[^"]*"/g,
    fc.constantFrom('', 'xmlns="urn:x"', 'xmlns:domain="urn:ietf:params:xml:ns:contact-1.0"'),
  ),
  fc.tuple(share, fc.constantFrom(...insertions)).map(
    ([where, text]) =>
      (frame: string) =>
        frame.slice(0, at(frame, where)) + text + frame.slice(at(frame, where)),
  ),
  fc.tuple(share, share).map(
    ([from, to]) =>
      (frame: string) =>
        frame.slice(0, at(frame, from)) + frame.slice(at(frame, to)),
  ),
  // An element is repeated.
  fc.tuple(share, fc.integer({ min: 1, max: 30 })).map(([where, times]) => (frame: string) => {
    const match = pick([...frame.matchAll(/<([\w:]+)[^>]*>(?:[^<]*|(?:(?!<\1).)*?)<\/\1>/gs)], where);
    return match === undefined
      ? frame
      : frame.slice(0, match.index) + match[0].repeat(times) + frame.slice(match.index);
  }),
);

/** Corrupted bytes of the text. */
const encodings: fc.Arbitrary<(text: string) => Buffer> = fc.oneof(
  { weight: 12, arbitrary: fc.constant((text: string) => Buffer.from(text)) },
  {
    weight: 1,
    arbitrary: fc.constant((text: string) =>
      Buffer.from(`\uFEFF${text.replace('UTF-8', 'UTF-16')}`, 'utf16le'),
    ),
  },
  { weight: 1, arbitrary: fc.constant((text: string) => Buffer.from(text, 'latin1')) },
  {
    weight: 1,
    arbitrary: fc.tuple(share, fc.integer({ min: 0, max: 255 })).map(([where, byte]) => (text: string) => {
      const bytes = Buffer.from(text);
      if (bytes.length > 0) bytes[Math.floor((bytes.length - 1) * where)] = byte;
      return bytes;
    }),
  },
);

/** Frames that began as valid commands. One that is empty would be no frame. */
export const mutatedFrames: fc.Arbitrary<Buffer> = fc
  .tuple(fc.constantFrom(...valid), fc.array(changes, { minLength: 0, maxLength: 4 }), encodings)
  .map(([frame, applied, encode]) => encode(applied.reduce((text, change) => change(text), frame)))
  .filter((bytes) => bytes.length > 0);
