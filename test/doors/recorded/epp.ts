import { eis, fee, poll, restoreRequest, secDns } from '../../support/epp-frames.ts';
import { type Dialect, objectCommands } from '../../support/epp-objects.ts';
import { furtherRefusalsOf } from './epp-further-refusals.ts';
import type { EppRecorder } from './epp-recorder.ts';
import { refusedOf } from './epp-refused.ts';
import {
  ADDRESS,
  CODE,
  type Commands,
  DOCUMENT,
  disclose,
  FIRM,
  FURTHER_CONTACTS,
  HOSTS,
  ident,
  JAAN,
  KEY_DATA,
  MARI,
  OTHER_KEY_DATA,
  PERSON,
  type Request,
} from './epp-samples.ts';
import { frameVariants } from './frame-variants.ts';

/** The objects that later commands refer to; each dialect has its own. */
const objectsOf = ({ contact, domain }: Commands, p: string): Request[] => [
  [contact.create(`${p}mari`, PERSON), ident(MARI)],
  [contact.create(`${p}jaan`, { ...PERSON, name: 'Jaan Tamm', address: ADDRESS }), ident(JAAN)],
  [contact.create(`${p}spare`, PERSON), ident(MARI)],
  [contact.create(`${p}gone`, PERSON), ident(MARI)],
  [contact.delete(`${p}gone`)],
  [contact.create(`${p}firm`, { ...PERSON, name: 'OÜ Näidis' }), ident(FIRM)],
  ...FURTHER_CONTACTS.map((id): Request => [contact.create(p + id, PERSON), ident(MARI)]),
  [contact.create(`${p}kid`, PERSON), eis({ ident: { type: 'birthday', cc: 'GB', code: '2020-01-01' } })],
  [
    contact.create(`${p}open`, {
      ...PERSON,
      disclose: disclose('1', '<contact:name type="int"/><contact:voice/><contact:email/>'),
    }),
    ident(MARI),
  ],
  [
    domain.create({
      name: `${p}one.ee`,
      period: '1y',
      nameservers: HOSTS,
      registrant: `${p}mari`,
      code: CODE,
      contacts: [
        { type: 'admin', id: `${p}jaan` },
        { type: 'tech', id: `${p}spare` },
      ],
    }),
    secDns.create([KEY_DATA]),
    fee.agreed('create', '9.00', 'EUR'),
  ],
  [domain.create({ name: `${p}poor.ee`, registrant: `${p}mari`, code: CODE })],
  [domain.create({ name: `${p}two.ee`, period: '2y', registrant: `${p}firm`, code: CODE })],
  [domain.create({ name: `${p}three.ee`, period: '6m', registrant: `${p}mari`, code: '' })],
  [domain.create({ name: `${p}four.ee`, registrant: `${p}mari` }), eis({ legalDocument: DOCUMENT })],
  [
    domain.create({
      name: `${p}õun.ee`,
      registrant: `${p}mari`,
      code: CODE,
      nameservers: [
        { name: `ns1.${p}õun.ee`, addresses: ['192.0.2.1', '2001:db8::1'] },
        { name: `ns2.${p}õun.ee`, addresses: ['192.0.2.2'] },
      ],
    }),
  ],
];

const readsOf = ({ contact, domain }: Commands, p: string): Request[] => [
  [contact.check(`${p}mari`, `${p}free`, `${p}gone`, 'bert')],
  [contact.check('no')],
  [contact.check('x'.repeat(17))],
  [contact.check()],
  [contact.check(...Array.from({ length: 1_001 }, (_, n) => `many-${n}`))],
  [contact.info(`${p}mari`)],
  [contact.info(`${p}MARI`, 'any-code')],
  [contact.info(`${p}jaan`)],
  [contact.info(`${p}firm`)],
  [contact.info(`${p}open`)],
  [contact.info(`${p}gone`)],
  [contact.info(`${p}nobody`)],
  [contact.info('bert')],
  [domain.check(`${p}one.ee`, `${p}free.ee`, 'blocked.ee', 'reserved.ee', 'com.ee', '-.ee', 'x.com', 'ee')],
  [domain.check()],
  [domain.check(...Array.from({ length: 1_001 }, (_, n) => `many-${n}.ee`))],
  [
    domain.check(`${p}free.ee`, `${p}one.ee`, 'x.com'),
    fee.check([
      { name: 'create' },
      { name: 'create', period: '2y' },
      { name: 'create', period: '7m' },
      { name: 'renew', period: '10y' },
      ...['transfer', 'update', 'delete', 'restore', 'custom'].map((name) => ({ name })),
    ]),
  ],
  [domain.check(`${p}free.ee`), fee.check([{ name: 'create' }], 'EUR')],
  [domain.check(`${p}free.ee`), fee.check([{ name: 'create' }], 'USD')],
  [domain.check(`${p}free.ee`), fee.check([{ name: 'buy' }])],
  [domain.check(`${p}free.ee`), fee.check([])],
  [domain.check(`${p}free.ee`), fee.check(Array.from({ length: 21 }, () => ({ name: 'create' })))],
  ...(['one.ee', 'two.ee', 'three.ee', 'four.ee', 'õun.ee'] as const).map(
    (name): Request => [domain.info(p + name)],
  ),
  ...['all', 'del', 'sub', 'none', 'some'].map((hosts): Request => [domain.info(`${p}one.ee`, { hosts })]),
  [domain.info('beta-one.ee')],
  [domain.info('beta-one.ee', { code: CODE })],
  [domain.info('beta-one.ee', { code: 'wrong' })],
  [domain.info(`${p}nothing.ee`)],
  [domain.info('-.ee')],
  [domain.info('x.com')],
  [domain.transfer('query', `${p}one.ee`)],
  [domain.transfer('query', 'beta-one.ee')],
  [domain.transfer('query', 'beta-one.ee', { code: CODE })],
];

/** In their order, each of them a change. */
const changesOf = ({ contact, domain }: Commands, p: string): Request[] => [
  [
    contact.update(`${p}mari`, {
      chg: {
        ...PERSON,
        name: 'Mari Mets',
        address: ADDRESS,
        disclose: disclose('1', '<contact:addr type="int"/>'),
      },
    }),
    ident(MARI),
  ],
  [contact.info(`${p}mari`)],
  [contact.update(`${p}open`, { chg: { disclose: disclose('0', '<contact:name type="int"/>') } })],
  [contact.info(`${p}open`)],
  [
    domain.update(`${p}one.ee`, {
      add: {
        nameservers: [{ name: `ns.${p}one.ee`, addresses: ['192.0.2.7'] }],
        contacts: [{ type: 'tech', id: `${p}jaan` }],
        statuses: ['clientHold'],
      },
      rem: { nameservers: HOSTS.slice(0, 1), contacts: [{ type: 'tech', id: `${p}spare` }] },
      code: 'another-code',
    }),
    secDns.update({ rem: [KEY_DATA], add: [OTHER_KEY_DATA] }),
  ],
  [domain.info(`${p}one.ee`)],
  [domain.update(`${p}one.ee`, { add: { statuses: ['clientHold'] } })],
  [domain.update(`${p}one.ee`, { rem: { statuses: ['clientHold'] } }), secDns.update({ rem: 'all' })],
  [domain.renew(`${p}one.ee`, '2031-01-16'), fee.agreed('renew', '9.00')],
  [domain.renew(`${p}two.ee`, '2032-01-16', '1y'), eis({ legalDocument: DOCUMENT })],
  [domain.create({ name: `${p}glue.ee`, registrant: `${p}mari` }), eis({})],
  [domain.update(`${p}two.ee`, { registrant: `${p}jaan` })],
  [domain.info(`${p}two.ee`)],
  [domain.update(`${p}two.ee`, { code: 'another-code' })],
  [domain.delete(`${p}three.ee`)],
  [domain.info(`${p}three.ee`)],
  [domain.renew(`${p}three.ee`, '2030-07-16')],
  [domain.update(`${p}four.ee`, { registrant: `${p}jaan`, verified: 'yes' })],
  [domain.info(`${p}four.ee`)],
  [domain.delete(`${p}glue.ee`, 'yes')],
  [domain.info(`${p}glue.ee`)],
  [domain.update(`${p}glue.ee`, { add: { statuses: ['clientHold'] } })],
  [contact.delete(`${p}spare`)],
  [contact.info(`${p}spare`)],
];

/** Commands about objects that another registrar has or nobody, so that a variant without an error changes nothing. */
const variedOf = ({ contact, domain }: Commands, p: string): Request[] => [
  [contact.check(`${p}mari`)],
  [contact.info(`${p}mari`, 'any-code')],
  [
    contact.create(`${p}mari`, {
      ...PERSON,
      address: ADDRESS,
      code: 'any-code',
      disclose: disclose('1', '<contact:name type="int"/><contact:voice/>'),
    }),
    ident(MARI),
  ],
  [
    contact.update('bert', {
      add: ['clientUpdateProhibited'],
      rem: ['clientDeleteProhibited'],
      chg: { ...PERSON, address: ADDRESS },
    }),
    ident(MARI),
  ],
  [contact.delete('bert', 'any-code')],
  [domain.check(`${p}one.ee`), fee.check([{ name: 'create', period: '1y' }], 'EUR')],
  [domain.info(`${p}one.ee`, { hosts: 'none', code: CODE })],
  [
    domain.create({
      name: `${p}one.ee`,
      period: '1y',
      registrant: `${p}mari`,
      code: CODE,
      nameservers: [{ name: `ns1.${p}one.ee`, addresses: ['192.0.2.1'] }, 'ns2.example.net'],
      contacts: [{ type: 'admin', id: `${p}jaan` }],
    }),
    secDns.create([KEY_DATA]),
    fee.agreed('create', '9.00', 'EUR'),
    eis({ reservedCode: 'no-need' }),
  ],
  [
    domain.update('beta-one.ee', {
      add: {
        nameservers: ['ns9.example.net'],
        contacts: [{ type: 'tech', id: `${p}jaan` }],
        statuses: ['clientHold'],
      },
      rem: { nameservers: ['ns1.example.net'], contacts: [{ type: 'tech', id: `${p}mari` }] },
      registrant: `${p}mari`,
      verified: 'no',
      code: 'another-code',
    }),
    secDns.update({ rem: [KEY_DATA], add: [OTHER_KEY_DATA] }),
  ],
  [domain.renew('beta-one.ee', '2031-01-16', '1y'), fee.agreed('renew', '9.00', 'EUR')],
  [domain.transfer('request', `${p}one.ee`, { code: CODE })],
  [domain.delete('beta-one.ee', 'no')],
];

/** The whole set of commands in one dialect. `p` begins the names of its objects. */
export async function recordDialect(recorder: EppRecorder, dialect: Dialect, p: string): Promise<void> {
  const commands = objectCommands(dialect);
  await recorder.sendAll('alpha', objectsOf(commands, p));
  await recorder.sendAll('alpha', readsOf(commands, p));
  await recorder.sendAll('alpha', refusedOf(commands, p));
  await recorder.sendAll('alpha', furtherRefusalsOf(commands, p));
  for (const [command, ...extensions] of variedOf(commands, p)) {
    const few = dialect !== 'ietf';
    for (const body of frameVariants(command.body, { few }))
      await recorder.send('alpha', { ...command, body }, ...extensions);
    for (const [index, extension] of extensions.entries())
      for (const varied of frameVariants(extension, { few: true }).filter((each) => each !== ''))
        await recorder.send('alpha', command, ...extensions.toSpliced(index, 1, varied));
  }
  await recorder.sendAll('alpha', changesOf(commands, p));
  await recorder.send('beta', commands.domain.transfer('request', `${p}one.ee`, { code: CODE }));
  await recorder.send('beta', commands.domain.transfer('request', `${p}one.ee`, { code: 'another-code' }));
  await recorder.send('beta', commands.domain.info(`${p}one.ee`));
  await recorder.send('alpha', commands.domain.transfer('query', `${p}one.ee`));
  await recorder.send('beta', commands.domain.transfer('query', `${p}one.ee`));
  await recorder.send('beta', commands.domain.transfer('request', `${p}glue.ee`, { code: CODE }));
  await recorder.send('poor', commands.contact.create(`${p}poor`, PERSON), ident(MARI));
  await recorder.send('poor', commands.domain.create({ name: `${p}new.ee`, registrant: `${p}poor` }));
  await recorder.send('poor', commands.domain.transfer('request', `${p}poor.ee`, { code: CODE }));
  await recorder.send('poor', commands.domain.renew(`${p}poor.ee`, '2031-01-16'));
  await recordPolls(recorder, 'alpha', dialect);
  await recordPolls(recorder, 'beta', dialect);
}

/** Reads and acknowledges messages until there are none. */
export async function recordPolls(recorder: EppRecorder, user: string, dialect: Dialect): Promise<void> {
  const { envelope } = objectCommands(dialect).namespaces;
  for (;;) {
    const answer = await recorder.send(user, { ...poll.request, envelope });
    const id = answer.attribute('msgQ', 'id');
    if (answer.code !== 1301 || id === undefined) return;
    await recorder.send(user, { ...poll.acknowledge(id), envelope });
  }
}

/** What is shown of domains, and refused for them, in statuses that registrars do not set. */
export async function recordStates(recorder: EppRecorder, dialect: Dialect, p: string): Promise<void> {
  const { domain } = objectCommands(dialect);
  for (const name of ['one.ee', 'two.ee', 'three.ee', 'four.ee', 'õun.ee', 'glue.ee'])
    for (const user of ['alpha', 'beta']) await recorder.send(user, domain.info(p + name));
  await recorder.sendAll('alpha', [
    [domain.update(`${p}õun.ee`, { add: { statuses: ['clientHold'] } })],
    [domain.update(`${p}õun.ee`, { registrant: `${p}firm` })],
    [domain.update(`${p}õun.ee`, { add: { contacts: [{ type: 'tech', id: `${p}firm` }] } })],
    [domain.update(`${p}õun.ee`, { add: { contacts: [{ type: 'admin', id: `${p}jaan` }] } })],
    [domain.renew(`${p}õun.ee`, '2031-01-16', '1y')],
    [domain.transfer('query', `${p}õun.ee`)],
    [domain.delete(`${p}õun.ee`)],
    [domain.check(`${p}õun.ee`, `${p}glue.ee`, `${p}four.ee`)],
  ]);
  await recorder.send('beta', domain.transfer('request', `${p}õun.ee`, { code: CODE }));
}

/** What a dispute about a name prohibits; beyond it, its code. */
export async function recordDisputes(recorder: EppRecorder, dialect: Dialect, p: string): Promise<void> {
  const { domain } = objectCommands(dialect);
  const registrant = `${p}firm`;
  await recorder.sendAll('alpha', [
    [domain.info(`${p}four.ee`)],
    [domain.create({ name: 'disputed.ee', registrant })],
    [domain.create({ name: 'disputed.ee', registrant }), eis({ reservedCode: 'wrong' })],
    [domain.update(`${p}four.ee`, { code: 'another-code' })],
    [domain.update(`${p}four.ee`, { registrant })],
    [domain.update(`${p}four.ee`, { registrant }), eis({ reservedCode: 'wrong' })],
    [domain.delete(`${p}four.ee`, 'yes')],
    [domain.update(`${p}four.ee`, { registrant }), eis({ reservedCode: 'dispute-code' })],
  ]);
}

/** Contacts that the registry protects. */
export async function recordProtectedContacts(
  recorder: EppRecorder,
  dialect: Dialect,
  p: string,
): Promise<void> {
  const { contact } = objectCommands(dialect);
  await recorder.sendAll('alpha', [
    [contact.info(`${p}tec0`)],
    [contact.update(`${p}tec0`, { chg: { name: 'X Y' } })],
    [contact.delete(`${p}tec0`)],
  ]);
}

/** More wrong codes of one name than there may be, then right ones, and a renewal that comes too late for its period. */
export async function recordLastRefusals(recorder: EppRecorder): Promise<void> {
  const { domain } = objectCommands('ietf');
  for (let guess = 0; guess < 10; guess++)
    await recorder.send('alpha', domain.transfer('request', 'beta-one.ee', { code: `guess-${guess}` }));
  for (const dialect of ['ietf', 'ee'] as const) {
    const commands = objectCommands(dialect).domain;
    await recorder.sendAll('alpha', [
      [commands.transfer('request', 'beta-one.ee', { code: CODE })],
      [commands.info('beta-one.ee', { code: CODE })],
      [commands.renew('late.ee', '2030-10-16', '3m')],
    ]);
    await recorder.send('beta', commands.transfer('request', 'final.ee', { code: CODE }));
  }
}

/** A deleted domain is brought back by a renewal; the moment of its end would be a random one. */
export async function recordRestorations(recorder: EppRecorder, dialect: Dialect, p: string): Promise<void> {
  const { domain } = objectCommands(dialect);
  await recorder.sendAll('alpha', [
    [domain.update(`${p}glue.ee`, {}), restoreRequest],
    [domain.renew(`${p}glue.ee`, '2031-01-16')],
    [domain.renew(`${p}three.ee`, '2030-07-16')],
    [domain.info(`${p}glue.ee`)],
  ]);
}

/** What both dialects refer to. */
export async function recordForeignObjects(recorder: EppRecorder): Promise<void> {
  const { contact, domain } = objectCommands('ietf');
  await recorder.sendAll('beta', [
    [contact.create('bert', PERSON), ident(MARI)],
    [domain.create({ name: 'beta-one.ee', registrant: 'bert', code: CODE })],
  ]);
  await recorder.sendAll('alpha', [
    [contact.create('anna', PERSON), ident(MARI)],
    [domain.create({ name: 'late.ee', registrant: 'anna', code: CODE })],
    [domain.create({ name: 'final.ee', registrant: 'anna', code: CODE })],
  ]);
}
