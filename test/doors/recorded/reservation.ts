import { type Recorded, type Recorder, withErrors } from './recorder.ts';

const API = '/api/v1/business_registry';

const call = (
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Recorded => ({
  as: 'portal',
  method,
  path: API + path,
  headers,
  ...(body !== undefined && { body }),
});

const NAMES = [
  'Kohvik Õnn OÜ',
  'Foo Bar',
  'AS',
  'x'.repeat(100),
  'x'.repeat(101),
  'a_b',
  '%',
  ' ',
  '-',
  'Õ'.normalize('NFD'),
  'Foo\n',
  '\u0000',
].map((name) => call('GET', `/domain_names/${encodeURIComponent(name)}`));

const OUTSIDE: readonly Recorded[] = [
  ...['nobody', 'wrong token', 'alpha', 'auction'].map((as) => ({ ...call('GET', '/domain_names/Foo'), as })),
  { ...call('POST', '/reserve_domains', { domain_names: ['foo.ee'] }), as: 'nobody' },
  { ...call('GET', '/nowhere'), as: 'nobody' },
  call('GET', '/nowhere'),
  call('GET', ''),
  call('GET', '/domain_names/'),
  call('GET', '/domain_names/Foo/Bar'),
  call('POST', '/domain_names/Foo', {}),
  call('DELETE', '/reserve_domains'),
  call('GET', '/reserve_domains'),
  call('GET', '/reserve_domains/short'),
  call('GET', '/reserve_domains/aaaaaaaaaa'),
  call('GET', '/reserve_domains/aaaaaaaaa%20'),
  call('GET', '/domain_names/Foo?surprise=1', undefined, { accept: 'text/html' }),
  ...['text/plain', 'application/json; charset=utf-8', '', 'message/coffeepot'].map((type) =>
    call('POST', '/reserve_domains', { domain_names: [] }, { 'content-type': type }),
  ),
  ...[
    '{',
    '[]',
    '5',
    '"text"',
    'null',
    '',
    '{"domain_names":["\\ud800"]}',
    '['.repeat(40) + ']'.repeat(40),
  ].map((raw) => ({ ...call('POST', '/reserve_domains'), raw })),
  { ...call('POST', '/reserve_domains'), raw: JSON.stringify({ a: 'x'.repeat(1024 * 1024) }) },
  call('POST', '/reserve_domains', { domain_names: ['foo.ee'] }, { 'idempotency-key': 'x'.repeat(256) }),
  call('POST', '/reserve_domains', { domain_names: ['foo.ee'] }, { 'idempotency-key': '' }),
];

const NUMBERS = ['', '0', 'x', '1'.repeat(20), '999999', '1&invoice_number=2', '%00'];

const STATUS = '/long_reserve_domains_status';
const PDF = '/reserved_domains_invoice_pdf';
const many = (count: number) => Array.from({ length: count }, (_, n) => `n-${n}.ee`);

/** All recorded requests to the reservation API. */
export async function recordReservationApi(recorder: Recorder): Promise<void> {
  await recorder.sendAll([...NAMES, ...OUTSIDE]);
  for (const path of ['/reserve_domains', '/long_reserve_domains'])
    await recorder.sendAll([
      ...withErrors({ domain_names: ['taken.ee', 'foo bar.ee'], user_unique_id: 'aaaaaaaaaa' }).map((body) =>
        call('POST', path, body),
      ),
      call('POST', path, { domain_names: many(21) }),
      call('POST', path, { domain_names: [...many(20), 5] }),
      call('POST', path, { domain_names: [...many(19), 5] }),
      call('POST', path, { domain_names: ['blocked.ee', 'nowhere.com'] }),
      call('POST', path, { domain_names: ['x'.repeat(1_100)] }),
      call('POST', path, {
        domain_names: ['näide.ee', 'xn--nide-loa.ee'],
        user_unique_id: null,
        surprise: 1,
      }),
    ]);
  const keyed = (names: string[]) =>
    call('POST', '/reserve_domains', { domain_names: names }, { 'idempotency-key': 'once' });
  const free = await recorder.send(keyed(['esimene.ee', 'teine.ee', 'blocked.ee']));
  await recorder.sendAll([keyed(['esimene.ee', 'teine.ee', 'blocked.ee']), keyed(['kolmas.ee'])]);
  await recorder.send(call('GET', `/reserve_domains/${free.user_unique_id}`));
  await recorder.send(call('POST', '/long_reserve_domains', { domain_names: ['esimene.ee'] }));
  const paid = await recorder.send(
    call('POST', '/long_reserve_domains', {
      domain_names: ['esimene.ee', 'neljas.ee'],
      user_unique_id: free.user_unique_id,
    }),
  );
  const query = `?invoice_number=${paid.invoice_number}&user_unique_id=${paid.user_unique_id}`;
  for (const path of [STATUS, PDF])
    await recorder.sendAll([
      call('GET', path),
      call('GET', `${path}?invoice_number=${paid.invoice_number}`),
      call('GET', `${path}?invoice_number=${paid.invoice_number}&user_unique_id=`),
      call('GET', `${path}?invoice_number=${paid.invoice_number}&user_unique_id=wrong`),
      call('GET', `${path}?invoice_number=${paid.invoice_number}&user_unique_id=aaaaaaaaaa`),
      ...NUMBERS.map((number) => call('GET', `${path}?user_unique_id=aaaaaaaaaa&invoice_number=${number}`)),
      call('GET', `${path}${query}&surprise=1`),
    ]);
  await recorder.sendAll(
    [`x`.repeat(256), '%07', '%20', '', 'a&customer_name=b'].map((name) =>
      call('GET', `${PDF}${query}&customer_name=${name}`),
    ),
  );
  await recorder.send({
    as: 'nobody',
    method: 'POST',
    path: '/sandbox/provider/pay',
    body: { link: paid.linkpay_url, outcome: 'settled' },
  });
  await recorder.sendUntil(call('GET', `${STATUS}${query}`), ({ status }) => status === 'paid');
  await recorder.sendAll([
    call('GET', `${PDF}${query}`),
    call('GET', `${PDF}${query}&customer_name=Õnn%20OÜ`),
    call('GET', `${PDF}${query}&customer_name=${'x'.repeat(256)}`),
  ]);
}
