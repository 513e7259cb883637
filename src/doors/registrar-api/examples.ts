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

export const contactExample = {
  code: 'mari',
  name: 'Mari Maasikas',
  ident: { code: '60001019906', type: 'priv', country_code: 'EE' },
  email: 'mari@example.ee',
  phone: '+372.5551234',
  auth_info: '0c5a7d2f9be14b6f8a3d11',
  statuses: { ok: null },
  disclosed_attributes: [],
  registrar: { name: 'Alpha Registrar', website: 'https://alpha.example' },
  domains: [],
  domains_count: 0,
};
