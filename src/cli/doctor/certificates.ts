import { readFile } from 'node:fs/promises';
import { readCertificate } from '../../platform/certificates/presented.ts';
import type { Config } from '../../platform/config.ts';
import { listAuthorities } from '../../registry/certificates/authorities.ts';
import { listCertificates } from '../../registry/certificates/certificates.ts';
import { type Finding, fine, type InsideCheck, problem, warning } from './check.ts';

const DAY_MS = 86_400_000;
const SOON_DAYS = 14;

/** Whatever has an end: our server's own certificate, authorities, their revocation lists, and what users show. */
export const certificatesCheck: InsideCheck = {
  name: 'certificates',
  async examine({ config, sql, now }) {
    const soon = new Date(now.getTime() + SOON_DAYS * DAY_MS);
    const authorities = (await listAuthorities(sql)).filter(({ status }) => status !== 'retired');
    const found = [
      ...(await ownCertificate(config, now, soon)),
      ...authorities.flatMap(({ id, validUntil }) => ending(`Authority ${id}`, validUntil, now, soon)),
      ...authorities.flatMap(({ id, revocationListUntil: until }) =>
        until !== null && until <= now
          ? [problem(`The revocation list of authority ${id} has run out.`, 'Sign it: cadastre ca crl.')]
          : [],
      ),
      ...(await usersCertificates(config, sql, now, soon)),
    ];
    return found.length > 0 ? found : [fine(`client certificates are ${asked[config.certificates]}`)];
  },
};

const asked: Readonly<Record<Config['certificates'], string>> = {
  off: 'not asked for',
  direct: 'asked for by the server itself',
  proxy: 'taken from the proxy',
};

async function ownCertificate(config: Config, now: Date, soon: Date): Promise<Finding[]> {
  const { tlsCertificateFile: file } = config;
  if (file === undefined) return [];
  const certificate = readCertificate(await readFile(file, 'utf8').catch(() => ''));
  if (!certificate)
    return [problem(`${file} holds no certificate that can be read here.`, 'Check TLS_CERTIFICATE_FILE.')];
  return ending('The certificate of this server', certificate.validUntil, now, soon);
}

async function usersCertificates(
  { certificates }: Config,
  sql: Parameters<typeof listCertificates>[0],
  now: Date,
  soon: Date,
): Promise<Finding[]> {
  if (certificates === 'off') return [];
  const valid = (await listCertificates(sql, now, {})).filter(({ status }) => status === 'valid');
  if (valid.length === 0)
    return [
      problem(
        'Certificates are asked for, and no user has one: nobody comes in.',
        'Sign some (cadastre cert sign), or set CERTIFICATES=off.',
      ),
    ];
  const lasting = new Set(valid.filter(({ validUntil }) => validUntil > soon).map(({ user }) => user));
  const late = [...new Set(valid.map(({ user }) => user))].filter((user) => !lasting.has(user));
  return late.length === 0
    ? []
    : [
        warning(
          `Within ${SOON_DAYS} days these users have no valid certificate any more: ${late.join(', ')}.`,
          'They have been reminded; ask them for new requests.',
        ),
      ];
}

function ending(what: string, until: Date, now: Date, soon: Date): Finding[] {
  if (until > soon) return [];
  const [says, todo] = [`${what} ${until <= now ? 'ended' : 'ends'} at ${until.toISOString()}.`, 'Renew it.'];
  return [until <= now ? problem(says, todo) : warning(says, todo)];
}
