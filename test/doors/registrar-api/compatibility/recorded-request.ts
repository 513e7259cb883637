/** HTTP status and code; 0 where an answer has none. */
export type Answered = `${number}/${number}`;

/** One request of an incumbent's client, and what the incumbent answered. */
export type RecordedRequest = {
  readonly title: string;
  /** A registrar of the incumbent's fixtures; null for a request without credentials. */
  readonly user: string | null;
  readonly call: string;
  readonly json: unknown;
  readonly answer: Answered;
  readonly headers: Readonly<Record<string, string>>;
  /** Requests between this one and the one above: they must succeed. */
  readonly before: readonly (readonly [call: string, json?: unknown])[];
  /** The paths of the innermost members of `data`. */
  readonly members: readonly string[];
};

export const sent = (
  title: string,
  call: string,
  json: unknown,
  answer: Answered,
  more: Partial<RecordedRequest> = {},
): RecordedRequest => ({
  title,
  user: 'bestnames',
  call,
  json,
  answer,
  headers: {},
  before: [],
  members: [],
  ...more,
});

/** An RSA key of 1,024 bits; those of the fixtures are no keys. */
export function key(number: number) {
  const modulus = Buffer.alloc(128, number);
  modulus[0] = 0xc0;
  modulus[127] = 0x01;
  const bytes = Buffer.concat([Buffer.from('03010001', 'hex'), modulus]);
  return { flags: '257', protocol: '3', alg: '8', public_key: bytes.toString('base64') };
}

export const newContact = (changes: object = {}) => ({
  contact: {
    name: 'Donald Duck',
    phone: '+372.51111112',
    email: 'donald@inbox.test',
    ident: { ident_type: 'priv', ident_country_code: 'EE', ident: '39708290069' },
    ...changes,
  },
});

export const newDomain = (name: string | undefined, changes: object = {}) => ({
  domain: {
    name,
    registrant: 'best:c1',
    period: 1,
    period_unit: 'y',
    admin_contacts: ['best:c2'],
    tech_contacts: ['best:c3'],
    nameservers_attributes: [{ hostname: 'ns1.bestnames.test' }, { hostname: 'ns2.bestnames.test' }],
    dnskeys_attributes: [key(1)],
    ...changes,
  },
});

/** Of a domain, without those of its statuses. */
export const DOMAIN: readonly string[] = [
  'contacts[].code',
  'contacts[].name',
  'contacts[].type',
  'created_at',
  'delete_date',
  'dispute',
  'dnssec_keys[].alg',
  'dnssec_keys[].flags',
  'dnssec_keys[].id',
  'dnssec_keys[].protocol',
  'dnssec_keys[].public_key',
  'expire_time',
  'force_delete_date',
  'name',
  'nameservers[].hostname',
  'nameservers[].id',
  'nameservers[].ipv4',
  'nameservers[].ipv6',
  'outzone_at',
  'registrant.code',
  'registrant.name',
  'registrar.name',
  'registrar.website',
  'transfer_code',
  'updated_at',
].map((name) => `domain.${name}`);
export const NAMED: readonly string[] = ['domain.name'];
