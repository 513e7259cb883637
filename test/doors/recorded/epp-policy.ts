import { eis } from '../../support/epp-frames.ts';
import { type Dialect, objectCommands } from '../../support/epp-objects.ts';
import type { EppRecorder } from './epp-recorder.ts';
import { ADDRESS, CODE, DOCUMENT, FIRM, ident, MARI, PERSON } from './epp-samples.ts';

const documented = eis({ legalDocument: DOCUMENT });

/** What is refused, or answered otherwise, under a policy that demands more than the one of .ee. */
export async function recordDemandingPolicy(
  recorder: EppRecorder,
  dialect: Dialect,
  p: string,
): Promise<void> {
  const { contact, domain } = objectCommands(dialect);
  const own = { name: `${p}one.ee`, registrant: `${p}firm`, code: CODE };
  const admin = { type: 'admin', id: `${p}mari` };
  await recorder.sendAll('alpha', [
    [contact.create(`${p}mari`, { ...PERSON, address: ADDRESS }), ident(MARI)],
    [contact.create(`${p}firm`, PERSON), ident(FIRM)],
    [contact.update(`${p}mari`, { chg: { address: ADDRESS } })],
    [contact.update(`${p}mari`, { rem: ['clientUpdateProhibited'] })],
    [contact.update(`${p}mari`, { add: ['clientUpdateProhibited', 'clientTransferProhibited'] })],
    [contact.update(`${p}mari`, { add: ['clientUpdateProhibited'] })],
    [contact.update(`${p}mari`, { add: ['clientUpdateProhibited'] })],
    [contact.update(`${p}mari`, { chg: { name: 'X Y' } })],
    [contact.info(`${p}mari`)],
    [contact.update(`${p}mari`, { rem: ['clientUpdateProhibited'] })],
    [contact.update(`${p}firm`, { add: ['clientDeleteProhibited', 'clientDeleteProhibited'] })],
    [contact.update(`${p}firm`, { add: ['clientDeleteProhibited'] })],
    [contact.delete(`${p}firm`)],
    [domain.create({ ...own, contacts: [admin] })],
    [domain.create(own), documented],
    [domain.create({ ...own, contacts: [admin] }), documented],
    [domain.create({ name: `${p}two.ee`, registrant: `${p}mari`, code: CODE }), documented],
    [domain.update(own.name, { rem: { contacts: [admin] } })],
    [domain.update(`${p}two.ee`, { registrant: own.registrant })],
    [domain.update(`${p}two.ee`, { registrant: own.registrant, verified: 'yes' }), documented],
    [domain.renew(own.name, '2031-01-16')],
    [domain.update(own.name, { add: { statuses: ['clientHold', 'clientRenewProhibited'] } })],
    [domain.update(own.name, { add: { statuses: ['clientUpdateProhibited'] } })],
    [domain.info(own.name)],
    [domain.update(own.name, { code: 'another-code' })],
    [domain.delete(own.name)],
  ]);
  await recorder.send('beta', domain.transfer('request', own.name, { code: CODE }));
}

/** A contact with and one without the prefix of their registrar, which the compatibility profile could both mean. */
export async function recordAmbiguousContacts(
  recorder: EppRecorder,
  switchProfile: () => Promise<void>,
): Promise<void> {
  const { contact } = objectCommands('ietf');
  await recorder.send('poor', contact.create('anna', PERSON), ident(MARI));
  await recorder.send('poor', contact.create('POOR:ANNA', PERSON), ident(MARI));
  await switchProfile();
  await recorder.logIn('poor');
  for (const dialect of ['ietf', 'ee'] as const) {
    const commands = objectCommands(dialect);
    await recorder.sendAll('poor', [
      [commands.contact.info('anna')],
      [commands.contact.update('anna', { chg: { name: 'Anna Tamm' } })],
      [commands.contact.delete('anna')],
      [
        commands.domain.create({
          name: 'anna.ee',
          registrant: 'anna',
          contacts: [{ type: 'tech', id: 'anna' }],
        }),
        documented,
      ],
      [commands.domain.update('one.ee', { add: { contacts: [{ type: 'tech', id: 'anna' }] } })],
    ]);
  }
}
