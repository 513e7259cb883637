import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ConfigError, checkEppKey, describeConfig, readConfig } from '../../../src/platform/config/config.ts';
import { settings } from '../../../src/platform/config/settings.ts';
import { shownAddress } from '../../../src/platform/values/ip-addresses.ts';

function complaintsOf(environment: Record<string, string>): string[] {
  try {
    readConfig('production', environment);
    return [];
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as ConfigError).message.split('\n');
  }
}

function fileWith(text: string): string {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'cadastre-config-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const file = path.join(directory, 'cadastre.conf');
  writeFileSync(file, text);
  return file;
}

describe('values', () => {
  test('success: without settings the defaults of the mode', () => {
    expect(readConfig('sandbox', {})).toMatchObject({
      mode: 'sandbox',
      port: 8080,
      host: '127.0.0.1',
      home: path.resolve('.cadastre'),
      rateLimitPerMinute: 100_000,
    });
    expect(readConfig('production', {})).toMatchObject({ mode: 'production', rateLimitPerMinute: 1_000 });
    expect(readConfig('sandbox', {}).databaseUrl).toBeUndefined();
  });

  test('success: an empty value is unset', () => {
    expect(readConfig('sandbox', { PORT: '', TRUSTED_PROXIES: '' })).toMatchObject({
      port: 8080,
      trustedProxies: [],
    });
  });

  test('success: each kind of value is read', () => {
    const config = readConfig('production', {
      PORT: '65535',
      LOG_LEVEL: 'silent',
      TRUSTED_PROXIES: '10.0.0.0/8, ::1,192.0.2.7',
      PUBLIC_URL: 'https://registry.example/',
      SMTP_URL: 'smtps://mailer:p%40ss@mail.example:465',
      MAIL_FROM: 'The Registry <registry@example.ee>',
      DATABASE_URL: 'postgresql://app@db.example/registry?host=/run/postgresql',
      CADASTRE_HOME: 'data',
    });
    expect(config).toMatchObject({
      port: 65_535,
      logLevel: 'silent',
      trustedProxies: ['10.0.0.0/8', '::1', '192.0.2.7'],
      publicUrl: 'https://registry.example',
      smtpUrl: 'smtps://mailer:p%40ss@mail.example:465',
      mailFrom: 'The Registry <registry@example.ee>',
      databaseUrl: 'postgresql://app@db.example/registry?host=/run/postgresql',
      home: path.resolve('data'),
    });
  });

  test('success: names of settings are unique, each with a description', () => {
    const names = Object.values(settings).map(({ env }) => env);
    expect(new Set(names).size).toBe(names.length);
    for (const { about } of Object.values(settings)) expect(about.length).toBeGreaterThan(10);
  });
});

describe('errors', () => {
  test.each([
    ['PORT', ['-1', '65536', '8080.0', '0x50', '1e3', ' 80', '八', '8'.repeat(13)]],
    ['RATE_LIMIT_PER_MINUTE', ['0', 'many']],
    ['HOST', [' ']],
    [
      'REGISTRAR_API_ALIAS',
      ['repp', '/', '/repp/', '/Repp', '/a b', '/registry', '/api/v1/x', '/docs', '/guide'],
    ],
    ['LOG_LEVEL', ['INFO', 'loud', 'info,warn']],
    ['TRUSTED_PROXIES', ['10.0.0.0/33', 'everybody', '10.0.0.0/8;::1']],
    ['BANK_ACCOUNTS', ['EE489900000000000002', 'EE489900000000000001;EE949800000000000002', 'our account']],
    ['PUBLIC_URL', ['registry.example', 'ftp://registry.example', 'https://']],
    ['MAIL_FROM', ['registry', 'a@b.ee, c@d.ee', 'A <a@b.ee']],
    ['STATEMENT_TIMEOUT_MS', ['99', '600001']],
    ['EPP_PORT', ['-1', '65536', 'on', 'OFF']],
    ['EPP_CERTIFICATES', ['off', 'direct']],
    ['EPP_SESSIONS_PER_REGISTRAR', ['0']],
  ])('failure: %s', (name, values) => {
    for (const value of values) {
      expect(complaintsOf({ [name]: value })).toEqual([expect.stringMatching(`^${name} must be .+\\.$`)]);
      expect(complaintsOf({ [name]: value }).join()).toContain(`not "${value}"`);
    }
  });

  test('failure: EPP with only one of key and certificate', () => {
    expect(complaintsOf({ EPP_TLS_KEY_FILE: '/a.key' })).toEqual([
      'EPP_TLS_KEY_FILE and EPP_TLS_CERTIFICATE_FILE must be set together.',
    ]);
  });

  test('failure: EPP cannot be served without a key, its own or that of HTTP', () => {
    const faultsOf = (environment: Record<string, string>) =>
      checkEppKey(readConfig('production', environment));
    expect(faultsOf({ EPP_PORT: '700' })).toEqual([
      expect.stringMatching('^EPP_PORT needs EPP_TLS_KEY_FILE'),
    ]);
    for (const prefix of ['', 'EPP_'])
      expect(
        faultsOf({
          EPP_PORT: '700',
          [`${prefix}TLS_KEY_FILE`]: '/a.key',
          [`${prefix}TLS_CERTIFICATE_FILE`]: '/a.crt',
        }),
      ).toEqual([]);
    expect(faultsOf({ EPP_PORT: 'off' })).toEqual([]);
  });

  test('success: a database on several servers', () => {
    const url = 'postgres://app:secret@db1:5432,db2:5433,[::1]:5434/registry?target_session_attrs=read-write';
    expect(readConfig('production', { DATABASE_URL: url }).databaseUrl).toBe(url);
  });

  test('success: common parameters of an address are accepted', () => {
    const url = 'postgres://app@db/registry?jit=off&application_name=a&connect_timeout=2';
    expect(readConfig('production', { DATABASE_URL: url }).databaseUrl).toBe(url);
  });

  test.each([
    ['h1,,h2', 'whose hosts are names'],
    ['h1,h2,', 'whose hosts are names'],
    ['a b', 'whose hosts are names'],
    ['[::g]', 'whose hosts are names'],
    ['::1', 'with an IPv6 host in brackets'],
    ['[::1]x', 'with an IPv6 host in brackets'],
    ['h1:1,h2:2:3', 'with an IPv6 host in brackets'],
    ['h1:1,h2:65536', 'whose ports are from 1 to 65535'],
    ['h1:0', 'whose ports are from 1 to 65535'],
    ['h1:x', 'whose ports are from 1 to 65535'],
    ['h1,h2,h3/d?port=1,2', 'with one port for all servers'],
    ['h/d?sslmode=verify', 'whose sslmode is one of disable, allow, prefer, require, verify-ca, verify-full'],
    ['h/d?sslmode=', 'whose sslmode is one of'],
    ['h/d?sslmod=require', 'with no parameters but host, port, sslmode, sslrootcert,'],
    ['h/d?sslmode=require&sslmode=disable', 'with no parameters but'],
    ['h/d?sslmode=verify-full&sslrootcert=/very-secret-file', 'whose sslrootcert is a file of certificates'],
    ['h/d?sslmode=verify-full&sslrootcert=/etc/passwd', 'whose sslrootcert is a file of certificates'],
    [
      'h1,h2/d?target_session_attrs=read-only',
      'whose target_session_attrs is one of any, read-write, primary',
    ],
    ['h/d%', 'with every % followed by two hexadecimal digits'],
    ['very-secret@h/d', 'such as postgres://user:password@host:port/database'],
    ['h/very-secret@d', 'such as postgres://user:password@host:port/database'],
    ['h#very-secret', 'such as postgres://user:password@host:port/database'],
  ])('failure: a database at %s, and nothing of the address is shown', (rest, expected) => {
    const [complaint = '', ...others] = complaintsOf({ DATABASE_URL: `postgres://app:very-secret@${rest}` });
    expect(complaint).toContain(`DATABASE_URL must be a postgres:// address ${expected}`);
    expect(complaint).not.toContain('very-secret');
    expect(others).toEqual([]);
  });

  test('success: headers for a collector, percent-encoded as OpenTelemetry has them', () => {
    const read = (text: string) => readConfig('production', { OTEL_EXPORTER_OTLP_HEADERS: text }).otlpHeaders;
    expect(read('authorization=Bearer%20a%3Db, x-tenant=7')).toEqual({
      authorization: 'Bearer a=b',
      'x-tenant': '7',
    });
    expect(read('x=')).toEqual({ x: '' });
  });

  test.each([
    'very-secret',
    '=very-secret',
    'a b=very-secret',
    'x=very-secret%0d%0ay:z',
    'x=very-secret%ff',
    'x=very-secret%',
  ])('failure: %s is no list of headers, and is not shown', (text) => {
    expect(complaintsOf({ OTEL_EXPORTER_OTLP_HEADERS: text })).toEqual([
      'OTEL_EXPORTER_OTLP_HEADERS must be a comma-separated list of name=value, the values percent-encoded.',
    ]);
  });

  test('failure: a wrong secret is named, never shown', () => {
    for (const name of ['DATABASE_URL', 'DATABASE_OWNER_URL'])
      expect(complaintsOf({ [name]: 'mysql://app:very-secret-word@db' })).toEqual([
        expect.stringMatching(`^${name} must be a postgres:// address[^"]*\\.$`),
      ]);
  });

  test('failure: an unknown pooler is refused, never ignored', () => {
    for (const pooler of ['session', 'transactions', '', 'Transaction'])
      expect(complaintsOf({ DATABASE_URL: `postgres://app@db/registry?host=/run&pooler=${pooler}` })).toEqual(
        ['DATABASE_URL must be a postgres:// address with no pooler but pooler=transaction.'],
      );
    expect(
      complaintsOf({ DATABASE_URL: 'postgres://app@db/registry?pooler=transaction&sslmode=require' }),
    ).toEqual([]);
  });

  test('failure: an SMTP address with anything but a server and a login, never shown', () => {
    for (const rest of ['', '/', '/inbox', '?logger=true', '/?tls.rejectUnauthorized=false', ' ', '#x'])
      for (const scheme of ['http', 'smtp'])
        expect([
          rest,
          complaintsOf({ MAIL_FROM: 'a@b.ee', SMTP_URL: `${scheme}://u:very-secret-word@mail${rest}` }),
        ]).toEqual([
          rest,
          scheme === 'smtp' && ['', '/'].includes(rest)
            ? []
            : [expect.stringMatching(/^SMTP_URL must be an smtp:\/\/ or smtps:\/\/ address: ((?!very).)*$/)],
        ]);
  });

  test('failure: a mail server without a sender', () => {
    expect(complaintsOf({ SMTP_URL: 'smtp://mail.example' })).toEqual([
      'MAIL_FROM must be set where SMTP_URL is.',
    ]);
  });

  test('failure: all errors at once', () => {
    expect(complaintsOf({ PORT: 'x', HOST: ' ', LOG_LEVEL: 'loud' })).toHaveLength(3);
  });
});

describe('the configuration file', () => {
  test('success: values from the file, overridden by the environment', () => {
    const file = fileWith('# comment\nPORT=9000\nHOST="127.0.0.2"\n');
    expect(readConfig('sandbox', { CADASTRE_CONFIG: file, PORT: '9001' })).toMatchObject({
      port: 9001,
      host: '127.0.0.2',
    });
  });

  test('failure: unknown names, wrong values, and a file that cannot be read', () => {
    const file = fileWith('PROT=1\nPORT=x\n');
    expect(complaintsOf({ CADASTRE_CONFIG: file })).toEqual([
      `${file} sets PROT, which is no setting of Cadastre.`,
      'PORT must be a whole number from 0 to 65535, not "x".',
    ]);
    expect(complaintsOf({ CADASTRE_CONFIG: '/nowhere' })).toEqual([
      'CADASTRE_CONFIG names the file /nowhere, which cannot be read (ENOENT).',
    ]);
  });
});

test('success: secrets are described as set or not', () => {
  const url = 'postgres://app:very-secret-word@db/registry';
  const shown = describeConfig(readConfig('production', { DATABASE_URL: url }));
  expect(shown).toMatchObject({ DATABASE_URL: '(set)', DATABASE_OWNER_URL: undefined, PORT: 8080 });
  expect(JSON.stringify(shown)).not.toContain('very-secret-word');
});

test('success: a secret that is not set is described as such, also where there may be several, and one of the sandbox as its default', () => {
  const billing = { BILLING_SECRET_AUCTION: 'one-secret-of-32-characters-or-more' };
  expect(describeConfig(readConfig('production', billing))).toMatchObject({
    BILLING_SECRET_AUCTION: '(set)',
    BILLING_SECRET_REGISTRY: undefined,
    WEBHOOK_SECRET: undefined,
  });
  expect(describeConfig(readConfig('sandbox', billing))).toMatchObject({
    BILLING_SECRET_AUCTION: '(set)',
    BILLING_SECRET_REGISTRY: '(default)',
    WEBHOOK_SECRET: '(default)',
    CONSOLE_SECRET_PREVIOUS: undefined,
  });
});

test.each([
  ['https://user:secret@auction.example/told', 'https://auction.example/told'],
  ['https://secret@auction.example', 'https://auction.example'],
  ['https://auction.example/told?token=secret&x=secret', 'https://auction.example/told?token=…&x=…'],
  ['https://auction.example/told?secret', 'https://auction.example/told?…'],
  ['https://auction.example/told#secret', 'https://auction.example/told?…'],
  ['https://u:se@cret@auction.example:8443/a@b?c=secret', 'https://auction.example:8443/a@b?c=…'],
  ['https://auction.example/@b', 'https://auction.example/@b'],
  ['https://auction.example', 'https://auction.example'],
])('success: %s is shown without possible secrets', (address, shown) => {
  const names = ['AUCTION_URL', 'PROVIDER_URL', 'PROVIDER_LINK_URL', 'EINVOICE_URL', 'PUBLIC_URL'];
  const environment = Object.fromEntries(names.map((name) => [name, address]));
  const described = describeConfig(readConfig('production', environment));
  for (const name of names) expect(described[name]).toBe(shown);
});

test.each([
  'htps://user:very-secret@auction.example/?token=very-secret',
  'user:very-secret@auction.example?very-secret',
  'https://user:very/secret@auction.example',
  'http://user:very-secret@ auction.example',
])('failure: %s is no address, and the error does not show the secret', (address) => {
  for (const name of ['AUCTION_URL', 'ALLOWED_RETURN_ORIGINS']) {
    const complaints = complaintsOf({ [name]: address }).join('\n');
    expect(complaints).toMatch(new RegExp(`^${name} must be`));
    expect(complaints).not.toMatch(/very|secret/);
  }
});

test.each([
  [
    'postgres://u:secret@h1:1,h2:2/db?target_session_attrs=read-write',
    'postgres://h1:1,h2:2/db?target_session_attrs=…',
  ],
  ['postgres://u:se@cret@[::1]:1,h2/db', 'postgres://[::1]:1,h2/db'],
  ['postgres://u:se/cret@h1:1,h2:2/db', 'postgres://h1:1,h2:2/db'],
  ['postgres://u:se?cret@h1:1,h2:2/db', 'postgres://h1:1,h2:2/db'],
  ['postgres://u:se#cret@h1,h2:2/db?password=secret', 'postgres://h1,h2:2/db?password=…'],
])('success: several servers are shown without their password: %s', (address, shown) => {
  expect(shownAddress(address)).toBe(shown);
});
