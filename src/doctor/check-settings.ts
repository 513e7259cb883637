import { access, constants } from 'node:fs/promises';
import { type Config, checkEppKey } from '../platform/config/config.ts';
import { settings } from '../platform/config/settings.ts';
import { shownAddress } from '../platform/values/ip-addresses.ts';
import { type Finding, ok, problem, type ServiceCheck, warning } from './check.ts';

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1)$/;
const MIN_SECRET_LENGTH = 16;

const PROVIDER = [
  'providerUrl',
  'providerLinkUrl',
  'providerUser',
  'providerSecret',
  'providerAccount',
  'providerLinkToken',
] as const;
const SERVICES = [
  ['auctionUrl', 'billingSecretAuction'],
  ['eeidUrl', 'billingSecretEeid'],
  ['businessRegistryUrl', 'billingSecretBusinessRegistry'],
] as const;

/** Each setting is known to be readable; this checks whether they are consistent. */
export const settingsCheck: ServiceCheck = {
  name: 'settings',
  async examine(config) {
    if (config.mode === 'sandbox') return [ok('those of a sandbox, with its public secrets')];
    const found = [
      ...publicAddress(config),
      ...publicSecrets(config),
      ...providerSettings(config),
      ...serviceSettings(config),
      ...einvoiceSettings(config),
      ...proxySettings(config),
      ...eppKey(config),
      ...consoleSecrets(config),
      ...(await missingFiles(config)),
    ];
    return found.length > 0 ? found : [ok('readable, and they make sense together')];
  },
};

function publicAddress({ publicUrl, host, port }: Config): Finding[] {
  if (publicUrl === undefined)
    return [
      warning(
        `PUBLIC_URL is not set: links in mails and pages begin with http://${host}:${port}.`,
        'Set PUBLIC_URL to the address that people use, for serve and work alike.',
      ),
    ];
  return publicUrl.startsWith('https://')
    ? []
    : [
        warning(
          `PUBLIC_URL is ${shownAddress(publicUrl)}: people come without TLS.`,
          'Give it an https:// address.',
        ),
      ];
}

/** The sandbox's secrets are published in the documentation. */
function publicSecrets(config: Config): Finding[] {
  return Object.entries(settings).flatMap(([name, { env, fallback, secret }]) => {
    if (!secret || fallback.sandbox === undefined) return [];
    const known = [fallback.sandbox].flat();
    const values = [config[name as keyof typeof settings]].flat();
    if (values.some((value) => known.some((item) => item === value)))
      return [problem(`${env} is the secret of every sandbox: anybody knows it.`, 'Set one of your own.')];
    return [];
  });
}

function providerSettings(config: Config): Finding[] {
  const missing = PROVIDER.filter((name) => config[name] === undefined).map((name) => settings[name].env);
  if (missing.length === PROVIDER.length)
    return [
      warning(
        'No payment provider is set: nobody can pay.',
        'Set the six settings that begin with PROVIDER_.',
      ),
    ];
  if (missing.length > 0)
    return [
      problem(
        `Of the payment provider ${missing.join(', ')} is not set: nobody can pay.`,
        'Set what is missing.',
      ),
    ];
  return (config.providerSecret ?? '').length < MIN_SECRET_LENGTH
    ? [
        warning(
          `PROVIDER_SECRET has fewer than ${MIN_SECRET_LENGTH} characters: anyone who guesses it can sign payment links.`,
          'Ask the provider for a longer one.',
        ),
      ]
    : [];
}

function serviceSettings(config: Config): Finding[] {
  return SERVICES.flatMap(([url, secret]) => {
    const [address, keys] = [settings[url].env, settings[secret].env];
    if (config[url] !== undefined && config[secret].length === 0)
      return [problem(`${address} is set and ${keys} is not: its messages wait.`, `Set ${keys}.`)];
    if (config[url] === undefined && config[secret].length > 0)
      return [
        warning(`${keys} is set and ${address} is not: the service is told nothing.`, `Set ${address}.`),
      ];
    return [];
  });
}

const einvoiceSettings = ({ einvoiceUrl, einvoiceAuthPhrase }: Config): Finding[] =>
  (einvoiceUrl === undefined) === (einvoiceAuthPhrase === undefined)
    ? []
    : [
        problem(
          'Of EINVOICE_URL and EINVOICE_AUTH_PHRASE one is set and the other is not: e-invoices wait.',
          'Set both.',
        ),
      ];

/** A server that terminates TLS itself needs no proxy. */
const proxySettings = ({ host, trustedProxies, tlsKeyFile }: Config): Finding[] =>
  LOOPBACK.test(host) && trustedProxies.length === 0 && tlsKeyFile === undefined
    ? [
        warning(
          `HOST is ${host} and TRUSTED_PROXIES is empty: behind a proxy all clients share one address when failed logins are counted.`,
          'Set TRUSTED_PROXIES to the addresses of the proxy.',
        ),
      ]
    : [];

const eppKey = (config: Config): Finding[] =>
  checkEppKey(config).map((complaint) =>
    problem(complaint, 'Set them, or EPP_PORT=off: serve does not start.'),
  );

const FILES = [
  'tlsKeyFile',
  'tlsCertificateFile',
  'eppTlsKeyFile',
  'eppTlsCertificateFile',
  'backupKeyFile',
  'caFolder',
  'bankStatementFolder',
] as const;

async function missingFiles(config: Config): Promise<Finding[]> {
  const found = await Promise.all(
    FILES.map(async (name) => {
      const file = config[name];
      if (file === undefined) return [];
      const { env } = settings[name];
      return access(file, constants.R_OK).then(
        () => [],
        ({ code }: NodeJS.ErrnoException) => [
          problem(
            `${env} is ${file}, which cannot be read (${code}).`,
            'Put it there, or correct the setting.',
          ),
        ],
      );
    }),
  );
  return found.flat();
}

const consoleSecrets = ({ consoleSecret }: Config): Finding[] =>
  consoleSecret === undefined
    ? [
        warning(
          'CONSOLE_SECRET is not set: nobody can set up an authenticator app for the console.',
          'Set it to 32 random bytes, for every serve alike, and keep a copy of it: openssl rand -base64 32',
        ),
      ]
    : [];
