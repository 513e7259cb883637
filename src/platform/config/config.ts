import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { shownAddress } from '../values/ip-addresses.ts';
import { commandEnvironment } from './command-environment.ts';
import type { Mode, Setting } from './setting.ts';
import { origins, SettingError, webUrl } from './setting-values.ts';
import { settings } from './settings.ts';

/** A value that prevents the start. The message is one sentence that names the setting. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

export type { Mode };

type Source = Readonly<Record<string, string | undefined>>;

export type Config = { readonly mode: Mode } & {
  readonly [K in keyof typeof settings]: (typeof settings)[K] extends Setting<infer T> ? T : never;
};

/** Reads every setting and reports all faults in one error. */
export function readConfig(mode: Mode, environment: Source = commandEnvironment().env): Config {
  const complaints: string[] = [];
  const file = readConfigFile(environment, complaints);
  const values: Record<string, unknown> = { mode };
  for (const [name, { env, read, fallback, secret }] of Object.entries<Setting<unknown>>(settings)) {
    const text = environment[env] || file[env];
    if (!text) {
      values[name] = fallback[mode];
      continue;
    }
    const value = read(text);
    if (value instanceof SettingError) {
      complaints.push(`${env} must be ${value.expected}${secret ? '' : `, not "${shownText(read, text)}"`}.`);
    } else {
      values[name] = value;
    }
  }
  if (complaints.length === 0) complaints.push(...contradictions(values as Config));
  if (complaints.length > 0) throw new ConfigError(complaints.join('\n'));
  values.home = path.resolve(String(values.home));
  return values as Config;
}

/** The settings that are set, as they were written, secrets included. */
export function readSettingTexts(environment: Source = commandEnvironment().env): Record<string, string> {
  const file = readConfigFile(environment, []);
  const texts = Object.values<Setting<unknown>>(settings).map(({ env }) => [
    env,
    environment[env] || file[env],
  ]);
  return Object.fromEntries(texts.filter((entry): entry is [string, string] => Boolean(entry[1])));
}

/** Settings that are valid individually but not in combination. */
function contradictions(config: Config): string[] {
  const { smtpUrl, mailFrom, tlsKeyFile, tlsCertificateFile, certificates, trustedProxies } = config;
  const { eppTlsKeyFile, eppTlsCertificateFile } = config;
  return [
    ...(smtpUrl !== undefined && mailFrom === undefined ? ['MAIL_FROM must be set where SMTP_URL is.'] : []),
    ...((tlsKeyFile === undefined) !== (tlsCertificateFile === undefined)
      ? ['TLS_KEY_FILE and TLS_CERTIFICATE_FILE must be set together.']
      : []),
    ...(certificates === 'direct' && tlsKeyFile === undefined
      ? ['CERTIFICATES=direct needs TLS_KEY_FILE and TLS_CERTIFICATE_FILE.']
      : []),
    ...(certificates === 'proxy' && trustedProxies.length === 0
      ? ['CERTIFICATES=proxy needs TRUSTED_PROXIES, the addresses whose word on certificates is taken.']
      : []),
    ...((eppTlsKeyFile === undefined) !== (eppTlsCertificateFile === undefined)
      ? ['EPP_TLS_KEY_FILE and EPP_TLS_CERTIFICATE_FILE must be set together.']
      : []),
  ];
}

/**
 * What keeps `serve` from opening EPP. Commands do not need it: they run beside a sandbox too, which has certificates
 * of its own.
 */
export const checkEppKey = ({ eppPort, eppTlsKeyFile, tlsKeyFile }: Config): string[] =>
  typeof eppPort === 'number' && (eppTlsKeyFile ?? tlsKeyFile) === undefined
    ? [
        'EPP_PORT needs EPP_TLS_KEY_FILE and EPP_TLS_CERTIFICATE_FILE, or those of HTTP: EPP is over TLS only.',
      ]
    : [];

function readConfigFile(environment: Source, complaints: string[]): Source {
  const file = environment.CADASTRE_CONFIG;
  if (!file) return {};
  let found: Source;
  try {
    found = parseEnv(readFileSync(file, 'utf8'));
  } catch (error) {
    complaints.push(
      `CADASTRE_CONFIG names the file ${file}, which cannot be read (${(error as NodeJS.ErrnoException).code}).`,
    );
    return {};
  }
  const known = new Set<string>(Object.values(settings).map((item) => item.env));
  for (const name of Object.keys(found)) {
    if (!known.has(name)) complaints.push(`${file} sets ${name}, which is no setting of Cadastre.`);
  }
  return found;
}

/** The configuration for display: of secrets only whether they are set, addresses without their possibly secret parts. */
export function describeConfig(config: Config): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries<Setting<unknown>>(settings).map(([name, { env, secret, fallback }]) => {
      const value = config[name as keyof typeof settings];
      return [env, secret ? shownSecret(value, fallback[config.mode]) : shownValue(value)];
    }),
  );
}

/** The default of a secret is that of the sandbox; production has none. */
function shownSecret(value: unknown, fallback: unknown): string | undefined {
  const isMissing = value === undefined || (Array.isArray(value) && value.length === 0);
  if (isMissing) return undefined;
  return value === fallback ? '(default)' : '(set)';
}

/** The rejected text for display; it may be an address with a mistake in it. */
function shownText(read: Setting<unknown>['read'], text: string): string {
  if (read === webUrl) return shownAddress(text);
  return read === origins ? text.split(',').map(shownAddress).join(',') : text;
}

const shownValue = (value: unknown): unknown =>
  typeof value === 'string' && value.includes('://') ? shownAddress(value) : value;
