import { askWhois } from '../../support/whois.ts';
import type { Recorded, Recorder } from './recorder.ts';
import type { Recording } from './recording.ts';

const NAMES = ['hidden.ee', 'shown.ee', 'named.ee', 'firm.ee', 'held.ee', 'gone.ee'];
const FREE = ['free.ee', 'blocked.ee', 'reserved.ee', 'ee', 'com.ee', 'x.com', 'www.firm.ee'];
const NO_NAMES = ['-a.ee', 'a..ee', 'a_b.ee', `${'a'.repeat(64)}.ee`, 'xn--a.ee'];
const idn = encodeURIComponent('õun.ee');

/** As the public, as registrars and as an authorised requester. */
export async function recordRdap(recorder: Recorder, requester: string): Promise<void> {
  const get = (path: string, as = 'nobody', headers: Record<string, string> = {}): Recorded => ({
    as,
    method: 'GET',
    path: `/rdap${path}`,
    headers,
  });
  const paths = [
    ...[...NAMES, 'FIRM.EE', 'firm.ee.', idn, 'xn--un-bka.ee'].map((name) => `/domain/${name}`),
    ...[...FREE, ...NO_NAMES].map((name) => `/domain/${name}`),
    ...['ALPHA', 'alpha', 'BETA', 'NOBODY', 'hidden', 'firm', 'C1-EE'].map((handle) => `/entity/${handle}`),
    ...['ns1.example.net', `ns1.${idn}`, 'NS2.example.net', 'ns9.example.net', '-'].map(
      (host) => `/nameserver/${host}`,
    ),
    '',
    '/',
    '/help',
    '/dns.json',
    '/domain',
    '/nowhere',
    '/domain/firm.ee/more',
    '/domain/%zz.ee',
    '/ip/192.0.2.1',
    '/autnum/64496',
    '/domains?name=a*.ee',
    '/nameservers?ip=192.0.2.1',
    '/entities?fn=Mari*',
    '/domain/firm.ee?surprise=1',
  ];
  await recorder.sendAll(paths.map((path) => get(path)));
  for (const who of ['alpha', 'beta', 'alpha-billing', 'wrong password', 'wrong token'])
    await recorder.sendAll(['hidden.ee', 'shown.ee', 'firm.ee'].map((name) => get(`/domain/${name}`, who)));
  const authorization = { authorization: `Bearer ${requester}` };
  await recorder.sendAll(
    ['/domain/hidden.ee', '/domain/free.ee', '/entity/ALPHA'].map((path) =>
      get(path, 'nobody', authorization),
    ),
  );
  for (const method of ['HEAD', 'OPTIONS', 'POST', 'DELETE'])
    await recorder.send({ ...get('/domain/firm.ee'), method });
  await recorder.send(get('/domain/firm.ee', 'nobody', { accept: 'text/html' }));
}

const QUERIES: readonly string[] = [
  ...NAMES,
  'FIRM.EE',
  'firm.ee.',
  ' firm.ee ',
  'õun.ee',
  'xn--un-bka.ee',
  ...FREE,
  ...NO_NAMES,
  '',
  ' ',
  'firm',
  '192.0.2.1',
  'hidden.ee more',
  'domain firm.ee',
  '-T dn firm.ee',
  'a'.repeat(2_000),
];

/** Queries over the port of WHOIS; every line ends with CR LF. The text above all answers is recorded once. */
export async function recordWhois(recording: Recording, port: number): Promise<void> {
  const queries = QUERIES.map((query) => [query, `${query}\r\n`] as const);
  let introduction = '';
  for (const [shown, sent] of [
    ...queries,
    ['(bytes ff fe)', Buffer.from([0xff, 0xfe, 0x0d, 0x0a])] as const,
  ]) {
    const answer = await askWhois(port, sent);
    const rest =
      introduction !== '' && answer.startsWith(introduction) ? answer.slice(introduction.length) : answer;
    introduction ||= /^(?:%.*\r\n)+/.exec(answer)?.[0] ?? '';
    const lines = rest.split('\r\n').map((line) => (line.includes('\n') ? JSON.stringify(line) : line));
    recording.add([`### ${shown.slice(0, 80)}`, ...lines]);
  }
}
