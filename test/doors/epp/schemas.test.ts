import { describe, expect, test } from 'vitest';
import {
  type EppCommand,
  eis,
  envelope,
  fee,
  poll,
  restoreRequest,
  secDns,
} from '../../support/epp-frames.ts';
import { type Dialect, objectCommands } from '../../support/epp-objects.ts';
import { schemaViolations } from '../../support/epp-schemas.ts';

const key = { publicKey: 'AQPJ////4Q==' };
const person = {
  name: 'Mari Maasikas',
  address: { street: ['Sõle 1'], city: 'Tallinn', pc: '10614', cc: 'EE' },
  voice: '+372.5551234',
  email: 'mari@example.ee',
  code: 'secret1',
};
const { address: _address, ...withoutAddress } = person;
const ident = { type: 'priv', cc: 'EE', code: '48806260018' };
const legalDocument = { type: 'pdf', base64: 'dGVzdA==' };

/** One frame of each command that the tests send. */
function commandsOf(dialect: Dialect): Record<string, readonly [EppCommand, ...string[]]> {
  const { domain, contact } = objectCommands(dialect);
  const nameservers = ['ns.example.org', { name: 'ns.a.ee', addresses: ['192.0.2.1', '2001:db8::1'] }];
  const links = { nameservers, contacts: [{ type: 'tech', id: 'TECH-1' }], statuses: ['clientHold'] };
  const created = { name: 'a.ee', period: '1y', nameservers, registrant: 'REG-1', code: 'transfer' };
  return {
    'domain check': [domain.check('a.ee', 'b.ee'), fee.check([{ name: 'create', period: '2y' }], 'EUR')],
    'domain info': [domain.info('a.ee', { hosts: 'all', code: 'transfer' })],
    'domain create': [
      domain.create({ ...created, contacts: [{ type: 'admin', id: 'ADM-1' }] }),
      secDns.create([key]),
      eis({ legalDocument, reservedCode: 'a&b' }),
      fee.agreed('create', '8.00', 'EUR'),
    ],
    'domain update': [
      domain.update('a.ee', { add: links, rem: links, registrant: 'REG-2', code: 'other' }),
      secDns.update({ rem: [key], add: [key] }),
    ],
    'domain keys removed': [domain.update('a.ee', {}), secDns.update({ rem: 'all' })],
    'domain restore': [domain.update('a.ee', {}), restoreRequest],
    'domain delete': [domain.delete('a.ee')],
    'domain renew': [domain.renew('a.ee', '2027-01-02', '1y')],
    'domain transfer': [domain.transfer('request', 'a.ee', { code: 'transfer' })],
    'contact check': [contact.check('CON-1', 'CON-2')],
    'contact info': [contact.info('CON-1', 'secret1')],
    'contact create': [contact.create('CON-1', person), eis({ ident })],
    'contact update': [contact.update('CON-1', { rem: ['clientUpdateProhibited'], chg: person })],
    'contact delete': [contact.delete('CON-1')],
    'poll req': [poll.request],
    'poll ack': [poll.acknowledge('12')],
  };
}

const violationsOf = ([command, ...extensions]: readonly [EppCommand, ...string[]]) =>
  schemaViolations(envelope(command, extensions, 'ABC-1'));

describe.each<Dialect>(['ietf', 'ee', 'ee-1.1'])('the schemas of the dialect %s', (dialect) => {
  test.each(Object.entries(commandsOf(dialect)))('success: %s', async (_, frame) => {
    expect(await violationsOf(frame)).toEqual([]);
  });

  const { domain, contact } = objectCommands(dialect);
  const wrong: Record<string, readonly [EppCommand, ...string[]]> = {
    'a status that does not exist': [domain.update('a.ee', { add: { statuses: ['clientHidden'] } })],
    'an identifier that is too short': [contact.info('AB')],
    'a period of no years': [domain.renew('a.ee', '2027-01-02', '0y')],
    'a key without content': [domain.update('a.ee', {}), secDns.create([{ publicKey: '' }])],
    'an unknown extension': [domain.check('a.ee'), '<x xmlns="urn:example"/>'],
    'a document of an unknown type': [
      domain.delete('a.ee'),
      eis({ legalDocument: { ...legalDocument, type: 'exe' } }),
    ],
    'an address that is too short': [
      domain.create({ name: 'a.ee', nameservers: [{ name: 'ns.a.ee', addresses: ['::'] }], code: 'x' }),
    ],
  };
  test.each(Object.entries(wrong))('failure: %s', async (_, frame) => {
    expect(await violationsOf(frame)).not.toEqual([]);
  });
});

describe('where the dialects differ', () => {
  const ietf = objectCommands('ietf');
  const ee = objectCommands('ee');
  const before = objectCommands('ee-1.1');
  const long = 'A-CONTACT-WITH-A-LONG-CODE';
  test.each<[string, EppCommand, boolean]>([
    ['a long identifier in the IETF dialect', ietf.contact.info(long), false],
    ['a long identifier in the ee dialect', ee.contact.info(long), true],
    ['a contact without address in the IETF dialect', ietf.contact.create('CON', withoutAddress), false],
    ['a contact without address in the ee dialect', ee.contact.create(undefined, withoutAddress), true],
    ['a verified deletion in the IETF dialect', ietf.domain.delete('a.ee', 'yes'), false],
    ['a verified deletion in the ee dialect', ee.domain.delete('a.ee', 'yes'), true],
    ['a period in days in the IETF dialect', ietf.domain.renew('a.ee', '2027-01-02', '90d'), false],
    ['a period in days in the ee dialect', ee.domain.renew('a.ee', '2027-01-02', '90d'), true],
    [
      'a status of 1.2 in 1.1',
      before.domain.update('a.ee', { add: { statuses: ['serverObjUpdateProhibited'] } }),
      false,
    ],
    ['a status of 1.2', ee.domain.update('a.ee', { add: { statuses: ['serverObjUpdateProhibited'] } }), true],
  ])('%s', async (_, command, isValid) => {
    expect((await violationsOf([command])).length === 0).toBe(isValid);
  });

  test('objects of ee in the envelope of the IETF are checked by the rules of ee', async () => {
    const { body } = ee.contact.info(long);
    expect(await violationsOf([{ body }])).toEqual([]);
  });

  test('failure: a frame that is not well-formed', async () => {
    expect(await schemaViolations('<epp')).not.toEqual([]);
  });
});
