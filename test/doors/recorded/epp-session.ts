import { type EppCommand, eis, poll } from '../../support/epp-frames.ts';
import { objectCommands } from '../../support/epp-objects.ts';
import type { EppRecorder } from './epp-recorder.ts';
import { frameVariants } from './frame-variants.ts';

const IETF = 'urn:ietf:params:xml:ns:epp-1.0';
const EE = 'https://epp.tld.ee/schema/epp-ee-1.0.xsd';
const hello = (namespace: string) => `<epp xmlns="${namespace}"><hello/></epp>`;
const LOGIN = `<login><clID>alpha</clID><pw>alpha-sandbox-password</pw><newPW>short</newPW><options><version>1.0</version><lang>en</lang></options><svcs><objURI>urn:ietf:params:xml:ns:domain-1.0</objURI><svcExtension><extURI>urn:ietf:params:xml:ns:rgp-1.0</extURI></svcExtension></svcs></login>`;
const WITHOUT_NEW_PASSWORD = LOGIN.replace(/<newPW>.*<\/newPW>/, '');
const SECURITY = `<loginSec:loginSec xmlns:loginSec="urn:ietf:params:xml:ns:epp:loginSec-1.0"><loginSec:userAgent><loginSec:app>recorder</loginSec:app></loginSec:userAgent><loginSec:pw>alpha-sandbox-password</loginSec:pw></loginSec:loginSec>`;

/** Greetings, logins and their refusals, each on a connection of its own. */
export async function recordLogins(recorder: EppRecorder): Promise<void> {
  const first = await recorder.connect();
  recorder.addGreeting(first);
  await recorder.sendFrame({ client: first, user: 'nobody' }, hello('urn:other'));
  await recorder.sendFrame({ client: first, user: 'nobody' }, 'no XML');
  await recorder.sendFrame({ client: first, user: 'nobody' }, '<other/>');
  await recorder.sendLast(first, 'nobody', { body: WITHOUT_NEW_PASSWORD });
  for (const command of [poll.request, objectCommands('ee').domain.info('one.ee'), { body: '<logout/>' }])
    await oneCommand(recorder, command);
  const wrong = [
    ...frameVariants(LOGIN, { few: true }),
    WITHOUT_NEW_PASSWORD.replace('1.0<', '2.0<'),
    WITHOUT_NEW_PASSWORD.replace('>en<', '>et<'),
    WITHOUT_NEW_PASSWORD.replace('domain-1.0', 'host-1.0'),
    LOGIN,
    LOGIN.replace('short', 'alpha-sandbox-password'),
    WITHOUT_NEW_PASSWORD.replace('alpha-sandbox-password', '[LOGIN-SECURITY]'),
  ];
  for (const body of wrong) await oneCommand(recorder, { body });
  await oneCommand(recorder, { body: WITHOUT_NEW_PASSWORD }, eis({}));
  const rejected = [
    WITHOUT_NEW_PASSWORD.replace('alpha-sandbox-password', 'wrong'),
    WITHOUT_NEW_PASSWORD.replace('>alpha<', '>nobody<'),
    WITHOUT_NEW_PASSWORD.replaceAll('alpha', 'alpha-billing'),
  ];
  for (const body of rejected) await recorder.sendLast(await recorder.connect(), 'nobody', { body });
  const client = await recorder.connect();
  await recorder.sendFrame(
    { client, user: 'alpha' },
    inEnvelope(IETF, WITHOUT_NEW_PASSWORD.replace('alpha-sandbox-password', '[LOGIN-SECURITY]'), SECURITY),
  );
  await recorder.sendFrame({ client, user: 'alpha' }, inEnvelope(EE, LOGIN));
  await recorder.sendFrame({ client, user: 'alpha' }, hello(IETF));
  await recorder.sendFrame({ client, user: 'alpha' }, hello(EE));
  await recorder.sendLast(client, 'alpha', { body: '<logout/>', envelope: EE });
}

async function oneCommand(
  recorder: EppRecorder,
  command: EppCommand,
  ...extensions: string[]
): Promise<void> {
  const client = await recorder.connect();
  await recorder.sendFirst(client, 'nobody', command, ...extensions);
  await client.close();
}

const inEnvelope = (namespace: string, body: string, extension = '') =>
  `<epp xmlns="${namespace}"><command>${body}${extension && `<extension>${extension}</extension>`}<clTRID>RECORDED</clTRID></command></epp>`;

/** Frames that are refused before their command is known, and commands of no object. */
export async function recordFrames(recorder: EppRecorder): Promise<void> {
  const client = recorder.session('alpha');
  const session = { client, user: 'alpha' };
  const frames: (string | Uint8Array)[] = [
    ' ',
    'no XML',
    '<epp',
    `<epp xmlns="${IETF}"/>`,
    `<epp xmlns="${IETF}"><response/></epp>`,
    `<epp xmlns="${IETF}"><command/></epp>`,
    `<epp xmlns="${IETF}"><command><clTRID>RECORDED</clTRID></command></epp>`,
    `<epp xmlns="urn:other"><command><logout/></command></epp>`,
    `<other xmlns="${IETF}"/>`,
    `<!DOCTYPE epp [<!ENTITY a "b">]><epp xmlns="${IETF}"><hello/></epp>`,
    `<epp xmlns="${IETF}"><hello/><hello/></epp>`,
    inEnvelope(IETF, '<dance/>'),
    inEnvelope(EE, '<dance/>'),
    inEnvelope(IETF, '<poll op="req"/><poll op="req"/>'),
    inEnvelope(IETF, '<poll op="req"/>').replace('RECORDED', 'no'),
    inEnvelope(IETF, '<poll op="req"/>').replace('RECORDED', 'x'.repeat(65)),
    // Of two UTF-16 units each: lengths count characters.
    inEnvelope(IETF, '<poll op="req"/>').replace('RECORDED', '𝒳'.repeat(64)),
    inEnvelope(IETF, '<poll op="req"/>').replace('RECORDED', '𝒳'.repeat(65)),
    inEnvelope(IETF, '<poll op="req"/>').replace(/<clTRID>.*<\/clTRID>/, '$&$&'),
    inEnvelope(IETF, '<poll op="req"/>').replace(/<clTRID>.*<\/clTRID>/, ''),
    `<epp xmlns="${IETF}">${'<a>'.repeat(100)}${'</a>'.repeat(100)}</epp>`,
    Buffer.from([0x3c, 0xff, 0xfe, 0x3e]),
    Buffer.from(`<?xml version="1.0" encoding="ISO-8859-1"?>${hello(IETF)}`),
  ];
  for (const frame of frames) await recorder.sendFrame(session, frame);
  const inner = (verb: string, namespace: string, name = verb) =>
    `<${verb}><o:${name} xmlns:o="${namespace}"><o:id>mari</o:id></o:${name}></${verb}>`;
  const contacts = 'urn:ietf:params:xml:ns:contact-1.0';
  await recorder.sendAll('alpha', [
    ...[
      '<poll/>',
      '<poll op="other"/>',
      '<poll op="ack"/>',
      '<poll op="ack" msgID="999999"/>',
      '<poll op="ack" msgID="word"/>',
      '<poll op="req"/>',
      '<check/>',
      '<info><a/><b/></info>',
      inner('info', 'urn:ietf:params:xml:ns:host-1.0'),
      inner('info', contacts, 'check'),
      inner('renew', contacts),
      inner('transfer', contacts),
      LOGIN,
    ].map((body) => [{ body }] as const),
    [{ body: '<poll op="req"/>' }, eis({})],
    [objectCommands('ee-1.1').domain.info('one.ee')],
    [objectCommands('eis').domain.info('one.ee')],
    [objectCommands('eis').domain.check('one.ee')],
  ]);
}
