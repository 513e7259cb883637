import { describe, expect, test } from 'vitest';
import { readAddress } from '../../../src/platform/database/address.ts';

const serversOf = (text: string) => readAddress(text).servers.map(({ host, port }) => `${host} ${port}`);

describe('the address of a database', () => {
  test('success: everything about one server', () => {
    expect(readAddress('postgresql://us%40er:p%3A:w%2F@db.example:5433/reg%20istry')).toEqual({
      servers: [
        {
          host: 'db.example',
          port: 5433,
          user: 'us@er',
          password: 'p::w/',
          database: 'reg istry',
          ssl: false,
        },
      ],
      wanted: 'any',
      isPooled: false,
    });
  });

  test.each([
    ['postgres://', ['localhost 5432']],
    ['postgres://u@:5433/db', ['localhost 5433']],
    [
      'postgres://u@h1:1,h2,[::1]:3,[fe80::1%25eth0],192.0.2.1:5/db',
      ['h1 1', 'h2 5432', '::1 3', 'fe80::1%eth0 5432', '192.0.2.1 5'],
    ],
    ['postgres://u@h1,h2/db?port=7', ['h1 7', 'h2 7']],
    ['postgres:///db?host=h1,::1&port=7,8', ['h1 7', '::1 8']],
    ['postgres://u@localhost:7/db?host=/run/postgresql', ['/run/postgresql 7']],
    ['postgres://u@%2Frun%2Fpostgresql/db', ['/run/postgresql 5432']],
  ])('success: the servers of %s', (text, servers) => {
    expect(serversOf(text)).toEqual(servers);
  });

  test('success: whether it must accept writes, and whether it is a pooler', () => {
    const of = (query: string) => {
      const { wanted, isPooled } = readAddress(`postgres://u@h/db${query}`);
      return [wanted, isPooled];
    };
    expect(of('')).toEqual(['any', false]);
    expect(of('?target_session_attrs=any')).toEqual(['any', false]);
    expect(of('?target_session_attrs=read-write')).toEqual(['read-write', false]);
    expect(of('?target_session_attrs=primary&pooler=transaction')).toEqual(['read-write', true]);
    expect(of('?target_session_attrs=standby')).toEqual(['standby', false]);
    expect(of('?target_session_attrs=prefer-standby')).toEqual(['prefer-standby', false]);
  });

  test('success: a name of a database is that of the login where none is given', () => {
    expect(readAddress('postgres://app@h').servers[0]?.database).toBe('app');
    expect(readAddress('postgres://h/').servers[0]?.database).toBe('postgres');
  });

  test('success: on a socket there is no TLS', () => {
    const [socket, host] = readAddress('postgres:///db?host=/run,h&sslmode=verify-full').servers;
    expect(socket?.ssl).toBe(false);
    expect(host?.ssl).toEqual({ rejectUnauthorized: true });
  });
});
