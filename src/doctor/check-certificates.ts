import { readFile } from 'node:fs/promises';
import { readCertificate } from '../platform/certificates/certificate.ts';
import { EXPIRED, faultOf } from '../platform/certificates/server-identity.ts';
import type { Config } from '../platform/config/config.ts';
import type { Sql } from '../platform/sql/executor.ts';
import { type ListedAuthority, listAuthorities } from '../registry/certificates/authorities.ts';
import { listCertificates } from '../registry/certificates/certificates.ts';
import { type DatabaseCheck, type Finding, ok, problem, warning } from './check.ts';

const DAY_MS = 86_400_000;
/** Days before expiry from which a replacement is due. */
const WARNING_DAYS = { server: 14, authority: 90, list: 2, user: 14 };

/** How registrars authenticate, and which of those certificates expire soon. */
export const certificatesCheck: DatabaseCheck = {
  name: 'certificates',
  async examine({ config, sql: db, now, findAuthorityKey }) {
    const authorities = (await listAuthorities(db)).filter(({ status }) => status !== 'retired');
    const found = [
      ...authenticationFindings(config, authorities),
      ...(await serverCertificates(config, now)),
      ...authorities.flatMap((authority) => endsOf(authority, now)),
      ...(await authorityKeys(authorities, (fingerprint) => findAuthorityKey(config, fingerprint))),
      ...(await userCertificates(config, db, now)),
    ];
    return found.length > 0
      ? found
      : [ok(isAnybodyAsked(config) ? 'none of ours ends soon' : 'nobody is asked for one')];
  },
};

const servesEpp = ({ eppPort }: Config): boolean => typeof eppPort === 'number';
const isAnybodyAsked = (config: Config): boolean =>
  config.certificates !== 'off' || (servesEpp(config) && config.eppCertificates === 'required');

function authenticationFindings(config: Config, authorities: readonly ListedAuthority[]): Finding[] {
  return [
    ...(config.certificates === 'off' && config.mode === 'production'
      ? [
          warning(
            'CERTIFICATES is off: registrars log in with their passwords alone.',
            'Set CERTIFICATES to direct or proxy once they have certificates; see docs/operate/certificates.md.',
          ),
        ]
      : []),
    ...(isAnybodyAsked(config) && authorities.length === 0
      ? [
          problem(
            'Certificates are asked for, and no authority is trusted: no registrar comes in.',
            'Make an authority with cadastre ca init, or trust one with cadastre ca trust.',
          ),
        ]
      : []),
  ];
}

async function serverCertificates(config: Config, now: Date): Promise<Finding[]> {
  const { tlsKeyFile, tlsCertificateFile, eppTlsKeyFile, eppTlsCertificateFile } = config;
  const found = await Promise.all([
    serverCertificate(['TLS_KEY_FILE', 'TLS_CERTIFICATE_FILE'], [tlsKeyFile, tlsCertificateFile], now),
    servesEpp(config)
      ? serverCertificate(
          ['EPP_TLS_KEY_FILE', 'EPP_TLS_CERTIFICATE_FILE'],
          [eppTlsKeyFile, eppTlsCertificateFile],
          now,
        )
      : [],
  ]);
  return found.flat();
}

/** Files that are missing are reported with the settings. */
async function serverCertificate(
  [keySetting, setting]: readonly [string, string],
  [keyFile, file]: readonly [string | undefined, string | undefined],
  now: Date,
): Promise<Finding[]> {
  const [key, cert] = [await readIfPossible(keyFile), await readIfPossible(file)];
  if (cert === undefined) return [];
  const certificate = readCertificate(cert);
  if (!certificate)
    return [problem(`${setting} (${file}) holds no certificate that can be read.`, 'Put one there.')];
  const fault = key === undefined ? undefined : faultOf({ key, cert }, now);
  return [
    ...(fault !== undefined && fault !== EXPIRED
      ? [
          problem(
            `${keySetting} and ${setting} cannot be used: ${fault}. A server does not start with them.`,
            'Put a key and its own certificate there.',
          ),
        ]
      : []),
    ...endSoon(certificate.validUntil, now, WARNING_DAYS.server, (when) => [
      `The server's own certificate (${setting}) ${when}.`,
      'Put a new one with its key where the old ones lie; servers notice by themselves.',
    ]),
  ];
}

const readIfPossible = (file: string | undefined): Promise<string | undefined> | undefined =>
  file === undefined ? undefined : readFile(file, 'utf8').catch(() => undefined);

/** An authority that signs, whose key is not on this machine or cannot be opened. */
async function authorityKeys(
  authorities: readonly ListedAuthority[],
  find: (fingerprint: string) => Promise<unknown>,
): Promise<Finding[]> {
  const [signing] = authorities.filter(({ status }) => status === 'signs');
  if (!signing) return [];
  const key = await find(signing.fingerprint).catch((error: Error) => error);
  if (key instanceof Error)
    return [problem(key.message, 'Restore the key from a backup, or set its passphrase.')];
  if (key !== undefined) return [];
  return [
    warning(
      `The key of authority ${signing.id} is not on this machine: no certificate and no revocation list can be signed here.`,
      'Nothing, if it lies elsewhere; else restore it from a backup to CA_FOLDER, or make another authority with cadastre ca init --replace.',
    ),
  ];
}

const endsOf = (
  { id, validUntil, revocationListUntil: listUntil }: ListedAuthority,
  now: Date,
): Finding[] => [
  ...endSoon(validUntil, now, WARNING_DAYS.authority, (when) => [
    `Authority ${id} ${when}.`,
    'Make the next one with cadastre ca init --replace, and sign all certificates again.',
  ]),
  ...(listUntil
    ? endSoon(listUntil, now, WARNING_DAYS.list, (when) => [
        `The revocation list of authority ${id} ${when}.`,
        'Sign it with cadastre ca crl where the key lies, or let a cadastre work have the key.',
      ])
    : []),
];

/** Users who will be locked out although they were reminded. */
async function userCertificates(config: Config, db: Sql, now: Date): Promise<Finding[]> {
  if (!isAnybodyAsked(config)) return [];
  const valid = (await listCertificates(db, now, {})).filter(({ status }) => status === 'valid');
  const ahead = new Date(now.getTime() + WARNING_DAYS.user * DAY_MS);
  const unaffected = new Set(valid.filter(({ validUntil }) => validUntil > ahead).map(({ user }) => user));
  const expiring = [...new Set(valid.map(({ user }) => user))].filter((user) => !unaffected.has(user));
  return expiring.length === 0
    ? []
    : [
        warning(
          `Within ${WARNING_DAYS.user} days these users have no valid certificate any more: ${expiring.join(', ')}.`,
          'They have been reminded; ask them for new requests.',
        ),
      ];
}

function endSoon(
  end: Date,
  now: Date,
  days: number,
  describe: (when: string) => readonly [string, string],
): Finding[] {
  const left = Math.floor((end.getTime() - now.getTime()) / DAY_MS);
  if (left < 0) return [problem(...describe(`has ended on ${end.toISOString()}`))];
  return left < days ? [warning(...describe(`ends on ${end.toISOString()}`))] : [];
}
