import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isIPv6 } from 'node:net';

/** How a certificate is verified, and against which authorities; those of Node if `ca` is undefined. */
export type Tls = {
  readonly rejectUnauthorized: boolean;
  readonly ca?: string | undefined;
  readonly checkServerIdentity?: () => undefined;
};

export type Address = {
  readonly host: string;
  readonly port: number;
  readonly user?: string | undefined;
  readonly password?: string | undefined;
  readonly database: string;
  readonly ssl?: false | Tls;
};

/** Which of several servers is connected to; `prefer-standby` takes another if there is no standby. */
export type WantedServer = 'any' | 'read-write' | 'standby' | 'prefer-standby';

/** The servers of one database: one, or several of which one accepts writes. */
export type Addresses = {
  readonly servers: readonly Address[];
  readonly wanted: WantedServer;
  /** Behind a pooler in transaction mode, where sessions are shared. */
  readonly isPooled: boolean;
};

/** Reveals nothing of the address: a password with an unencoded character can be anywhere in it. */
export class AddressError extends Error {
  override name = 'AddressError';
  /** Completes "must be a postgres:// address". */
  readonly expected: string;
  constructor(expected = '') {
    super(`the address of the database must be a postgres:// address${expected}`);
    this.expected = expected;
  }
}

const PARAMETERS = ['host', 'port', 'sslmode', 'sslrootcert', 'target_session_attrs', 'pooler'];
/** Common in addresses but ignored: every session sets these itself. */
const IGNORED = ['jit', 'application_name', 'connect_timeout'];
const SSL_MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'];
const SESSION_ATTRIBUTES = ['any', 'read-write', 'primary', 'standby', 'prefer-standby'] as const;
const DEFAULT_PORT = '5432';
const ADDRESS = /^postgres(?:ql)?:\/\/(?:([^/?#@]*)@)?([^/?#@]*)(?:\/([^/?#@]*))?(?:\?([^#]*))?$/;
const SERVER = /^(?:\[([^\]]*)\]|([^:[\]]*))(?::([^:]*))?$/;
const HOST = /^(\/.*|[\p{L}\p{N}._-]+)$/u;

/**
 * Reads a postgres:// address as libpq does: a socket as ?host=/directory, several servers separated by commas, and
 * target_session_attrs=read-write to find the one that accepts writes. pooler=transaction is our own.
 */
export function readAddress(text: string): Addresses {
  if (!/^postgres(ql)?:\/\//.test(text)) throw new AddressError();
  const [isAddress, login = '', servers = '', path = '', query = ''] = ADDRESS.exec(text) ?? [];
  if (isAddress === undefined)
    throw new AddressError(
      ' such as postgres://user:password@host:port/database, with / ? # @ in a name or a password percent-encoded',
    );
  const parameters = parametersIn(query);
  const [, user = '', password = ''] = /^([^:]*):?(.*)$/s.exec(login) ?? [];
  const ssl = tlsOf(parameters);
  const common = {
    user: decoded(user) || undefined,
    password: decoded(password) || undefined,
    database: decoded(path) || decoded(user) || 'postgres',
  };
  const sessionAttributes = oneOf(SESSION_ATTRIBUTES, parameters, 'target_session_attrs') ?? 'any';
  if ((parameters.get('pooler') ?? 'transaction') !== 'transaction')
    throw new AddressError(' with no pooler but pooler=transaction');
  return {
    // PostgreSQL does not support TLS on Unix sockets.
    servers: serversIn(servers, parameters).map(({ host, port }) => ({
      ...common,
      host,
      port,
      ssl: host.startsWith('/') ? false : ssl,
    })),
    wanted: sessionAttributes === 'primary' ? 'read-write' : sessionAttributes,
    isPooled: parameters.has('pooler'),
  };
}

/** An unknown parameter is refused: a misspelt sslmode would disable TLS. */
function parametersIn(query: string): ReadonlyMap<string, string> {
  const items = query.split('&').filter((item) => item !== '');
  const parameters = new Map(
    items.map((item) => {
      const [, name = '', value = ''] = /^([^=]*)=?(.*)$/s.exec(item) ?? [];
      return [decoded(name), decoded(value)] as const;
    }),
  );
  const isKnown = (name: string) => PARAMETERS.includes(name) || IGNORED.includes(name);
  if (parameters.size < items.length || ![...parameters.keys()].every(isKnown))
    throw new AddressError(` with no parameters but ${listed(PARAMETERS)}, each once`);
  return parameters;
}

function serversIn(text: string, parameters: ReadonlyMap<string, string>): { host: string; port: number }[] {
  const written = text.split(',').map((server) => {
    const [isServer, ipv6, name = '', port = ''] = SERVER.exec(server) ?? [];
    if (isServer === undefined)
      throw new AddressError(' with an IPv6 host in brackets, and host:port for each server');
    return { host: decoded(ipv6 ?? name), port };
  });
  const hosts = parameters.get('host')?.split(',') ?? written.map(({ host }) => host);
  const ports = parameters.get('port')?.split(',') ?? written.map(({ port }) => port);
  if (ports.length !== 1 && ports.length !== hosts.length)
    throw new AddressError(' with one port for all servers, or one for each');
  return hosts.map((host, place) => ({
    host: hostOf(host, hosts.length === 1),
    port: portOf((ports.length === 1 ? ports[0] : ports[place]) || DEFAULT_PORT),
  }));
}

/** An empty host means this machine if it is the only one; in a list it is a mistake. */
function hostOf(host: string, isOnly: boolean): string {
  if (host === '' && isOnly) return 'localhost';
  if (HOST.test(host) || isIPv6(host)) return host;
  throw new AddressError(' whose hosts are names, IP addresses (IPv6 in brackets) or directories of sockets');
}

function portOf(port: string): number {
  if (/^\d{1,5}$/.test(port) && Number(port) >= 1 && Number(port) <= 65_535) return Number(port);
  throw new AddressError(' whose ports are from 1 to 65535');
}

/** As in libpq, but `allow` and `prefer` disable TLS: neither protects against an active attacker. */
function tlsOf(parameters: ReadonlyMap<string, string>): false | Tls {
  const mode = oneOf(SSL_MODES, parameters, 'sslmode');
  const ca = authorityIn(parameters.get('sslrootcert'));
  if (mode === 'verify-full') return { rejectUnauthorized: true, ca };
  // With an authority libpq verifies the chain even if the mode is only `require`.
  if (mode === 'verify-ca' || (mode === 'require' && ca !== undefined))
    return { rejectUnauthorized: true, ca, checkServerIdentity: () => undefined };
  return mode === 'require' ? { rejectUnauthorized: false } : false;
}

function authorityIn(file: string | undefined): string | undefined {
  if (file === undefined) return undefined;
  try {
    const pem = readFileSync(file, 'utf8');
    new X509Certificate(pem);
    return pem;
  } catch {
    throw new AddressError(' whose sslrootcert is a file of certificates in PEM that can be read');
  }
}

function oneOf<Value extends string>(
  allowed: readonly Value[],
  parameters: ReadonlyMap<string, string>,
  name: string,
): Value | undefined {
  const value = parameters.get(name);
  const known = allowed.find((one) => one === value);
  if (value === undefined || known !== undefined) return known;
  throw new AddressError(` whose ${name} is one of ${allowed.join(', ')}`);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new AddressError(' with every % followed by two hexadecimal digits');
  }
}

const listed = (names: readonly string[]): string => `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
