import type { Address } from './connection.ts';

/** Where the servers of one database are: one, or several of which one takes writes. */
export type Addresses = {
  readonly servers: readonly Address[];
  readonly mustBeWritable: boolean;
  /** Behind a pooler in transaction mode, where a session is nobody's own. */
  readonly isPooled: boolean;
};

const SSL: Readonly<Record<string, Address['ssl']>> = {
  prefer: { rejectUnauthorized: false },
  require: { rejectUnauthorized: false },
  'verify-ca': { rejectUnauthorized: true },
  'verify-full': { rejectUnauthorized: true },
};

/**
 * Reads a postgres:// address as libpq does: a socket as ?host=/directory, several servers separated by commas, and
 * target_session_attrs=read-write to find the one among them that takes writes. pooler=transaction is our own.
 */
export function readAddress(text: string): Addresses {
  const [, scheme = '', login = '', hosts = '', rest = ''] =
    /^(postgres(?:ql)?:\/\/)([^/?#@]*@)?([^/?#]*)(.*)$/.exec(text) ?? [];
  if (scheme === '') throw new TypeError('not a postgres:// address');
  const url = new URL(`${scheme}${login}any${rest}`);
  const { searchParams } = url;
  const user = url.username === '' ? undefined : decodeURIComponent(url.username);
  const common = {
    user,
    password: url.password === '' ? undefined : decodeURIComponent(url.password),
    database: decodeURIComponent(url.pathname.slice(1)) || user || 'postgres',
    ssl: SSL[searchParams.get('sslmode') ?? ''] ?? false,
  };
  const socket = searchParams.get('host');
  const servers = hosts.split(',').map((host) => {
    const [, name = '', port = ''] = /^(.*?)(?::(\d+))?$/.exec(host) ?? [];
    return {
      ...common,
      host: socket ?? (name === '' ? 'localhost' : decodeURIComponent(name).replaceAll(/[[\]]/g, '')),
      port: Number(port === '' ? (searchParams.get('port') ?? 5432) : port),
    };
  });
  const wanted = searchParams.get('target_session_attrs');
  return {
    servers,
    mustBeWritable: wanted === 'read-write' || wanted === 'primary',
    isPooled: searchParams.get('pooler') === 'transaction',
  };
}
