import fc from 'fast-check';
import { call, requestsOf } from './any-request.ts';
import { escaped, junk, mostly } from './strange-values.ts';

/** Codes that exist before the run; the others are made and removed by the run itself. */
export const alphaCodes = ['fuzz-alpha-1', 'fuzz-alpha-2', 'FUZZ:Alpha.3'];
export const betaCodes = ['fuzz-beta-1', 'fuzz-beta-2'];

export const contactCode = fc.oneof(
  fc.constantFrom(...alphaCodes, ...betaCodes),
  fc.integer({ min: 1, max: 30 }).map((n) => `fuzz-made-${n}`),
);
const ident = fc.record(
  {
    ident: mostly(fc.constantFrom('60001019906', '12345678', '1990-01-31')),
    ident_type: mostly(fc.constantFrom('priv', 'org', 'birthday')),
    ident_country_code: mostly(fc.constantFrom('EE', 'fi', 'US')),
  },
  { requiredKeys: [] },
);
const contact = fc.record(
  {
    id: mostly(contactCode),
    name: mostly(fc.constantFrom('Mari Maasikas', 'Ühing 1', 'Šarlote Žukova')),
    email: mostly(fc.constantFrom('mari@example.ee', 'õun@näide.ee')),
    phone: mostly(fc.constantFrom('+372.5551234', '+1.1')),
    ident: mostly(ident),
    PROTO: junk,
    surplus: junk,
  },
  { requiredKeys: ['name', 'email', 'phone'] },
);
const whole = fc.record({
  name: fc.constant('Mari Maasikas'),
  email: fc.constant('mari@example.ee'),
  phone: fc.constant('+372.5551234'),
  ident: fc.constant({ ident: '60001019906', ident_type: 'priv', ident_country_code: 'EE' }),
});
const value = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ contact: mostly(contact), more: junk }, { requiredKeys: ['contact'] }),
  },
  { weight: 6, arbitrary: fc.tuple(whole, contactCode).map(([rest, id]) => ({ contact: { id, ...rest } })) },
  { weight: 3, arbitrary: whole.map((contact) => ({ contact })) },
  { weight: 2, arbitrary: fc.record({ contact: fc.record({ phone: fc.constant('+372.7') }) }) },
  { weight: 2, arbitrary: junk },
);

const pathCode = fc.oneof({ weight: 6, arbitrary: contactCode }, { weight: 1, arbitrary: escaped });
const one = pathCode.map((id) => `/contacts/${id}`);
const bare = fc.constant(undefined);
/** Mostly existing calls; the others combine paths and methods that do not fit. */
const calls = fc.oneof(
  { weight: 3, arbitrary: call('GET', fc.constant('/contacts')) },
  { weight: 8, arbitrary: call('POST', fc.constant('/contacts'), value) },
  {
    weight: 2,
    arbitrary: call(
      'GET',
      pathCode.map((id) => `/contacts/check/${id}`),
    ),
  },
  { weight: 4, arbitrary: call('GET', one) },
  { weight: 6, arbitrary: call('PUT', one, value) },
  {
    weight: 3,
    arbitrary: call('DELETE', one, fc.oneof({ weight: 3, arbitrary: bare }, { weight: 1, arbitrary: value })),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      method: fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'),
      path: fc.oneof(
        fc.constant('/contacts'),
        one,
        escaped.map((text) => `/${text}`),
      ),
      value,
    }),
  },
);
const pair = fc.oneof(
  fc.constantFrom(
    'limit=5',
    'limit=0',
    'limit=1001',
    'offset=2',
    'offset=-1',
    'q=FUZZ',
    'details=true',
    'simple=true',
  ),
  fc.constantFrom(
    'sort=-name',
    'sort=name',
    'limit=1&limit=2',
    'q[]=a',
    '__proto__=1',
    'details=1',
    'offset=9999999999',
  ),
  fc
    .tuple(fc.oneof(fc.constantFrom('q', 'limit', 'sort', 'offset', 'details'), escaped), escaped)
    .map((both) => both.join('=')),
);

export const contactRequests = requestsOf({ calls, pair });
