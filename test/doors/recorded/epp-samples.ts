import { KEY, OTHER_KEY } from '../../support/domains.ts';
import { type EppCommand, eis, type Key } from '../../support/epp-frames.ts';
import type { ContactFields, objectCommands } from '../../support/epp-objects.ts';

export type Request = readonly [command: EppCommand, ...extensions: string[]];
export type Commands = ReturnType<typeof objectCommands>;

export const CODE = 'a-transfer-code';
export const MARI = { type: 'priv', cc: 'EE', code: '60001019906' };
export const JAAN = { type: 'priv', cc: 'EE', code: '37605030299' };
export const FIRM = { type: 'org', cc: 'EE', code: '12345678' };
export const ident = (of: typeof MARI): string => eis({ ident: of });
export const PERSON: ContactFields = {
  name: 'Mari Maasikas',
  voice: '+372.5551234',
  email: 'mari@example.ee',
};
export const ADDRESS = {
  street: ['Pikk 1', '2. korrus'],
  city: 'Tallinn',
  sp: 'Harjumaa',
  pc: '10123',
  cc: 'EE',
};
export const HOSTS = ['ns1.example.net', 'ns2.example.net', 'ns3.example.net'];
const keyOf = ({ flags, protocol, alg, public_key: publicKey }: typeof KEY): Key => ({
  flags,
  protocol,
  alg,
  publicKey,
});
export const KEY_DATA = keyOf(KEY);
export const OTHER_KEY_DATA = keyOf(OTHER_KEY);
/** More than a domain may have. */
export const TEN_KEYS: readonly Key[] = Array.from('QRSTUVWXYZ', (letter) => ({
  ...KEY_DATA,
  publicKey: `${'A'.repeat(85)}${letter}==`,
}));
export const DOCUMENT = { type: 'pdf', base64: Buffer.alloc(4_000, 'x').toString('base64') };
export const disclose = (flag: string, content: string): string =>
  `<contact:disclose flag="${flag}">${content}</contact:disclose>`;
/** More contacts, so that there are more than a domain may have in one role. */
export const FURTHER_CONTACTS = ['tec0', 'tec1', 'tec2', 'tec3', 'tec4'];
export const ELEVEN_CONTACTS = ['mari', 'jaan', 'spare', 'firm', 'kid', 'open', ...FURTHER_CONTACTS];
