import { expect, test } from 'vitest';
import { CLASS, OPCODE, RCODE, TSIG_ERROR, TYPE } from '../../../src/doors/dns/codes.ts';
import { ednsOf, type Message } from '../../../src/doors/dns/message-reader.ts';
import { type AnswerHeader, MessageWriter } from '../../../src/doors/dns/message-writer.ts';
import { type TsigKey, TsigSigner, verifyTsig } from '../../../src/doors/dns/tsig.ts';
import { tsigOf } from '../../../src/doors/dns/tsig-record.ts';
import type { SoaRecord } from '../../../src/doors/dns/zone-source.ts';
import { askTcp, askUdp } from '../../support/dns-exchange.ts';
import { KEY, startMemoryServer } from '../../support/dns-server.ts';
import { delegation, MemoryZone } from '../../support/memory-zone.ts';

type Wanted = Partial<AnswerHeader> & {
  readonly type?: number;
  readonly name?: string;
  readonly spelling?: Buffer;
  readonly since?: SoaRecord;
  readonly questions?: number;
  /** The TTL fields of OPT records: their upper byte is an rcode, the next one the version. */
  readonly opts?: readonly number[];
};
const DO = 0x8000;
const VERSION_1 = 0x10000;

/** OPT records are appended as bytes, since the writer supports those of a server only. */
function request({
  type = TYPE.SOA,
  name = 'ee',
  spelling,
  since,
  questions = 1,
  opts = [],
  ...header
}: Wanted) {
  const writer = new MessageWriter({ id: 99, opcode: OPCODE.QUERY, isRequest: true, ...header });
  for (let count = 0; count < questions; count += 1)
    writer.question({ name, type, class: CLASS.IN, ...(spelling && { spelling }) });
  if (since) writer.authority(since);
  const bytes = writer.finish();
  const records = opts.map((ttl) =>
    Buffer.from([0, 0, 41, 4, 208, ...[24, 16, 8, 0].map((by) => (ttl >> by) & 255), 0, 0]),
  );
  const all = Buffer.concat([bytes, ...records]);
  all.writeUInt16BE(opts.length, 10);
  return all;
}

type Answer = { readonly answer: Message; readonly outcome: string };

async function ask(
  wanted: Wanted,
  { key = KEY as TsigKey | null, transport = 'udp', at = 0 } = {},
): Promise<Answer> {
  const zone = new MemoryZone('ee', 7, delegation('a.ee', 1));
  const server = await startMemoryServer(zone);
  const signer = key && new TsigSigner(key, undefined, () => Date.now() + at);
  const bytes = request(wanted);
  const answer = await (transport === 'udp' ? askUdp : askTcp)(server.port, signer?.sign(bytes) ?? bytes);
  const tsig = tsigOf(answer);
  const prior = signer?.mac ?? Buffer.alloc(0);
  const outcome =
    tsig && tsig.mac.length > 0
      ? verifyTsig(answer, tsig, KEY, tsig.timeSigned * 1000, { prior })
      : 'unsigned';
  return { answer, outcome };
}

const unknown = { ...KEY, name: 'other.key' };
const forged = { ...KEY, secret: Buffer.alloc(32) };

test.each<[string, Wanted, Parameters<typeof ask>[1], number, string]>([
  ['an answer', {}, {}, RCODE.NOERROR, 'valid'],
  ['an answer over TCP', {}, { transport: 'tcp' }, RCODE.NOERROR, 'valid'],
  ['a transfer', { type: TYPE.AXFR }, { transport: 'tcp' }, RCODE.NOERROR, 'valid'],
  ['TC', { type: TYPE.AXFR }, {}, RCODE.NOERROR, 'valid'],
  ['REFUSED', { name: 'lv' }, {}, RCODE.REFUSED, 'valid'],
  ['REFUSED without a signature', {}, { key: null }, RCODE.REFUSED, 'unsigned'],
  ['NOTAUTH for BADKEY', {}, { key: unknown }, RCODE.NOTAUTH, 'unsigned'],
  ['NOTAUTH for BADSIG', {}, { key: forged }, RCODE.NOTAUTH, 'unsigned'],
  ['NOTAUTH for BADTIME', {}, { at: -400_000 }, RCODE.NOTAUTH, 'valid'],
  ['FORMERR for IXFR without a SOA', { type: TYPE.IXFR }, {}, RCODE.FORMERR, 'valid'],
  ['FORMERR for two questions', { questions: 2 }, {}, RCODE.FORMERR, 'unsigned'],
])(
  'success: %s has EDNS, with the DO of the request, if the request has',
  async (_, wanted, options, rcode, signed) => {
    const having = await ask({ ...wanted, opts: [DO] }, options);
    expect([having.answer.rcode, having.outcome]).toEqual([rcode, signed]);
    expect(ednsOf(having.answer)).toEqual({ bytes: 1_232, version: 0, isDnssecOk: true });
    expect(ednsOf((await ask({ ...wanted, opts: [0] }, options)).answer)?.isDnssecOk).toBe(false);
    expect(ednsOf((await ask(wanted, options)).answer)).toBeUndefined();
  },
);

test.each([
  ['signed', KEY, 'valid'],
  ['not signed', null, 'unsigned'],
])('failure: a later version of EDNS is BADVERS, also if the request is %s', async (_, key, signed) => {
  const { answer, outcome } = await ask({ opts: [VERSION_1] }, { key });
  const opt = answer.additional.find(({ type }) => type === TYPE.OPT);
  expect([answer.rcode, (opt?.ttl ?? 0) >>> 24, outcome]).toEqual([
    RCODE.BADVERS & 0xf,
    RCODE.BADVERS >> 4,
    signed,
  ]);
  expect([answer.questions.length, answer.answers.length]).toEqual([1, 0]);
});

test.each([
  ['signed', KEY, 'valid'],
  ['not signed', null, 'unsigned'],
])('failure: two OPT records are FORMERR, with one, also if the request is %s', async (_, key, signed) => {
  const { answer, outcome } = await ask({ opts: [0, 0] }, { key });
  expect([answer.rcode, outcome]).toEqual([RCODE.FORMERR, signed]);
  expect(answer.additional.filter(({ type }) => type === TYPE.OPT)).toHaveLength(1);
});

test.each(['udp', 'tcp'])(
  'failure: IXFR without a SOA over %s is FORMERR, signed, with its question',
  async (transport) => {
    const { answer, outcome } = await ask({ type: TYPE.IXFR }, { transport });
    expect([answer.rcode, outcome, tsigOf(answer)?.error]).toEqual([RCODE.FORMERR, 'valid', TSIG_ERROR.NONE]);
    expect(answer.questions).toMatchObject([{ name: 'ee', type: TYPE.IXFR }]);
  },
);

test.each<[string, Wanted, Parameters<typeof ask>[1]]>([
  ['an answer', {}, {}],
  ['TC', { type: TYPE.AXFR }, {}],
  ['a transfer', { type: TYPE.AXFR }, { transport: 'tcp' }],
  ['a refusal', {}, { key: null }],
])(
  'success: %s repeats RD and the spelling of the question, and has the names of the zone as they are',
  async (_, wanted, options) => {
    const spelling = Buffer.from('\x02eE\x00', 'latin1');
    const { answer } = await ask({ ...wanted, spelling, isRecursionDesired: true }, options);
    expect(answer.isRecursionDesired).toBe(true);
    expect(answer.questions[0]?.spelling).toEqual(spelling);
    for (const { offset } of answer.answers)
      expect(answer.bytes.toString('latin1', offset, offset + 4)).not.toBe('\x02eE\x00');
    expect(answer.bytes.indexOf('\x02eE\x00', 17, 'latin1')).toBe(-1);
    const plain = await ask(wanted, options);
    expect(plain.answer.isRecursionDesired).toBe(false);
    expect(plain.answer.questions[0]?.spelling).toEqual(Buffer.from('\x02ee\x00', 'latin1'));
  },
);
