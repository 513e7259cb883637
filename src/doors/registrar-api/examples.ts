/** Examples of the API document; a test sends each of them to a fresh sandbox. */
export const newContactExample = {
  contact: {
    id: 'mari',
    name: 'Mari Maasikas',
    email: 'mari@example.ee',
    phone: '+372.5551234',
    ident: { ident: '60001019906', ident_type: 'priv', ident_country_code: 'EE' },
  },
};

export const wholeContactExample = {
  code: 'mari',
  name: 'Mari Maasikas',
  ident: { code: '60001019906', type: 'priv', country_code: 'EE' },
  email: 'mari@example.ee',
  phone: '+372.5551234',
  statuses: { ok: null },
  disclosed_attributes: [],
  reference: null,
  registrar: { name: 'Alpha Registrar', website: 'https://alpha.example' },
  domains: [],
  domains_count: 0,
};
export const contactExample = { ...wholeContactExample, auth_info: '0c5a7d2f9be14b6f8a3d11' };

export const newDomainExample = {
  domain: {
    name: 'example.ee',
    registrant: 'mari',
    period_unit: 'y',
    period: 1,
    admin_contacts: ['mari'],
    tech_contacts: ['mari'],
    nameservers_attributes: [
      { hostname: 'ns1.example.ee', ipv4: ['192.0.2.1'], ipv6: ['2001:db8::1'] },
      { hostname: 'ns.example.net' },
    ],
    dnskeys_attributes: [
      {
        flags: '257',
        protocol: '3',
        alg: '13',
        public_key:
          'GojIhhXUN/u4v54ZQqGSnyhWJwaubCvTmeexv7bR6edbkrSqQpF64cYbcB7wNcP+e+MAnLr+Wi9xMWyQLc8NAA==',
      },
    ],
  },
};

export const wholeDomainExample = {
  name: 'example.ee',
  registrant: { name: 'Mari Maasikas', code: 'mari' },
  created_at: '2026-11-15T10:00:00.000+02:00',
  updated_at: '2026-11-15T10:00:00.000+02:00',
  expire_time: '2027-11-16T00:00:00.000+02:00',
  outzone_at: null,
  delete_date: null,
  force_delete_date: null,
  contacts: [{ code: 'mari', type: 'AdminDomainContact', name: 'Mari Maasikas' }],
  nameservers: [{ id: 1, hostname: 'ns1.example.ee', ipv4: ['192.0.2.1'], ipv6: ['2001:db8::1'] }],
  dnssec_keys: [],
  statuses: { ok: '' },
  registrar: { name: 'Alpha Registrar', website: 'https://alpha.example' },
  dispute: false,
  reference: null,
};
export const domainExample = { ...wholeDomainExample, transfer_code: '1f0c5a7d2f9be14b6f8a3d11c0ffee42' };
